import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import type { Feature } from '../../core/feature.ts';
import { collections } from '../collections/feature.ts';
import { partsOf } from '../collections/memberships.ts';
import { ownData } from '../own-data/feature.ts';
import { review } from '../review/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import { audienceOfComments, audienceOfCopy, keepLookedAfter, noteClass, refuseUnseen } from './audience.ts';
import { classesOf, teachers } from './class-people.ts';
import { myClassPath } from './path.ts';
import { putIntoClass } from './put-into-class.ts';
import { hasGroupComments, readableBy } from './readable.ts';
import { accountCardTable, classLinkTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    classes: typeof en;
  }
}

declare module '../../core/viewer/permissions.ts' {
  interface FeaturePermissions {
    makeClass: true;
  }
}

declare module '../../core/decisions/actions.ts' {
  interface FeatureDecisions {
    /** Of parents, as a teacher says. */
    consented: 'silent';
    /** By the class that has looked after it. */
    released: 'notified';
    erased: 'silent';
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureActions {
    /** Those who look after a class got a notice that it has ended. */
    'project.ended': true;
    /** A class looks after it no longer. */
    'account.released': true;
  }
  interface FeatureNotifications {
    /** A class that they look after. */
    ended: true;
  }
}

export const classes: Feature = {
  name: 'classes',
  does: 'A class sees works that others do not, and looks after accounts that its teachers make and review.',
  uses: [signIn, ownData, collections, review],
  tables: [accountCardTable, classLinkTable],
  lines: [
    { after: 'email', load: async () => (await import('./dump.ts')).cardKind },
    { after: 'collection_person', load: async () => (await import('./dump.ts')).linkKind },
  ],
  pages: () => import('./pages.ts'),
  links: {
    menu: [
      {
        ...{ href: myClassPath, text: 'myClass.title', before: '/mine/' },
        isFor: (viewer) => classesOf(viewer).length > 0,
      },
    ],
    moderation: [{ href: '/moderation/classes/', text: 'moderation.classes' }],
  },
  tasks: {
    end_classes: {
      everyMs: 3600_000,
      run: async (database, confirm) => (await import('./ending.ts')).endClasses(database, confirm),
    },
  },
  reviewers: teachers,
  lookedAfterForm: { visibility: 'class', reviewNotice: 'classes.review' },
  project: {
    readableBy,
    hasGroupComments,
    audiencesOf: classesOf,
    isInAudience: (contributor, audience) =>
      sql`exists (select 1 from (${partsOf(contributor)}) as part where part.collection = ${audience} and role <> 'editor')`,
    audienceOfCopy,
    audienceOfComments,
    refusesWords: refuseUnseen,
    beforeStore: noteClass,
    beforeChange: keepLookedAfter,
    putIntoGroups: putIntoClass,
    refusesKeeping: ({ kind }) => (kind === 'class' ? apiText('notForClass') : undefined),
    outlivesContributor: ({ kind }) => kind === 'class',
    /** The notices that were given count. */
    keptChanges: sql`action = 'ended'`,
  },
  permissions: { makeClass: { description: 'make a class', rule: 'moderator' } },
  actions: ['project.ended', 'account.released'],
  decisions: {
    after: 'email',
    actions: { consented: 'silent', released: 'notified', erased: 'silent' },
  },
  notifications: { ended: { subject: 'project', after: 'taken_out' } },
  texts: { en, de, es, ar },
};
