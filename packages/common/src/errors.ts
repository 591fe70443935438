// The ways in which a request can fail, without HTTP: rest/error-responses.ts has the table of status codes.

import { readFileSync } from 'node:fs';
import { apiText, type Text } from './api-text.ts';

export class Failure extends Error {
  override name = this.constructor.name;

  constructor(readonly text: Text = '') {
    super(String(text));
  }
}

/** It does not exist, or this viewer may not see it: a response never says which. */
export class NotFound extends Failure {
  constructor(text: Text = 'Not found.') {
    super(text);
  }
}

/** The client refers to something that has ended, and has to start again. */
export class Gone extends Failure {}

/** The values that were sent cannot be used: a list of texts for each member. */
export class Invalid extends Failure {
  constructor(readonly fields: Readonly<Record<string, readonly Text[]>>) {
    super(
      Object.entries(fields)
        .map(([name, sentences]) => `${name}: ${sentences.join(' ')}`)
        .join(' '),
    );
  }

  /** In the words of the API. */
  get messages(): Record<string, string[]> {
    return Object.fromEntries(Object.entries(this.fields).map(([name, texts]) => [name, texts.map(String)]));
  }
}

/** This needs a signed-in viewer. */
export class NotSignedIn extends Failure {
  constructor(text: Text = 'Authentication credentials were not provided.') {
    super(text);
  }
}

/** This viewer may see it but may not do this. */
export class Forbidden extends Failure {
  constructor(text: Text = apiText('permission')) {
    super(text);
  }
}

/** The account may not store more. */
export class QuotaExceeded extends Forbidden {}

/** Of somebody who has proved that it is theirs, by a password or elsewhere. */
interface ProvenAccount {
  readonly id: number;
  readonly passwordHash?: string;
  readonly linkedAccount?: number;
}

/** The first step was right, but this account needs a second factor too. */
export class SecondFactorNeeded extends Forbidden {
  constructor(readonly account: ProvenAccount) {
    super(
      'This account needs a second factor: sign in at /sign-in/ in a browser. For a program, make a key at /account/keys/.',
    );
  }
}

/** The first step was right, but this moderator has to turn the second factor on first. */
export class SecondFactorMissing extends Forbidden {
  constructor(readonly account: ProvenAccount) {
    super(
      'This site requires a second factor of you: sign in at /sign-in/ in a browser, and turn it on. For a program, make a key at /account/keys/.',
    );
  }
}

/** It has changed since the client read it. */
export class Outdated extends Failure {
  constructor() {
    super('It has changed since you read it: read it again.');
  }
}

/** The change conflicts with the current state of other data. */
export class Conflict extends Failure {}

/** An Idempotency-Key came again, with a different request. */
export class IdempotencyKeyReused extends Failure {
  constructor() {
    super('This Idempotency-Key was used for another request.');
  }
}

export class TooManyRequests extends Failure {
  constructor(
    /** The name of the limit. */
    readonly policy: string,
    readonly limit: number,
    readonly waitSeconds: number,
    /** The period for which the limit counts. */
    readonly windowSeconds = 60,
  ) {
    super(waitSeconds === 1 ? apiText('throttledOne') : apiText('throttled', { seconds: waitSeconds }));
  }
}

/**
 * The database cannot be reached or did not respond in time. Nothing was changed, unless the connection was lost
 * during the commit.
 */
export class Unavailable extends Failure {
  /** The cause, an error or a sentence, is for the log: the operator finds there what to correct. */
  constructor(
    override readonly cause: unknown,
    text = apiText('unavailable'),
  ) {
    super(text);
  }
}

/** The bucket for files or backups cannot be reached, or did not send everything. */
export class BucketUnavailable extends Unavailable {}

/** The service at which people sign in elsewhere cannot be reached, or did not answer as it should. */
export class SignInServiceDown extends Unavailable {
  constructor(cause: unknown, label: string) {
    super(cause, apiText('signInServiceDown', { label }));
  }
}

/**
 * Nobody waits for the response any more, or there are more requests than can be answered in time. The log has the
 * line of the request and no other, because there may be thousands in a second.
 */
export class Refused extends Unavailable {}

/** The disk is full; nothing was changed. */
export class StorageFull extends Failure {
  constructor(override readonly cause: unknown) {
    super(apiText('storageFull'));
  }
}

/** A full disk, an exhausted quota, or the process's file size limit. */
export const isStorageFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(error) ?? '');

/** An error of writing to an open file does not say which one it is. */
export async function withPath<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
}

/** Translates an error of the file system: a full disk, an unavailable disk, or a bug. */
export function toStorageFailure(error: unknown): unknown {
  if (isStorageFull(error)) return new StorageFull(error);
  return error instanceof Error && 'syscall' in error ? new Unavailable(error) : error;
}

/** Whether the operator has to correct something, so that it must be in the log. Other failures are the client's. */
export function isServerFailure(error: unknown): boolean {
  if (error instanceof Refused) return false;
  return !(error instanceof Failure) || error instanceof Unavailable || error instanceof StorageFull;
}

/** The operator has to correct something: one sentence on standard error, exit code 2. */
export class OperatorError extends Failure {}

/** The `code` that Node, Bun and database drivers give their errors. */
export function errorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The user of the process may not do it. */
export const isForbidden = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(errorCode(error) ?? '');

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'check who may read and write there',
  EEXIST: 'something else is in its place',
  EISDIR: 'it is a folder',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of the path is a file',
  EPERM: 'check who may read and write there',
};

/** With `ProtectSystem=strict`, the root is mounted once more, for reading only. */
function isInSandbox(): boolean {
  try {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
    return mounts.split('\n').some((line) => / \/ \/ ro\b.* - \S+ \S+ rw\b/.test(line));
  } catch {
    return false;
  }
}

/** Why the operating system refused something, for the end of a sentence. */
export function systemReason(error: unknown): string {
  const code = errorCode(error);
  if (code === 'EROFS')
    return isInSandbox()
      ? 'systemd lets this service write only its own folder: name the place in ReadWritePaths= (systemctl edit), and restart the service'
      : 'the disk is read-only';
  return systemReasons[code ?? ''] ?? code ?? 'unknown error';
}

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The message without its full stop, for the end of a sentence. */
export const reasonOf = (error: unknown) => errorMessage(error).replace(/\.$/, '');
