// Dependencies of the delivery of events.

import type { AddressRules } from '#common/address-rules.ts';
import type { Database, Row } from '#sql';
import type { ChangeFollower } from '../../core/changes/follower.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { FeedEntry } from '../../projects/changes/change-feed.ts';
import type { ChangeSubscriptions } from '../../projects/changes/subscriptions.ts';
import type { ProjectFinder } from '../../projects/reading/find-projects.ts';
import type { webhookRedeliveryTable } from './tables.ts';

export type Redelivery = Row<typeof webhookRedeliveryTable>;

export interface WebhookDependencies {
  readonly database: Database;
  readonly follower: ChangeFollower;
  readonly subscriptions: ChangeSubscriptions;
  readonly projects: ProjectFinder;
  readonly rules: AddressRules;
  /** Undefined if the account is disabled. */
  findViewer(contributor: number): Promise<Viewer | undefined>;
  /** The data of an event. */
  serialize(entry: FeedEntry, origin: string): object;
  logError(error: unknown): void;
}
