// A site with a separate gallery for the test. Requests do not use a socket.

import '../../src/features/index.ts';
import { describeError, type Log } from '#common/log.ts';
import type { SharedLimits } from '#common/shared-limits.ts';
import { ownMemory } from '#common/shared-memory.ts';
import { Csrf } from '#rest/csrf.ts';
import type { RequestContext } from '#rest/request-context.ts';
import type { Database } from '#sql';
import { findAccountByUsername } from '../../src/core/accounts/account.ts';
import { createKey } from '../../src/core/accounts/keys.ts';
import { createSession } from '../../src/core/accounts/sessions.ts';
import { accountTable } from '../../src/core/accounts/tables.ts';
import { createFolderStore } from '../../src/core/files/folder.ts';
import { openFileStore } from '../../src/core/files/open-store.ts';
import type { FileStore } from '../../src/core/files/store.ts';
import { openGallery } from '../../src/core/open-gallery.ts';
import { readIdentity } from '../../src/core/server-secrets.ts';
import { appSettings, pickSettings, readSettings } from '../../src/core/settings/settings.ts';
import { sessionCookieName } from '../../src/core/viewer/authenticator.ts';
import type { Role } from '../../src/core/viewer/viewer.ts';
import { exportDump } from '../../src/features/export-import/export.ts';
import { type ImportOptions, importDump, loadLineParser } from '../../src/features/export-import/import.ts';
import { PausingEngine } from '../../src/features/search-engine/engine.ts';
import { createApp } from '../../src/server/app.ts';
import { loadFeatures } from '../../src/server/load-features.ts';
import { closeLater } from './closing.ts';
import { filesFolder, type Kind } from './databases.ts';
import { emptyGallery, galleryWith, type OpenGallery } from './galleries.ts';

const settingNames = ['files', ...appSettings] as const;

export interface Site {
  readonly database: Database;
  readonly address: string;
  readonly files: FileStore;
  /** The path of the files. */
  readonly folder: string;
  /** The lines of the log. */
  readonly logged: string[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  request(path: string, init?: RequestInit): Promise<Response>;
  json(path: string, headers?: Record<string, string>): Promise<unknown>;
  /** The header of a key of this contributor, who gets an account if there is none. */
  key(username: string, options?: KeyOptions): Promise<Record<string, string>>;
  /** The headers of a browser in which they are signed in: the session's cookie and the CSRF token. */
  signIn(username: string, options?: AccountOptions): Promise<Record<string, string>>;
  /** Begins to send events, as a server does, and returns what ends it. */
  deliverWebhooks(): () => Promise<void>;
  /** Streams, and requests that wait. */
  countOpenResponses(): number;
  /** Serves the site to browsers on a free port, and returns its origin. */
  serve(): string;
  /** Closes the site before the end of the test. Otherwise it is closed at the end. */
  close(): Promise<void>;
}

interface AccountOptions {
  readonly role?: Role;
  readonly disabled?: boolean;
}

interface KeyOptions extends AccountOptions {
  /** True by default. */
  readonly writes?: boolean;
  readonly expired?: boolean;
}

interface SiteOptions {
  readonly dump?: string;
  /** Environment variables such as VITRINE_TIME_ZONE. */
  readonly environment?: Record<string, string>;
  readonly peer?: string;
  readonly timeoutMs?: number;
  /** The address of the index that it searches in. */
  readonly searchEngine?: string;
  /** Counts limits together with other sites. */
  readonly sharedLimits?: SharedLimits;
  /** Sees every request with its response. */
  readonly observe?: (context: RequestContext) => void;
  /** That of another site at the same address, which closes it. */
  readonly database?: Database;
  /** As a server does at its start. */
  readonly migrates?: boolean;
}

export async function siteOn(kind: Kind, { dump = '', ...options }: SiteOptions = {}): Promise<Site> {
  // A site that has a place of its own for files fills it.
  if (options.environment?.VITRINE_FILES) return siteAt(await emptyGallery(kind), { dump, ...options });
  const { log, logged } = createLog();
  const gallery = await galleryWith(kind, dump, (error) => log.error('-', error));
  return createSite(gallery, log, logged, options);
}

export async function siteAt(
  address: string,
  { dump, database: openDatabase, migrates = false, ...options }: SiteOptions = {},
): Promise<Site> {
  const { log, logged } = createLog();
  const reportError = (error: unknown) => log.error('-', error);
  const earlierSchema = migrates ? { keepsCopy: false } : 'refused';
  const database =
    openDatabase ?? (await openGallery(address, reportError, { earlierSchema, notify: log.info }));
  const close = openDatabase ? async () => {} : () => database.close();
  closeLater(close);
  const site = await createSite({ address, database, close }, log, logged, options);
  if (dump) await importInto(site, dump);
  return site;
}

function createLog() {
  const logged: string[] = [];
  const log = {
    request: (id: string, method: string, path: string, status: number, _: number, actor?: number) =>
      void logged.push(`${id} ${method} ${path} ${status}${actor === undefined ? '' : ` by ${actor}`}`),
    event: (event: object) => void logged.push(JSON.stringify(event)),
    error: (id: string, error: unknown) => void logged.push(`${id} fault ${describeError(error)}`),
    info: (sentence: string) => void logged.push(sentence),
    flush() {},
  };
  return { log, logged };
}

async function createSite(
  { address, database, close: closeGallery }: OpenGallery,
  log: Log,
  logged: string[],
  {
    environment = {},
    peer,
    timeoutMs,
    searchEngine: index,
    sharedLimits,
    observe,
  }: Omit<SiteOptions, 'dump' | 'database'>,
): Promise<Site> {
  const defaults = {
    VITRINE_ALLOWED_HOSTS: 'gallery.example,localhost',
    VITRINE_READ_LIMIT: 'off',
    VITRINE_WRITE_LIMIT: 'off',
  };
  const { settings } = readSettings(pickSettings(settingNames), [], { ...defaults, ...environment });
  const folder = settings.files || filesFolder(address);
  const files = settings.files ? await openFileStore(folder) : createFolderStore(folder);
  const secrets = { cursors: 'sealed in tests', sessions: 'signed in tests', imports: 'derived in tests' };
  const searchEngine = index ? new PausingEngine(index, await readIdentity(database), log) : undefined;
  const memory = { ...ownMemory(), sharedLimits };
  const features = await loadFeatures(settings);
  const deps = {
    database,
    files,
    secrets,
    settings,
    log,
    timeoutMs,
    searchEngine,
    memory,
    observe,
    features,
  };
  const app = createApp(deps);
  const peers = { peerAddress: () => peer };
  let server: Bun.Server<undefined> | undefined;
  const request: Site['request'] = async (path, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has('Host')) headers.set('Host', 'gallery.example');
    return app.fetch(new Request(`http://gallery.example${path}`, { ...init, headers }), peers);
  };
  const get: Site['get'] = (path, headers) => request(path, { headers });
  let stopWebhooks: (() => Promise<void>) | undefined;
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= (async () => {
      // Streams would go on asking the database.
      app.drain();
      await stopWebhooks?.();
      await server?.stop(true);
    })();
    return ending;
  };
  closeLater(end);
  return {
    database,
    address,
    files,
    folder,
    logged,
    request,
    get,
    json: async (path, headers) => (await get(path, headers)).json(),
    async key(username, { writes = true, expired = false, ...account } = {}) {
      const contributor = await prepareAccount(database, username, account);
      const expires = (createdAt: number) => (expired ? createdAt : null);
      const { secret } = await createKey(database, null, {
        contributor,
        name: 'test',
        can_write: writes,
        expires,
      });
      return { Authorization: `Token ${secret}` };
    },
    async signIn(username, account = {}) {
      const session = await createSession(database, {
        id: await prepareAccount(database, username, account),
      });
      return {
        Cookie: `${sessionCookieName}=${session.secret}`,
        'X-CSRFToken': new Csrf(secrets.sessions).tokenFor(session.id),
      };
    },
    deliverWebhooks() {
      const stops = app.work.flatMap((work) => work.start?.() ?? []);
      stopWebhooks = async () => void (await Promise.all(stops.map((stop) => stop())));
      return stopWebhooks;
    },
    countOpenResponses: app.countOpenResponses,
    serve() {
      server ??= Bun.serve({
        port: 0,
        hostname: 'localhost',
        development: false,
        fetch: (request) => app.fetch(request),
      });
      return server.url.origin;
    },
    close: () => end().then(closeGallery),
  };
}

