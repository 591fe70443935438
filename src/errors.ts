// The ways a wish can fail, in the domain's words. Nothing here knows a status code:
// rest/exceptions.ts has the table that turns a failure into an answer.

export class Failure extends Error {
  override name = this.constructor.name;
}

/** Not there, or not for this reader: the two are never told apart. */
export class NotFound extends Failure {
  constructor(message = 'Not found.') {
    super(message);
  }
}

/** What was sent cannot be used; one list of sentences for each member. */
export class Invalid extends Failure {
  constructor(readonly fields: Record<string, string[]>) {
    super(
      Object.entries(fields)
        .map(([name, sentences]) => `${name}: ${sentences.join(' ')}`)
        .join(' '),
    );
  }
}

/** Only somebody who is signed in may do this. */
export class NotSignedIn extends Failure {
  constructor(message = 'Authentication credentials were not provided.') {
    super(message);
  }
}

/** This reader may see it, and may not do this. */
export class Forbidden extends Failure {
  constructor(message = 'You do not have permission to perform this action.') {
    super(message);
  }
}

/** Somebody changed it since the sender read it. */
export class Outdated extends Failure {
  constructor() {
    super('It has changed since you read it: read it again.');
  }
}

/** It stands as it is for a reason that lies with something else. */
export class Conflict extends Failure {}

/** A key that was to make a request count once came with another request. */
export class IdempotencyKeyReused extends Failure {
  constructor() {
    super('This Idempotency-Key was used for another request.');
  }
}

export class TooManyRequests extends Failure {
  constructor(
    /** Which limit it is. */
    readonly policy: string,
    readonly limit: number,
    readonly waitSeconds: number,
    /** The time in which so many are admitted. */
    readonly windowSeconds = 60,
  ) {
    super(
      `Request was throttled. Expected available in ${waitSeconds} second${waitSeconds === 1 ? '' : 's'}.`,
    );
  }
}

/**
 * The database is away, or did not answer in time; nothing was changed, unless it went away in the very moment of the
 * commit.
 */
export class Unavailable extends Failure {
  constructor(options?: ErrorOptions) {
    super('Service temporarily unavailable, try again later.', options);
  }
}

/** There is no room on the disk; nothing was changed. */
export class StorageFull extends Failure {
  constructor(options?: ErrorOptions) {
    super('There is no room left to store this.', options);
  }
}

/** The operator has to mend something: said in one plain sentence, exit code 2. */
export class OperatorError extends Failure {}
