import type { Database } from '#sql';
import type { FeatureDependencies, PageStart, Sections } from '../../core/pages/page.ts';
import { publicDumpPath, publicDumpType } from './paths.ts';
import { findPublicDump } from './public-dump.ts';
import type { PublicDumpSettings } from './settings.ts';

declare module '../../core/pages/page.ts' {
  interface FeatureDependencies {
    readonly offersPublicDump: boolean;
  }
  interface PageSettings extends PublicDumpSettings {}
}

/** How long the file may be used from a cache after it was made again. */
const maxAgeSeconds = 300;

export const createDependencies = ({ settings }: PageStart) => ({
  offersPublicDump: settings.publicDump !== undefined,
});

export const files = {
  async [publicDumpPath](database: Database, { offersPublicDump }: FeatureDependencies) {
    const dump = offersPublicDump ? await findPublicDump(database) : undefined;
    return (
      dump && {
        ...dump,
        headers: {
          'Content-Type': publicDumpType,
          'Content-Disposition': 'attachment; filename="public-dump.ndjson.gz"',
          'Repr-Digest': `sha-256=:${Buffer.from(dump.hash, 'hex').toString('base64')}:`,
          'Cache-Control': `public, max-age=${maxAgeSeconds}, must-revalidate`,
        },
      }
    );
  },
};

export const sections: Sections = {
  'home.alternates': async ({ offersPublicDump, t }) =>
    offersPublicDump
      ? [
          {
            type: publicDumpType,
            href: publicDumpPath,
            title: t('footer.publicDump'),
            text: 'footer.publicDump',
          },
        ]
      : [],
  'crawlers.files': async ({ offersPublicDump }) =>
    offersPublicDump
      ? {
          path: publicDumpPath,
          comment: 'All public projects in one file',
          name: 'All public projects',
          description: 'one compressed file, made once a day',
        }
      : undefined,
};