/** Creates the account of a contributor, or changes it to these options, and returns the contributor's id. */
async function prepareAccount(
  database: Database,
  username: string,
  options: AccountOptions,
): Promise<number> {
  const found = await findAccountByUsername(database, username);
  if (!found) throw new Error(`there is no contributor ${username}`);
  const { id, role } = found;
  if (role === null || options.role || options.disabled !== undefined) {
    const state = { role: options.role ?? role ?? 'contributor', disabled: options.disabled ? 1 : null };
    await database.transaction((transaction) =>
      transaction.upsert(accountTable, [
        { contributor: id, password: null, trusted: 0, looked_after_by: null, ...state },
      ]),
    );
  }
  return id;
}

/** The uuid of the project that `project` makes. */
export function uuidOf(id: number): string {
  return `uuid${String(id).padStart(18, '0')}`;
}

/** The path of its page. */
export function pathOf(id: number, slug = 'a-project'): string {
  return `/content/${uuidOf(id)}/${slug}/`;
}

/** The line of a project in a dump, with defaults for the other members. */
export function project(id: number, members: Record<string, unknown> = {}): string {
  const moment = `2024-01-01T00:00:${String(id % 60).padStart(2, '0')}.000001+00:00`;
  const line = {
    type: 'project',
    id,
    uuid: uuidOf(id),
    slug: 'a-project',
    title: 'A project',
    content_type: 'text',
    contributor: 1,
    copied_from: null,
    visibility: 'public',
    status: 1,
    tags: [],
    text: '',
    rating_count: 0,
    rating_sum: 0,
    karma: 0,
    created: moment,
    modified: moment,
    ...members,
  };
  return canonical(line);
}

export function contributor(id: number, username: string, members: Record<string, unknown> = {}): string {
  const created = '2023-01-01T00:00:00.000000+00:00';
  return canonical({ type: 'contributor', id, username, first_name: '', last_name: '', created, ...members });
}

const parseLine = await loadLineParser();

function canonical(line: Record<string, unknown>): string {
  const read = parseLine(JSON.stringify(line));
  if (typeof read === 'string') throw new Error(read);
  return read.kind.format.stringify(read.entry);
}

export const ada = contributor(1, 'ada', { first_name: 'Ada', last_name: 'Lovelace' });

/** The dump of a site. */
export async function exportAll({ database, files }: Site): Promise<string> {
  const texts: string[] = [];
  await exportDump(database, files, async (lines) => void texts.push(lines));
  return texts.join('');
}

export const importInto = ({ database, files }: Site, dump: string, options: ImportOptions = {}) =>
  importDump(database, files, 'the dump', new Blob([dump]).stream(), options);

/** The lines of a dump that say what the gallery holds: without the first and the last line, and the change log. */
export function contentOf(dump: string): string {
  return dump.replaceAll(/^\{"type":"(vitrine-dump|change|end)",.*\n/gm, '');
}

/** Joins lines to a dump. */
export function dump(...lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
