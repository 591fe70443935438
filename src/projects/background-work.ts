// The work of features on a server beside requests, from its start to its end.

import type { AddressRules } from '#common/address-rules.ts';
import type { Log } from '#common/log.ts';
import type { SharedCaching } from '#rest/shared-caching.ts';
import type { Database } from '#sql';
import type { SignInAttempts } from '../core/accounts/sign-in-attempts.ts';
import type { ChangeFollower } from '../core/changes/follower.ts';
import type { AppSettings } from '../core/settings/settings.ts';
import type { Viewer } from '../core/viewer/viewer.ts';
import type { ChangeSubscriptions } from './changes/subscriptions.ts';
import type { ProjectFinder } from './reading/find-projects.ts';

export interface WorkDependencies {
  readonly settings: AppSettings;
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly database: Database;
  readonly timeZone: string;
  readonly follower: ChangeFollower;
  readonly subscriptions: ChangeSubscriptions;
  readonly projects: ProjectFinder;
  readonly addressRules: AddressRules;
  readonly sendsMail: boolean;
  readonly attempts: SignInAttempts;
  /** Undefined if the account is disabled. */
  findViewer(contributor: number): Promise<Viewer | undefined>;
  logError(error: unknown): void;
}

export interface Work {
  /** In one of all processes. Returns what ends it. */
  start?(): () => Promise<void>;
  /** In each process. Returns what ends it, when all requests have their responses. */
  startInEachProcess?(): () => Promise<void>;
  readonly metrics?: readonly Metric[];
}

/** A metric that is read when Prometheus asks. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  /** A counter only rises. */
  readonly isCounter?: boolean;
  readonly labelNames?: string[];
  read(set: (value: number, labels?: Record<string, string>) => void): void | Promise<void>;
}

export type CreateWork = (deps: WorkDependencies) => Work;

/** Undefined if no shared cache may keep anything. */
export type CreateSharedCaching = (settings: AppSettings) => SharedCaching | undefined;

declare module '../core/feature.ts' {
  interface Feature {
    /** Loaded when the server starts. */
    work?(): Promise<CreateWork>;
    /** Lets shared caches keep responses. Loaded when the server starts. */
    sharedCaching?(): Promise<CreateSharedCaching>;
  }
}
