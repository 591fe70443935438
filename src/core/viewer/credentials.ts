// Finds the viewer for an API key or a session, with one query for each signed-in request. Nothing is cached, so that
// a key that the operator or another process revokes stops working at once.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { Failure, NotSignedIn } from '#common/errors.ts';
import { all, type Database, first, integer, nullable, pick, type Reader, type RowOf, text } from '#sql';
import { needsSecondFactor, type SecondFactorPolicy } from '../accounts/dependencies.ts';
import { hashSecret } from '../accounts/secret.ts';
import { idleSince } from '../accounts/sessions.ts';
import { accountTable, apiKeyTable, sessionTable } from '../accounts/tables.ts';
import { chunks } from '../chunks.ts';
import { once } from '../feature.ts';
import { type Instant, microsecondsPerSecond, now } from '../instant.ts';
import type { License } from '../licenses.ts';
import { anonymous, type Credential, type Role, type Viewer } from './viewer.ts';

/** Subqueries, because a join is ten times slower on SQLite. */
const accountColumns = (table: 'api_key' | 'session') => ({
  role: nullable(
    text(raw(`(select role from account where account.contributor = ${table}.contributor)`)),
  ).narrow<Role | null>(),
  disabled: nullable(
    integer(raw(`(select disabled from account where account.contributor = ${table}.contributor)`)),
  ),
  looked_after_by: nullable(
    integer(raw(`(select looked_after_by from account where account.contributor = ${table}.contributor)`)),
  ),
});

/** How many credentials one query looks up. */
const chunkSize = 200;

/** Whether the contributor has turned the second factor on: see second-factor.ts. */
const secondFactorColumn = (table: 'api_key' | 'session' | 'account') =>
  integer(raw(`(select count(*) from second_factor where second_factor.contributor = ${table}.contributor)`));

declare module '../feature.ts' {
  interface Feature {
    /** A column of the one query for a signed-in request, and the members of the viewer that are read from it. */
    readonly viewer?: {
      /** A subquery for a text; null for nothing. */
      column(contributor: Sql): Sql;
      read(text: string): Partial<Viewer>;
    };
  }
}

const viewerPoints = once((features) => features.flatMap(({ viewer = [] }) => viewer));
const nameOfPoint = (index: number) => `feature_${index}`;

/** The columns with those of features. */
const withFeatures = <Own extends object>(table: 'api_key' | 'session' | 'account', own: Own) =>
  once((): Own => {
    const contributor = raw(`${table}.contributor`);
    const added = viewerPoints().map(({ column }, index) => [
      nameOfPoint(index),
      nullable(text(column(contributor))),
    ]);
    return { ...own, ...Object.fromEntries(added) };
  });

/** The values that features read from their columns. */
const readFeatures = (row: object): Partial<Viewer> =>
  Object.assign(
    {},
    ...viewerPoints().map(({ read }, index) => {
      const value = (row as Readonly<Record<string, unknown>>)[nameOfPoint(index)];
      return typeof value === 'string' ? read(value) : undefined;
    }),
  );

/** The licence of their new works. */
const licenseColumn = (table: 'api_key' | 'session' | 'account') =>
  nullable(
    text(raw(`(select license from profile where profile.contributor = ${table}.contributor)`)),
  ).narrow<License | null>();

const ownerColumns = withFeatures('account', {
  ...pick(accountTable.columns, 'contributor', 'password', 'looked_after_by'),
  role: accountTable.columns.role.narrow<Role>(),
  second_factors: secondFactorColumn('account'),
  license: licenseColumn('account'),
});
const keyColumns = withFeatures('api_key', {
  ...pick(apiKeyTable.columns, 'id', 'contributor', 'can_write', 'expires', 'last_used'),
  ...accountColumns('api_key'),
  second_factors: secondFactorColumn('api_key'),
  license: licenseColumn('api_key'),
});
const sessionColumns = withFeatures('session', {
  ...pick(sessionTable.columns, 'hash', 'contributor', 'last_used'),
  ...accountColumns('session'),
  second_factors: secondFactorColumn('session'),
  license: licenseColumn('session'),
});

