// The kinds of changes in the change log: what each makes stale, who sees it in the feed, and how the history of a
// project describes it. A new kind or action is a new entry here.

import type { Sql } from 'sql-template-tag';
import { type ApiText, apiText } from '#common/api-text.ts';
import type { Invalidation, RowOf } from '#sql';
import { type DecisionAction, decisionActions } from '../decisions/actions.ts';
import { once, withAdded } from '../feature.ts';
import { notificationTable } from './tables.ts';

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
    },
  },
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
      imported: {},
    },
  },
  /** The words and links on a contributor's page. The subject is the contributor. */
  profile: { invalidates: 'listings', actions: { changed: {}, imported: {} } },
  /** The subject is the contributor. */
  avatar: { invalidates: 'everything', actions: { changed: {}, imported: {} } },
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
  /** Its actions are those of decisions. The effect of one on a project is logged as a change of the project. */
  decision: { invalidates: 'nothing', actions: { imported: {} } },
} as const satisfies Readonly<Record<string, ChangeKind>>;

interface NotificationDefinition {
  /** The record that the notification is about. Nobody learns who has rated. */
  readonly subject: 'newProject' | 'project' | 'decision';
  /** The member of the new project that names the other project; without it, or if it is null, there is no other. */
  readonly project?: 'root' | 'copied_from';
  /** The page below that of the subject to which it leads, such as `arrange/`. */
  readonly page?: string;
  /** The member of the project that is the `date` in its sentence. */
  readonly date?: 'due';
  /** A condition on the notification in a query: it is shown only while this is true. */
  readonly isCurrent?: Sql;
}

/** Why somebody is notified of a change: see gallery/notifications/. The texts of a kind have its name. */
const notificationDefinitions = {
  commented: { subject: 'newProject', project: 'root' },
  answered: { subject: 'newProject', project: 'root' },
  copied: { subject: 'newProject', project: 'copied_from' },
  /** As the answer to a question. */
  accepted: { subject: 'project' },
  rated: { subject: 'project' },
  decided: { subject: 'decision' },
  /** The reason that a moderator gave to somebody whose projects they review. */
  told: { subject: 'decision' },
} as const satisfies Readonly<Record<string, NotificationDefinition>>;

/** The kinds of features: each declares the names of its own. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureNotifications {}

export type NotificationKind = keyof typeof notificationDefinitions | keyof FeatureNotifications;

declare module '../feature.ts' {
  interface Feature {
    /** Kinds of notifications by their names, each beside another kind. */
    readonly notifications?: Readonly<Record<string, NotificationDefinition & Place>>;
  }
}

const allNotifications = once((features) => {
  type Entry = readonly [string, NotificationDefinition];
  const added = features.flatMap(({ notifications = {} }) =>
    Object.entries(notifications).map((entry) => ({ ...entry[1], entries: [entry as Entry] })),
  );
  const own: Entry[] = Object.entries(notificationDefinitions);
  return Object.fromEntries(withAdded(own, ([kind]) => kind, added)) as Readonly<
    Record<NotificationKind, NotificationDefinition>
  >;
});

export const notificationKinds = once(() => Object.keys(allNotifications()) as readonly NotificationKind[]);
export const describeNotification = (kind: NotificationKind): NotificationDefinition =>
  allNotifications()[kind];

/** The kinds of features with the names of their actions: each declares its own. They are not in the feed. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureChanges {}

/** The actions of features of other kinds, such as `account.released`: they make stale what their kind does. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureActions {}

declare module '../feature.ts' {
  interface Feature {
    /** Kinds of changes by their names. */
    readonly changes?: Readonly<Record<string, Omit<ChangeKind, 'visibleTo' | 'subject'>>>;
    /** Actions of kinds that are not its own. */
    readonly actions?: readonly (keyof FeatureActions)[];
  }
}

type ChangeKinds = typeof changeKinds;
type OwnKindName = keyof ChangeKinds;
export type ChangeKindName = OwnKindName | keyof FeatureChanges;
type AddedActionOf<Kind extends OwnKindName> = keyof {
  [Name in keyof FeatureActions as Name extends `${Kind}.${infer Action}` ? Action : never]: true;
};
export type ActionOf<Kind extends ChangeKindName> = Kind extends OwnKindName
  ?
      | keyof ChangeKinds[Kind]['actions']
      | AddedActionOf<Kind>
      | (Kind extends 'decision' ? DecisionAction : never)
  : Kind extends keyof FeatureChanges
    ? FeatureChanges[Kind]
    : never;

export type FeedKindName = {
  [Kind in OwnKindName]: ChangeKinds[Kind] extends { visibleTo: string } ? Kind : never;
}[OwnKindName];

const findOwnKind = (kind: string): ChangeKind | undefined =>
  Object.hasOwn(changeKinds, kind) ? changeKinds[kind as OwnKindName] : undefined;

const featureKinds = once(
  (features) => new Map(features.flatMap(({ changes = {} }) => Object.entries(changes))),
);

const findKind = (kind: string): ChangeKind | undefined => findOwnKind(kind) ?? featureKinds().get(kind);

export const isFeedKind = (kind: string): kind is FeedKindName => findOwnKind(kind)?.visibleTo !== undefined;

export const feedKinds = Object.keys(changeKinds).filter(isFeedKind);
/** Those of them that everybody sees. */
export const isPublicFeedKind = (kind: FeedKindName) => findOwnKind(kind)?.visibleTo === 'everybody';
export const publicFeedKinds = feedKinds.filter(isPublicFeedKind);

/** Whether the subject of an entry in the feed is a project or a contributor. */
export const subjectOf = (kind: FeedKindName): FeedSubject => changeKinds[kind].subject;

const addedActions = once(
  (features) =>
    new Set<string>([
      ...decisionActions().map((action) => `decision.${action}`),
      ...features.flatMap(({ actions = [] }) => actions),
    ]),
);

/** Everything, if another version of the program has written something that this one does not know. */
export function invalidationOf(kind: string, action: string): Invalidation {
  const definition = findKind(kind);
  if (!definition) return 'everything';
  if (Object.hasOwn(definition.actions, action))
    return definition.actions[action]?.invalidates ?? definition.invalidates;
  return addedActions().has(`${kind}.${action}`) ? definition.invalidates : 'everything';
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
