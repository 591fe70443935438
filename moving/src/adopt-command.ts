// `vitrine-moving adopt URL`: reads the old site, imports what differs, and compares the gallery with what the old site said.

import { rmSync } from 'node:fs';
import { version } from '../../package.json';
import { OperatorError } from '../../packages/common/src/errors.ts';
import { defineCommand, printMessage } from '../../src/core/commands/command.ts';
import { openDatabaseAndFiles } from '../../src/core/commands/open-files.ts';
import { createStatusLine, type StatusLine } from '../../src/core/commands/progress-bar.ts';
import type { Settings, SettingsOf } from '../../src/core/settings/settings.ts';
import { compareRecords, type Finding, importStaged } from './adopt.ts';
import { decideLastNames } from './last-names.ts';
import { OldSite } from './old-site.ts';
import { type Abilities, findAbilities, readOldSite } from './read-old-site.ts';
import { Report } from './report.ts';
import { adoptSettings, type requestSettings } from './settings.ts';
import { Staging } from './staging.ts';

export const adoptCommand = defineCommand({
  usage: 'adopt URL',
  help: 'Brings a live site over by its API, which is at this URL; run it again until the switch.',
  examples: ['vitrine-moving adopt https://old.example.org/api/v1/ --token …'],
  settings: ['database', 'files'],
  moreSettings: adoptSettings,
  operand: 'the URL of one API, such as https://old.example.org/api/v1/',
  async run(settings, address) {
    using status = createStatusLine();
    const site = new OldSite(address, {
      headers: buildHeaders('vitrine-adopt', settings),
      requestsPerSecond: settings.rate,
      reportWait: (seconds, reason) => status.show(`Waiting for ${seconds} s: ${reason}`),
    });
    // A wrong address must leave no file that is in the way of the right one.
    const abilities = await findAbilities(site);
    await using gallery = await openDatabaseAndFiles(settings, undefined, { mustExist: false });
    const { database } = gallery;
    const basePath = basePathOf(settings);
    using staging = new Staging(`${basePath}.adopt`, site.address);
    const reportPath = `${basePath}.adopt-report.ndjson`;
    rmSync(reportPath, { force: true });
    using report = new Report(reportPath);
    const problems = await read(site, abilities, staging, settings.readsAll, status);
    for (const problem of problems) report.add({ problem });
    status.show('Reading the order of last names');
    for (const remark of await decideLastNames(site, staging, settings.readsAll)) report.add(remark);
    status.show('Importing and comparing');
    const add = (finding: Finding) => report.add(finding);
    const { imported, trashed } = await importStaged(gallery, staging, site.origin, add);
    const { records, equal } = await compareRecords(database, staging, site.origin, add);
    status.end();
    printMessage(
      `${imported} records imported; ${trashed} have gone from the old site and are in the trash.`,
    );
    for (const problem of problems) printMessage(problem);
    process.stdout.write(`${equal} of ${records} records equal\n`);
    if (report.hasLines) printMessage(`See ${report.path}.`);
    return equal === records && problems.length === 0 ? 0 : 1;
  },
});

/** Files about the gallery are beside the database, or in the current folder. */
export const basePathOf = ({ database }: Settings<'database'>) =>
  /^postgres(ql)?:/.test(database) ? 'vitrine' : database;

/** The headers of every request to the old site. */
export function buildHeaders(
  program: string,
  { token, login, requestHeaders }: Omit<SettingsOf<typeof requestSettings>, 'rate'>,
): Headers {
  if (token && login) throw new OperatorError('Give either --token or --user.');
  const headers = new Headers({ Accept: 'application/json', 'User-Agent': `${program}/${version}` });
  if (token) headers.set('Authorization', `Token ${token}`);
  if (login) headers.set('Authorization', `Basic ${Buffer.from(login).toString('base64')}`);
  for (const [name, value] of requestHeaders) headers.set(name, value);
  return headers;
}

async function read(
  site: OldSite,
  abilities: Abilities,
  staging: Staging,
  readsAll: boolean,
  status: StatusLine,
): Promise<readonly string[]> {
  let began: { phase: string; read: number; at: number } | undefined;
  const problems = await readOldSite(site, abilities, staging, {
    readsAll,
    progress(phase, read, total) {
      const at = performance.now();
      if (began?.phase !== phase) began = { phase, read, at };
      const perSecond = at > began.at ? ((read - began.read) * 1000) / (at - began.at) : 0;
      status.show(`${phase}: ${formatProgress(read, total, perSecond)}`);
    },
  });
  status.end();
  printMessage(`The old site has ${staging.count()} records; ${site.requests} requests were sent.`);
  return problems;
}

function formatProgress(read: number, total: number | undefined, perSecond: number): string {
  const rate = `${Math.round(perSecond).toLocaleString('en')} a second`;
  if (total === undefined) return `${read.toLocaleString('en')} records, ${rate}`;
  const done = Math.min(read, total);
  const seconds = perSecond > 0 ? Math.ceil((total - done) / perSecond) : undefined;
  const left = seconds === undefined ? '' : `, ${Math.floor(seconds / 60)} min ${seconds % 60} s left`;
  return `${done.toLocaleString('en')} of ${total.toLocaleString('en')} records, ${rate}${left}`;
}