/**
 * Recording each use would cost a commit and invalidate the response cache: the time of last use is exact to the
 * hour.
 */
const lastUseInterval = 60 * 60 * microsecondsPerSecond;
/** While another process holds the write lock, each attempt would block the whole server. */
const pauseAfterFailure = 60 * microsecondsPerSecond;

export class Credentials {
  readonly #updatingLastUse = new Set<number | string>();
  #lastUsePausedUntil: Instant = 0;

  constructor(
    private readonly database: Database,
    private readonly policy: SecondFactorPolicy,
  ) {}

  /** Throws unless the key is valid. */
  async findByKey(secret: string): Promise<Viewer> {
    const key = await first(this.database, keyColumns())`from api_key where hash = ${hashSecret(secret)}`;
    if (!key) throw new NotSignedIn('Invalid token.');
    const at = now();
    if (key.expires !== null && key.expires <= at) throw new NotSignedIn('Token has expired.');
    const viewer = this.#viewerOfKey(key);
    if (!viewer) throw new NotSignedIn('User inactive or deleted.');
    if (key.last_used === null || key.last_used <= at - lastUseInterval)
      this.#updateLastUse(key.id, sql`update api_key set last_used = ${at} where id = ${key.id}`);
    return viewer;
  }

  /** Undefined if the session has expired or never existed. */
  async findBySession(secret: string): Promise<Viewer | undefined> {
    const hash = hashSecret(secret);
    const at = now();
    const isValid = sql`hash = ${hash} and ${isOpenAt(at)}`;
    const session = await first(this.database, sessionColumns())`from session where ${isValid}`;
    const viewer = session && this.#viewerOfSession(session);
    if (viewer && session.last_used <= at - lastUseInterval)
      this.#updateLastUse(hash, sql`update session set last_used = ${at} where hash = ${hash}`);
    return viewer;
  }

  /** The viewer of a request with this password, by its stored hash; undefined if the password is another one now. */
  async findByPassword(hash: string): Promise<Viewer | undefined> {
    const [viewer] = await this.#findByPasswords([hash]);
    return viewer;
  }

