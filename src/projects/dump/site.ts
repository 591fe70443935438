// Dump lines for the settings of sites. The bytes of a logo follow its setting.

import sql from 'sql-template-tag';
import { InvalidValue } from '#common/inputs.ts';
import { select } from '#sql';
import { defineLine, type LineOf, oneOf, text } from '../../core/dump/line-format.ts';
import { siteSettingTable } from '../../core/server-tables.ts';
import { type SettingName, settingNames, siteFields } from '../../core/site/site-fields.ts';
import { hostPattern } from '../../core/site/site-settings.ts';
import type { ImportContext } from './import-context.ts';
import { type Batch, keepLast } from './import-log.ts';
import type { LineKind } from './kind.ts';
import { rightsAdvice } from './table-kind.ts';

/** One setting of one host; an empty host is the default for all. */
const siteLine = defineLine('site', {
  host: text({ maxLength: 253, pattern: [hostPattern, 'a host name in lower case'] }),
  name: oneOf(settingNames),
  value: text({ minLength: 1, maxLength: 20_000 }),
});

type SiteLine = LineOf<typeof siteLine>;

const columns = { ...siteSettingTable.columns, name: siteSettingTable.columns.name.narrow<SettingName>() };
const allSettings = select(columns, sql`from site_setting order by host, name`);

/** The settings that say what people may do. */
const rules: readonly SettingName[] = ['review', 'review_works', 'sign_up'];

async function requireSameRules(context: ImportContext, batch: Batch<SiteLine>): Promise<void> {
  if (!context.protectsAccounts) return;
  const stored = await context.transaction.all(allSettings);
  for (const { lineNumber, entry } of batch) {
    const row = stored.find(({ host, name }) => host === entry.host && name === entry.name);
    if (rules.includes(entry.name) && row?.value !== entry.value)
      context.refuse(lineNumber, `name: ${entry.name} has another value. ${rightsAdvice}`);
  }
}

export const siteKind: LineKind<SiteLine> = {
  format: siteLine,
  exporter: {
    count: sql`select count(*) from site_setting`,
    async *exportLines(reader, exportFile) {
      for (const row of await reader.all(allSettings)) {
        yield [siteLine.stringify(row)];
        if (row.name !== 'logo') continue;
        for await (const line of exportFile(siteFields.logo.read(row.value))) yield [line];
      }
    },
  },

  async importBatch(context, batch) {
    for (const { lineNumber, entry } of batch) {
      const { name, value } = entry;
      try {
        siteFields[name].read(value);
        if (name === 'logo') context.files.expect(lineNumber, siteFields.logo.read(value));
      } catch (error) {
        if (error instanceof InvalidValue) context.refuse(lineNumber, `value: ${error.message}`);
        throw error;
      }
    }
    await requireSameRules(context, batch);
    const rows = keepLast(batch, ({ host, name }) => `${host} ${name}`);
    await context.transaction.upsert(siteSettingTable, rows);
  },

  describeChange: () => ({ subject: 0 }),
};
