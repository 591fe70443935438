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

export class TooManyRequests extends Failure {
  constructor(
    readonly limit: number,
    readonly waitSeconds: number,
  ) {
    super(
      `Request was throttled. Expected available in ${waitSeconds} second${waitSeconds === 1 ? '' : 's'}.`,
    );
  }
}

/** The database is away, or did not answer in time; nothing was changed. */
export class Unavailable extends Failure {
  constructor(options?: ErrorOptions) {
    super('Service temporarily unavailable, try again later.', options);
  }
}

/** The operator has to mend something: said in one plain sentence, exit code 2. */
export class OperatorError extends Failure {}