  async #findByPasswords(hashes: readonly string[]): Promise<Viewer[]> {
    const owners = await all(this.database, ownerColumns())`from account
      where password in (${join([...hashes])}) and disabled is null`;
    return owners.flatMap(
      (owner) => this.#toViewer(owner, true, { kind: 'password', id: owner.password ?? '' }) ?? [],
    );
  }

  /** The viewer for an account whose owner makes no request; undefined if the account is disabled. */
  async findByContributor(contributor: number): Promise<Viewer | undefined> {
    const isOpen = sql`contributor = ${contributor} and disabled is null`;
    const account = await first(this.database, ownerColumns())`from account where ${isOpen}`;
    return account && this.#toViewer(account, false);
  }

  /** Of these viewers, those whose key or session has ended, or allows something else now. */
  async findChanged(viewers: readonly Viewer[]): Promise<Viewer[]> {
    const credentials = new Map(viewers.map(({ credential }) => [nameOf(credential), credential]));
    const valid = new Map<string, Viewer>();
    for (const chunk of chunks(credentials.values(), chunkSize))
      for (const viewer of await this.#findValid(chunk)) valid.set(nameOf(viewer.credential), viewer);
    return viewers.filter((viewer) => {
      const found = valid.get(nameOf(viewer.credential));
      return !found || !Bun.deepEquals(withoutSite(viewer), withoutSite(found));
    });
  }

  /** The viewers of those credentials that are valid now. */
  async #findValid(credentials: readonly (Credential | undefined)[]): Promise<Viewer[]> {
    const at = now();
    const ids = credentials.flatMap((credential) => (credential?.kind === 'key' ? credential.id : []));
    const hashesOf = (kind: 'session' | 'password') =>
      credentials.flatMap((credential) => (credential?.kind === kind ? credential.id : []));
    const [hashes, passwords] = [hashesOf('session'), hashesOf('password')];
    const keys = ids.length
      ? await all(this.database, keyColumns())`from api_key where id in (${join(ids)})`
      : [];
    const sessions = hashes.length
      ? await all(this.database, sessionColumns())`from session
          where hash in (${join(hashes)}) and ${isOpenAt(at)}`
      : [];
    return [
      ...(passwords.length ? await this.#findByPasswords(passwords) : []),
      ...keys
        .filter(({ expires }) => expires === null || expires > at)
        .flatMap((key) => this.#viewerOfKey(key) ?? []),
      ...sessions.flatMap((session) => this.#viewerOfSession(session) ?? []),
    ];
  }

  #viewerOfKey(key: RowOf<ReturnType<typeof keyColumns>>): Viewer | undefined {
    return this.#toViewer(key, key.can_write === 1, { kind: 'key', id: key.id });
  }

  #viewerOfSession(session: RowOf<ReturnType<typeof sessionColumns>>): Viewer | undefined {
    return this.#toViewer(session, true, { kind: 'session', id: session.hash });
  }

  /** Runs in the background; if the write fails, a later use of the key or the session tries again. */
  #updateLastUse(id: number | string, update: Sql): void {
    if (this.#updatingLastUse.has(id) || now() < this.#lastUsePausedUntil) return;
    this.#updatingLastUse.add(id);
    this.database
      .transaction((transaction) => transaction.run(update))
      .catch((error) => {
        if (!(error instanceof Failure)) throw error;
        this.#lastUsePausedUntil = now() + pauseAfterFailure;
      })
      .finally(() => this.#updatingLastUse.delete(id));
  }

  /** Undefined if there is no account, or a disabled one. */
  #toViewer(owner: Owner, canWrite: boolean, credential?: Credential): Viewer | undefined {
    const { contributor, role, disabled = null, second_factors, looked_after_by, license } = owner;
    if (role === null || disabled !== null) return undefined;
    const viewer = {
      contributor,
      canWrite,
      ...(credential && { credential }),
      ...readFeatures(owner),
      ...(looked_after_by !== null && { lookedAfterBy: looked_after_by }),
      ...(license !== null && { license }),
    };
    if (needsSecondFactor(this.policy, role) && second_factors === 0)
      return { ...viewer, role: 'contributor', isModerator: false, lacksSecondFactor: true };
    return { ...viewer, role, isModerator: role !== 'contributor' };
  }
}

const personColumns = withFeatures('account', pick(accountTable.columns, 'looked_after_by'));

/** Of somebody who makes no request: what they see, without the rights of a moderator. */
export async function findReader(reader: Reader, contributor: number): Promise<Viewer> {
  const account = await first(reader, personColumns())`from account where contributor = ${contributor}`;
  return {
    ...anonymous,
    contributor,
    ...(account && readFeatures(account)),
    ...(account?.looked_after_by && { lookedAfterBy: account.looked_after_by }),
  };
}

const isOpenAt = (at: Instant): Sql => sql`expires > ${at} and last_used > ${idleSince(at)}`;

/** Without the members that the settings of the site add. */
const withoutSite = ({
  mustDescribe,
  offeredTypes,
  offeredLicenses,
  license,
  quotas,
  review,
  ...viewer
}: Viewer) => viewer;

const nameOf = (credential: Credential | undefined) => `${credential?.kind} ${credential?.id}`;

interface Owner {
  readonly contributor: number;
  readonly role: Role | null;
  readonly disabled?: number | null;
  readonly second_factors: number;
  readonly looked_after_by: number | null;
  readonly license: License | null;
}
