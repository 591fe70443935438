// `vitrine-moving shadow`: serves the gallery, and compares its answers with those of the old site.

import { OperatorError } from '../../packages/common/src/errors.ts';
import type { Log } from '../../packages/common/src/log.ts';
import type { RequestContext } from '../../packages/rest/src/request-context.ts';
import { defineCommand } from '../../src/core/commands/command.ts';
import { serverSettings } from '../../src/server/commands/serve.ts';
import { type Observer, serveUntilStopped } from '../../src/server/commands/server.ts';
import { basePathOf, buildHeaders } from './adopt-command.ts';
import { OldSite } from './old-site.ts';
import { Report, toReportedJson } from './report.ts';
import { shadowSettings } from './settings.ts';
import { maxComparedBytes, Shadow, type ShadowFinding } from './shadow.ts';

const program = 'vitrine-shadow';
const timeoutMs = 10_000;
const summaryMs = 60_000;
const maxReportBytes = 100 * 1024 * 1024;
const maxDifferences = 20;
const maxValueLength = 500;
/** Others depend on the person, on the load, or on what only the gallery has. */
const comparedStatuses = [200, 400, 404];

export const shadowCommand = defineCommand({
  usage: 'shadow',
  help: 'Serves the gallery, asks the old site what clients read, and reports what differs.',
  examples: ['vitrine-moving shadow --old https://old.example.org/api/v1/ --sample 10%'],
  settings: serverSettings,
  moreSettings: shadowSettings,
  async run(settings) {
    if (!settings.oldSite)
      throw new OperatorError('It is: vitrine-moving shadow --old https://old.example.org/api/v1/');
    const site = new OldSite(settings.oldSite, {
      headers: buildHeaders(program, settings),
      requestsPerSecond: settings.rate,
      timeoutMs,
      maxBytes: maxComparedBytes,
    });
    const path = settings.report || `${basePathOf(settings)}.shadow-report.ndjson`;
    const report = new Report(path, maxReportBytes);
    const startObserver = (log: Log) => {
      const shadow = new Shadow(site, {
        sample: settings.sample,
        requestsPerSecond: settings.rate,
        report(finding) {
          try {
            report.add(shorten(finding));
          } catch (error) {
            log.error('-', error);
          }
        },
      });
      log.info(`Answers are compared with ${site.address}. Differences are in ${path}.`);
      return observeWith(shadow, report, log);
    };
    return serveUntilStopped(settings, { startObserver });
  },
});

function observeWith(shadow: Shadow, report: Report, log: Log): Observer {
  const logSummary = () => {
    const summary = shadow.summarize();
    if (summary !== undefined) log.info(summary);
  };
  const timer = setInterval(logSummary, summaryMs);
  return {
    observe: (context) => {
      const answer = findComparable(context);
      if (answer) shadow.compare(answer);
    },
    close() {
      clearInterval(timer);
      logSummary();
      report.close();
    },
  };
}

/** Only a JSON response that is the same for everybody is compared; undefined for others. */
export function findComparable({ method, target, headers, actor, sent }: RequestContext) {
  if (method !== 'GET' || actor !== undefined || !sent || !comparedStatuses.includes(sent.status)) return;
  if (headers.has('Prefer') || headers.get('User-Agent')?.startsWith(program)) return;
  if (sent.streamBody || !sent.headers.get('Content-Type')?.startsWith('application/json')) return;
  return { path: target, status: sent.status, body: sent.body };
}

function shorten({ differences, ...finding }: ShadowFinding): object {
  const shown = differences.slice(0, maxDifferences);
  return {
    ...finding,
    differences: shown.map((difference) => ({
      ...difference,
      old: shortenValue(difference.old),
      new: shortenValue(difference.new),
    })),
    ...(differences.length > shown.length && { more: differences.length - shown.length }),
  };
}

function shortenValue(value: unknown): unknown {
  const text = toReportedJson(value) ?? '';
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : value;
}
