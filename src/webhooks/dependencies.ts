// Dependencies of the delivery of events.

import type { Row } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import type { webhookRedeliveryTable } from '../database/schema.ts';
import type { FeedEntry } from '../gallery/change-stream/change-feed.ts';
import type { ChangeFollower } from '../gallery/change-stream/follower.ts';
import type { ChangeSubscriptions } from '../gallery/change-stream/subscriptions.ts';
import type { ProjectFinder } from '../gallery/projects/reading/find.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { AddressRules } from '../gallery/webhooks/address-rules.ts';

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
