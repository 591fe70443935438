// The kinds of changes in the change log: what each makes stale, who sees it in the feed, and how the history of a
// project describes it. A new kind or action is a new entry here.

import { type ApiText, apiText } from '../../common/api-text.ts';
import type { RowOf } from '../../database/columns.ts';
import type { Invalidation } from '../../database/database.ts';
import { notificationTable } from '../../database/schema.ts';
import { decisionActions } from '../decision-actions.ts';

interface ChangeAction {
  readonly invalidates?: Invalidation;
  /** Describes the version of a project that the action made. */
  readonly description?: ApiText;
  /** Describes the first version. */
  readonly beginning?: ApiText;
}

type FeedSubject = 'project' | 'contributor';

interface ChangeKind {
  /** For actions that do not say otherwise. */
  readonly invalidates: Invalidation;
  /**
   * The audience of its changes in the feed; missing if they are not in it. `everybody`: while the contributor has
   * something listed. `readers`: only for projects that were in visitors' listings at that time.
   */
  readonly visibleTo?: 'everybody' | 'readers';
  /** The record that the subject's id belongs to, for kinds in the feed. */
  readonly subject?: FeedSubject;
  readonly actions: Readonly<Record<string, ChangeAction>>;
}

const imported: ChangeAction = { invalidates: 'everything' };

const actionsNamed = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, {}])) as Record<Name, ChangeAction>;

export const changeKinds = {
  project: {
    invalidates: 'project',
    visibleTo: 'readers',
    subject: 'project',
    actions: {
      created: { beginning: apiText('action.created') },
      copied: { beginning: apiText('action.copied') },
      imported: { ...imported, beginning: apiText('action.imported') },
      changed: {},
      // Its copies lose or regain its files.
      trashed: { invalidates: 'everything', description: apiText('action.trashed') },
      /** From the trash or after a removal. */
      restored: { invalidates: 'everything', description: apiText('action.restored') },
      removed: { invalidates: 'everything', description: apiText('action.removed') },
      erased: { invalidates: 'everything' },
      /** An earlier version was removed from the history. */
      redacted: {},
      /** Its karma has changed. */
      credited: {},
      repaired: {},
      /** A collection has other projects now, or another order. */
      arranged: {},
      /** Those who look after a class got a notice that it has ended. */
      ended: {},
    },
  },
  /** The subject is the project that is put into a collection; of an offer, the collection. */
  collection_item: {
    invalidates: 'project',
    actions: { included: {}, offered: {}, declined: {}, taken_out: {} },
  },
  /** The subject is the collection. */
  collection_person: { invalidates: 'project', actions: { set: {}, removed: {} } },
  /** The subject is the project. */
  rating: {
    invalidates: 'project',
    visibleTo: 'readers',
    subject: 'project',
    actions: { rated: {}, withdrawn: {}, imported },
  },
  /** A project that had been deleted for good where a dump comes from. */
  erased: { invalidates: 'everything', actions: { imported } },
  /** The comments of a project; the subject is the project, or 0 for all. `veiled`: it hides more or less of them. */
  thread: { invalidates: 'everything', actions: { veiled: {}, repaired: {} } },
  contributor: {
    invalidates: 'everything',
    visibleTo: 'everybody',
    subject: 'contributor',
    actions: {
      created: { invalidates: 'listings' },
      changed: {},
      /** Deleted the account. */
      left: {},
      imported,
    },
  },
  /** The name of a contributor has reached some of their projects. */
  contributor_name: { invalidates: 'everything', actions: { propagated: {} } },
  /** The subject is the project. `removed`: copies lose the file too. */
  media: { invalidates: 'everything', actions: { removed: {}, imported } },
  bytes: { invalidates: 'everything', actions: { imported } },
  account: {
    invalidates: 'nothing',
    actions: {
      created: {},
      /** Moderators have a badge beside their name. */
      role: { invalidates: 'everything' },
      password: {},
      password_link: {},
      /** The email address was set, confirmed or removed. */
      email: {},
      hash: {},
      disabled: { invalidates: 'everything' },
      enabled: { invalidates: 'everything' },
      trusted: {},
      /** A class looks after it no longer. */
      released: {},
      imported: {},
    },
  },
  /** The words and links on a contributor's page. The subject is the contributor. */
  profile: { invalidates: 'listings', actions: { changed: {}, imported: {} } },
  /** The subject is the contributor. */
  avatar: { invalidates: 'listings', actions: { changed: {}, imported: {} } },
  key: { invalidates: 'nothing', actions: { created: {}, revoked: {}, imported: {} } },
  passkey: { invalidates: 'nothing', actions: { created: {}, removed: {}, imported: {} } },
  /** An account at a sign-in service elsewhere. */
  linked_account: { invalidates: 'nothing', actions: { created: {}, removed: {}, imported: {} } },
  /** The subject is the contributor. */
  second_factor: {
    invalidates: 'nothing',
    actions: { created: {}, renewed: {}, removed: {}, reset: {}, imported: {} },
  },
  invitation: { invalidates: 'nothing', actions: { created: {}, revoked: {} } },
  /** The settings of the site: they are on every page. The subject is 0. */
  site: { invalidates: 'everything', actions: { changed: {}, imported: {} } },
  /** The subject is 0. */
  weekly_count: { invalidates: 'nothing', actions: { imported: {} } },
  webhook: {
    invalidates: 'nothing',
    actions: {
      created: {},
      changed: {},
      removed: {},
      /** A range is to be sent again, or a test. */
      requested: {},
      /** By the gallery itself, because nothing could be delivered. */
      disabled: {},
      imported: {},
    },
  },
  report: { invalidates: 'nothing', actions: { created: {}, changed: {}, imported: {} } },
  name_report: { invalidates: 'nothing', actions: { created: {}, changed: {}, imported: {} } },
  /** The effect of a decision on a project is logged as a change of the project. */
  decision: {
    invalidates: 'nothing',
    actions: { ...actionsNamed(decisionActions), imported: {} },
  },
} as const satisfies Readonly<Record<string, ChangeKind>>;

