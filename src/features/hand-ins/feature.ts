import { isCollection } from '../../core/content-types.ts';
import type { Feature } from '../../core/feature.ts';
import { classes } from '../classes/feature.ts';
import { collections } from '../collections/feature.ts';
import { ownData } from '../own-data/feature.ts';
import {
  findHandedIn,
  forgetFiles,
  isOfItem,
  isPresentTime,
  keepHandedInFiles,
  noteShownFiles,
  notifyMembers,
  saveDueTime,
  withdrawFiles,
} from './due-times.ts';
import { collectionDueTable, handInFileTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    handIns: typeof en;
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureNotifications {
    /** A class of theirs. */
    due: true;
  }
}

export const handIns: Feature = {
  name: 'hand-ins',
  does: 'A class has a time when it is due, and its teachers see each work as it was then.',
  uses: [ownData, collections, classes],
  tables: [collectionDueTable, handInFileTable],
  lines: [
    { after: 'collection_person', load: async () => (await import('./dump.ts')).dueKind },
    { after: 'bytes', load: async () => (await import('./dump.ts')).handInFileKind },
  ],
  resources: { before: '/api/v1/projects/:id/media/', load: () => import('./api.ts') },
  pages: () => import('./pages.tsx'),
  links: { class: [{ href: 'hand-ins/', text: 'handIns.title' }] },
  project: {
    beforeChange: noteShownFiles,
    storeRelated: (write, before, after) =>
      isCollection(after) ? saveDueTime(write, before, after) : undefined,
    notify: notifyMembers,
    beforeFiles: keepHandedInFiles,
    withdrawFiles,
    beforeCollected: forgetFiles,
    keptVersions: findHandedIn,
    keptChanges: isOfItem,
  },
  notifications: { due: { subject: 'project', date: 'due', isCurrent: isPresentTime, before: 'ended' } },
  texts: { en, de, es, ar },
};
