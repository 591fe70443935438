// The record of projects itself, with what it brings to the parts of the core.

import type { Bytes } from '#rest/prepared-response.ts';
import type { SubjectCache } from '#rest/subject-cache.ts';
import type { Feature } from '../core/feature.ts';
import { usualRetry } from '../core/jobs/jobs.ts';
import type { ChangeSubscriptions } from './changes/subscriptions.ts';
import type { KeptCard } from './pages/list/kept-cards.tsx';
import type { ProjectFinder } from './reading/find-projects.ts';
import * as tables from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    projects: typeof en;
  }
}

declare module '../core/api/dependencies.ts' {
  interface ApiDependencies {
    readonly projects: ProjectFinder;
    /** The records that visitors have got in lists, as bytes. */
    readonly records: SubjectCache<Bytes>;
    readonly changeSubscriptions: ChangeSubscriptions;
  }
}

declare module '../core/pages/page.ts' {
  interface PageDependencies {
    readonly projects: ProjectFinder;
    /** Those that visitors have seen. */
    readonly cards: SubjectCache<KeptCard>;
  }
}

declare module '../core/pages/layout/layout-data.ts' {
  interface LayoutData {
    /** Whether projects that the viewer publishes wait for a moderator. */
    readonly waits?: boolean;
  }
}

declare module '../core/jobs/jobs.ts' {
  interface JobKinds {
    /** The name is the contributor, who was renamed or has left. */
    contributor_update: true;
    /** The comments from before they said for whom they were written: after an upgrade, and an import of an older dump. */
    older_comments: true;
    /** The name is the number of a redacted version. It has the words that copies are to lose. */
    redacted_copies: true;
    /** The name is the project from which files were deleted that copies have. */
    withdrawn_files: true;
    /** The name is the project whose history has a version that is due to be dropped. */
    surplus_versions: true;
  }
}

const hourMs = 3600_000;

export const projects: Feature = {
  name: 'projects',
  does: 'The record: projects with their comments, files, tags, ratings and licences.',
  neededBecause: 'everything else is about it',
  layout: async (reader, viewer) => ({
    waits: await (await import('./writing/opening.ts')).isReviewed(reader, viewer),
  }),
  links: { menu: [{ href: '/mine/', text: 'layout.ownProjects' }] },
  tables: Object.values(tables),
  rebuilds: {
    search: async (transaction) =>
      (await import('./searching/search-words.ts')).rebuildAllSearchEntries(transaction),
    suggestionWords: async (transaction) =>
      (await import('./searching/suggestion-words.ts')).addAllSuggestionWords(transaction),
  },
  jobs: {
    contributor_update: {
      retry: { ...usualRetry, first: 10 },
      hold: 10,
      doDue: async ({ database }) =>
        (await import('./people/contributor-updates.ts')).finishUpdates(database),
    },
    older_comments: {
      doDue: async ({ database }) =>
        (await import('./writing/older-comments.ts')).narrowOlderComments(database),
    },
    redacted_copies: {
      doDue: async ({ database }) => (await import('./history/redact.ts')).redactOtherCopies(database),
    },
    withdrawn_files: {
      doDue: async ({ database }) => (await import('./history/redact.ts')).deleteWithdrawnFiles(database),
    },
    surplus_versions: {
      doDue: async ({ database }) => (await import('./history/thin-history.ts')).thinHistories(database),
    },
  },
  tasks: {
    trash: {
      everyMs: hourMs / 12,
      run: async (database, confirm) => (await import('./writing/erase.ts')).emptyTrash(database, confirm),
    },
    overwriting: {
      everyMs: hourMs,
      run: async (database) => (await import('./writing/overwrite.ts')).overwriteDeleted(database),
    },
  },
  texts: { en, de, es, ar },
};
