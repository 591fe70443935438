import type { Feature } from '../../core/feature.ts';
import { inMinutes } from '../../core/settings/setting-values.ts';
import { feeds } from '../feeds/feature.ts';
import { publicDumpCommand, publicDumpJob } from './command.ts';
import { publicDumpPath, publicDumpType } from './paths.ts';
import { settings } from './settings.ts';
import { publicDumpTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    publicDump: typeof en;
  }
}

export const publicDump: Feature = {
  name: 'public-dump',
  does: 'Everybody gets all public projects as one file, and need not crawl the gallery.',
  uses: [feeds],
  tables: [publicDumpTable],
  tasks: {
    public_dump: {
      everyMs: 3600_000,
      run: async (database) => (await import('./public-dump.ts')).deleteOldPublicDump(database),
    },
  },
  rootLinks: ({ publicDump }) =>
    publicDump === undefined ? [] : [`<${publicDumpPath}>; rel="alternate"; type="${publicDumpType}"`],
  pages: () => import('./pages.ts'),
  settings: { after: 'strict', definitions: settings },
  schedule({ publicDump: everyMs, timeZone }) {
    if (everyMs === undefined) return undefined;
    return {
      name: 'The public dump',
      job: publicDumpJob,
      everyMs,
      args: ['public-dump'],
      settings: { timeZone, unlessNewer: inMinutes(everyMs) },
    };
  },
  commands: [{ after: 'serve', name: 'public-dump', command: publicDumpCommand }],
  texts: { en, de, es, ar },
};
