// A challenge is a random text that a passkey signs, or for which a service elsewhere vouches. It is for one purpose and
// one browser, expires after some minutes and counts once. The browser gets it in a signed ticket: nothing is stored until it comes back.

import { isSignature, type Secret, sign } from '#common/signature.ts';
import { type Database, executeReturning } from '#sql';
import { hashSecret, newSecret } from '../../../core/accounts/secret.ts';
import { usedChallengeTable } from '../../../core/accounts/tables.ts';
import { microsecondsPerSecond, now } from '../../../core/instant.ts';

export const challengeSeconds = 5 * 60;
/** Elsewhere, people type a password and show a second factor. */
export const elsewhereSeconds = 30 * 60;

/** The purposes of features: each declares the names of its own. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureChallenges {}

/** `add` and `secondFactor` are for passkeys; some are for the contributor of an id. */
export type ChallengePurpose =
  | { readonly kind: 'signIn' | 'signInElsewhere' | keyof FeatureChallenges }
  | { readonly kind: 'add' | 'secondFactor' | 'link'; readonly contributor: number };

export interface NewChallenge {
  readonly challenge: string;
  /** For a cookie. */
  readonly ticket: string;
}

export class Challenges {
  constructor(
    private readonly database: Database,
    private readonly secret: Secret,
  ) {}

  create(purpose: ChallengePurpose, seconds = challengeSeconds): NewChallenge {
    const challenge = newSecret();
    const expires = String(now() + seconds * microsecondsPerSecond);
    return {
      challenge,
      ticket: [challenge, expires, sign(this.secret, ...partsOf(purpose, challenge, expires))].join('.'),
    };
  }

  /** Returns the challenge; undefined if it is not valid for this purpose, or was used before. */
  async use(purpose: ChallengePurpose, ticket = ''): Promise<string | undefined> {
    const [challenge = '', expires = '', signature = ''] = ticket.split('.');
    if (!isSignature(signature, this.secret, ...partsOf(purpose, challenge, expires))) return undefined;
    const until = Number(expires);
    if (until <= now()) return undefined;
    const used = await this.database.transaction(
      (transaction) =>
        executeReturning(transaction, usedChallengeTable.columns)`insert into used_challenge (hash, until)
          values (${hashSecret(challenge)}, ${until})
        on conflict (hash) do nothing`,
    );
    return used && challenge;
  }
}

function partsOf(purpose: ChallengePurpose, challenge: string, expires: string) {
  const contributor = 'contributor' in purpose ? purpose.contributor : '';
  return ['challenge', purpose.kind, contributor, challenge, expires];
}
