import { isCollection } from '../../core/content-types.ts';
import type { Feature } from '../../core/feature.ts';
import { loadFirstItems } from './first-items.ts';
import { includedItems } from './items.ts';
import { arranges, readMemberships, selectMemberships } from './memberships.ts';
import { decideNotes, deleteNotes, findProjectsWithNotes, listWaitingNotes } from './notes.ts';
import { findableById, findablePeople, readableBy, shownPeople } from './readable.ts';
import { collectionItemTable, collectionPersonTable, collectionSectionTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    collections: typeof en;
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureNotifications {
    offered: true;
    collected: true;
    taken_out: true;
  }
  interface FeatureChanges {
    collection_item: 'included' | 'offered' | 'declined' | 'taken_out';
    collection_person: 'set' | 'removed';
  }
}

declare module '../../core/viewer/permissions.ts' {
  interface FeaturePermissions {
    changeCollection: true;
  }
}

export const collections: Feature = {
  name: 'collections',
  does: 'People put projects into an order with notes, together with editors, and others offer theirs.',
  tables: [collectionItemTable, collectionSectionTable, collectionPersonTable],
  lines: [
    { before: 'media', load: async () => (await import('./dump.ts')).itemKind },
    { before: 'media', load: async () => (await import('./dump.ts')).sectionKind },
    { before: 'media', load: async () => (await import('./dump.ts')).personKind },
  ],
  resources: { before: '/api/v1/projects/:id/media/', load: () => import('./api.ts') },
  pages: () => import('./pages.ts'),
  waitingNotes: {
    isOn: isCollection,
    projects: findProjectsWithNotes,
    list: listWaitingNotes,
    decide: decideNotes,
  },
  findablePeople,
  shownPeople,
  viewer: { column: selectMemberships, read: readMemberships },
  project: {
    readableBy,
    findableById,
    changesAsOwner: arranges,
    parts: includedItems,
    firstParts: loadFirstItems,
  },
  whenAccountDeleted: deleteNotes,
  permissions: {
    changeCollection: {
      description:
        'put their own projects into collections that take offers, and arrange collections that they have a part in',
      rule: 'signedIn',
    },
  },
  notifications: {
    /** For a collection of theirs. */
    offered: { subject: 'project', page: 'arrange/', before: 'rated' },
    /** Somebody put it into a collection. */
    collected: { subject: 'project', before: 'rated' },
    /** Somebody took it out of one. */
    taken_out: { subject: 'project', before: 'rated' },
  },
  changes: {
    /** The subject is the project that is put into a collection; of an offer, the collection. */
    collection_item: {
      invalidates: 'project',
      actions: { included: {}, offered: {}, declined: {}, taken_out: {} },
    },
    /** The subject is the collection. */
    collection_person: { invalidates: 'project', actions: { set: {}, removed: {} } },
  },
  texts: { en, de, es, ar },
};
