// Finds the viewer for an API key or a session, with one query for each signed-in request. Nothing is cached, so that
// a key that the operator or another process revokes stops working at once.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { Failure, NotSignedIn } from '../../common/errors.ts';
import { integer, nullable, pick, type RowOf, text } from '../../database/columns.ts';
import type { Database } from '../../database/database.ts';
import { all, first } from '../../database/query.ts';
import { accountTable, apiKeyTable, sessionTable } from '../../database/schema.ts';
import { hashSecret } from '../accounts/secret.ts';
import { idleSince } from '../accounts/sessions.ts';
import { chunks } from '../chunks.ts';
import { type Instant, microsecondsPerSecond, now } from '../instant.ts';
import type { License } from '../licenses.ts';
import type { CollectionRole, Credential, Membership, Role, Viewer } from '../viewer.ts';
import { needsSecondFactor, type SecondFactorPolicy } from './second-factor.ts';

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

/** As in "7 editor,9 member": what they may see of collections depends on it. Whoever owns a class is a teacher of it. */
const membershipsColumn = (table: 'api_key' | 'session' | 'account') =>
  nullable(
    text(
      raw(`(select string_agg(collection || ' ' || role, ',' order by collection) from (
        select collection, role from collection_person where collection_person.contributor = ${table}.contributor
        union all
        select id, 'teacher' from project where project.contributor = ${table}.contributor and content_type = 'collection' and kind = 'class'
      ) as part)`),
    ),
  );

/** The licence of their new works. */
const licenseColumn = (table: 'api_key' | 'session' | 'account') =>
  nullable(
    text(raw(`(select license from profile where profile.contributor = ${table}.contributor)`)),
  ).narrow<License | null>();

const ownerColumns = {
  ...pick(accountTable.columns, 'contributor', 'password', 'looked_after_by'),
  role: accountTable.columns.role.narrow<Role>(),
  second_factors: secondFactorColumn('account'),
  memberships: membershipsColumn('account'),
  license: licenseColumn('account'),
};
const keyColumns = {
  ...pick(apiKeyTable.columns, 'id', 'contributor', 'can_write', 'expires', 'last_used'),
  ...accountColumns('api_key'),
  second_factors: secondFactorColumn('api_key'),
  memberships: membershipsColumn('api_key'),
  license: licenseColumn('api_key'),
};
const sessionColumns = {
  ...pick(sessionTable.columns, 'hash', 'contributor', 'last_used'),
  ...accountColumns('session'),
  second_factors: secondFactorColumn('session'),
  memberships: membershipsColumn('session'),
  license: licenseColumn('session'),
};

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
    const key = await first(this.database, keyColumns)`from api_key where hash = ${hashSecret(secret)}`;
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
    const session = await first(this.database, sessionColumns)`from session where ${isValid}`;
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
    const owners = await all(this.database, ownerColumns)`from account
      where password in (${join([...hashes])}) and disabled is null`;
    return owners.flatMap(
      (owner) => this.#toViewer(owner, true, { kind: 'password', id: owner.password ?? '' }) ?? [],
    );
  }

  /** The viewer for an account whose owner makes no request; undefined if the account is disabled. */
  async findByContributor(contributor: number): Promise<Viewer | undefined> {
    const isOpen = sql`contributor = ${contributor} and disabled is null`;
    const account = await first(this.database, ownerColumns)`from account where ${isOpen}`;
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
      ? await all(this.database, keyColumns)`from api_key where id in (${join(ids)})`
      : [];
    const sessions = hashes.length
      ? await all(this.database, sessionColumns)`from session
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

  #viewerOfKey(key: RowOf<typeof keyColumns>): Viewer | undefined {
    return this.#toViewer(key, key.can_write === 1, { kind: 'key', id: key.id });
  }

  #viewerOfSession(session: RowOf<typeof sessionColumns>): Viewer | undefined {
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
  #toViewer(
    { contributor, role, disabled = null, second_factors, memberships, looked_after_by, license }: Owner,
    canWrite: boolean,
    credential?: Credential,
  ): Viewer | undefined {
    if (role === null || disabled !== null) return undefined;
    const viewer = {
      contributor,
      canWrite,
      ...(credential && { credential }),
      ...(memberships !== null && { memberships: parseMemberships(memberships) }),
      ...(looked_after_by !== null && { lookedAfterBy: looked_after_by }),
      ...(license !== null && { license }),
    };
    if (needsSecondFactor(this.policy, role) && second_factors === 0)
      return { ...viewer, role: 'contributor', isModerator: false, lacksSecondFactor: true };
    return { ...viewer, role, isModerator: role !== 'contributor' };
  }
}

const parseMemberships = (text: string): Membership[] =>
  text.split(',').map((membership) => {
    const [collection, role] = membership.split(' ');
    return { collection: Number(collection), role: role as CollectionRole };
  });

const isOpenAt = (at: Instant): Sql => sql`expires > ${at} and last_used > ${idleSince(at)}`;

/** Without the members that the settings of the site add. */
const withoutSite = ({ offeredTypes, offeredLicenses, license, quotas, review, ...viewer }: Viewer) => viewer;

const nameOf = (credential: Credential | undefined) => `${credential?.kind} ${credential?.id}`;

interface Owner {
  readonly contributor: number;
  readonly role: Role | null;
  readonly disabled?: number | null;
  readonly second_factors: number;
  readonly memberships: string | null;
  readonly looked_after_by: number | null;
  readonly license: License | null;
}