interface NotificationDefinition {
  /** The record that the notification is about. Nobody learns who has rated. */
  readonly subject: 'newProject' | 'project' | 'decision';
  /** The member of the new project that names the other project; without it, or if it is null, there is no other. */
  readonly project?: 'root' | 'copied_from';
}

/** Why somebody is notified of a change: see gallery/notifications/. The texts of a kind have its name. */
const notificationDefinitions = {
  commented: { subject: 'newProject', project: 'root' },
  answered: { subject: 'newProject', project: 'root' },
  copied: { subject: 'newProject', project: 'copied_from' },
  /** `@name` in the text of a project or of a comment. */
  mentioned: { subject: 'newProject', project: 'root' },
  /** As the answer to a question. */
  accepted: { subject: 'project' },
  /** On the home page. */
  featured: { subject: 'project' },
  /** For a collection of theirs. */
  offered: { subject: 'project' },
  /** Somebody put it into a collection. */
  collected: { subject: 'project' },
  /** Somebody took it out of one. */
  taken_out: { subject: 'project' },
  /** A class that they look after. */
  ended: { subject: 'project' },
  rated: { subject: 'project' },
  decided: { subject: 'decision' },
  /** New work of who or what they follow. */
  followed: { subject: 'newProject' },
} as const satisfies Readonly<Record<string, NotificationDefinition>>;

export type NotificationKind = keyof typeof notificationDefinitions;
export const notificationKinds = Object.keys(notificationDefinitions) as NotificationKind[];
export const describeNotification = (kind: NotificationKind): NotificationDefinition =>
  notificationDefinitions[kind];

type ChangeKinds = typeof changeKinds;
export type ChangeKindName = keyof ChangeKinds;
export type ActionOf<Kind extends ChangeKindName> = keyof ChangeKinds[Kind]['actions'];

export type FeedKindName = {
  [Kind in ChangeKindName]: ChangeKinds[Kind] extends { visibleTo: string } ? Kind : never;
}[ChangeKindName];

const findKind = (kind: string): ChangeKind | undefined =>
  Object.hasOwn(changeKinds, kind) ? changeKinds[kind as ChangeKindName] : undefined;

export const isFeedKind = (kind: string): kind is FeedKindName => findKind(kind)?.visibleTo !== undefined;

export const feedKinds = Object.keys(changeKinds).filter(isFeedKind);
/** Those of them that everybody sees. */
export const isPublicFeedKind = (kind: FeedKindName) => findKind(kind)?.visibleTo === 'everybody';
export const publicFeedKinds = feedKinds.filter(isPublicFeedKind);

/** Whether the subject of an entry in the feed is a project or a contributor. */
export const subjectOf = (kind: FeedKindName): FeedSubject => changeKinds[kind].subject;

/** Everything, if another version of the program has written something that this one does not know. */
export function invalidationOf(kind: string, action: string): Invalidation {
  const definition = findKind(kind);
  if (!definition || !Object.hasOwn(definition.actions, action)) return 'everything';
  return definition.actions[action]?.invalidates ?? definition.invalidates;
}

export function describeAction<Kind extends ChangeKindName>(
  kind: Kind,
  action: ActionOf<Kind>,
): ChangeAction {
  return findKind(kind)?.actions[String(action)] ?? {};
}

export const notificationColumns = {
  ...notificationTable.columns,
  kind: notificationTable.columns.kind.narrow<NotificationKind>(),
};

/** The subject is the comment, the copy, the question, the rated project, the decision or the new project. */
export type Notification = RowOf<typeof notificationColumns>;

/** The number that is kept for each person, and for how long. */
export const maxNotifications = 1000;
export const notificationDays = 90;
