// Asks the API on both databases the same, as visitors and as people, and compares the answers to the letter.

import sql, { raw } from 'sql-template-tag';
import type { RequestContext } from '#rest/request-context.ts';
import {
  all,
  count,
  type Database,
  first,
  integer,
  nullable,
  pick,
  type Reader,
  type RowOf,
  select,
  type Table,
} from '#sql';
import { findAccount } from '../../core/accounts/account.ts';
import { accountTable } from '../../core/accounts/tables.ts';
import { allTables } from '../../core/all-tables.ts';
import { contentTypes } from '../../core/content-types.ts';
import { once } from '../../core/feature.ts';
import { openDefaultFileStore } from '../../core/files/open-store.ts';
import { appSettings, pickSettings, readSettings } from '../../core/settings/settings.ts';
import { ViewerAuthenticator } from '../../core/viewer/authenticator.ts';
import { anonymous, type Viewer } from '../../core/viewer/viewer.ts';
import { projectTable } from '../../projects/tables.ts';
import { type App, createApp } from '../app.ts';
import { loadFeatures } from '../load-features.ts';

interface ApiRequest {
  readonly path: string;
  /** The contributor who asks; undefined for a visitor. */
  readonly person?: number;
}

/** In a small gallery, more would repeat each other. */
const answersPerProject = 3;
const maxRunning = 8;
const maxReported = 10;
const maxAttempts = 10;
const personHeader = 'X-Person';

export interface Answers {
  readonly answers: number;
  readonly equal: number;
  /** Paths. */
  readonly unequal: readonly string[];
}

/**
 * `reader` sees the state of the old database to which the new one is equal. Sends at most this many requests.
 */
export async function compareAnswers(
  { from, to, reader }: { readonly from: Database; readonly to: Database; readonly reader: Reader },
  maxAnswers: number,
  report: (compared: number, total: number) => void = () => {},
): Promise<Answers> {
  const requests = await chooseRequests(reader, maxAnswers);
  const apps = await Promise.all([createComparedApp(readingFrom(from, reader)), createComparedApp(to)]);
  const total = requests.length;
  const unequal: string[] = [];
  let compared = 0;
  let equal = 0;
  async function compareNext(): Promise<void> {
    for (let request = requests.pop(); request; request = requests.pop()) {
      const { path, person } = request;
      const [one, other] = await Promise.all(apps.map((app) => ask(app, { path, person })));
      if (one === other) equal++;
      else if (unequal.length < maxReported)
        unequal.push(person === undefined ? path : `${path} as contributor ${person}`);
      report(++compared, total);
    }
  }
  await Promise.all(Array.from({ length: maxRunning }, compareNext));
  return { answers: compared, equal, unequal };
}

/** The database as the reader sees it, without the cache of responses. */
function readingFrom(database: Database, reader: Reader): Database {
  const replaced: Partial<Database> = {
    all: (query) => reader.all(query),
    first: (query) => reader.first(query),
    snapshot: (work) => work(reader),
    slowReader: reader,
    generation: () => undefined,
  };
  return new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(Object.hasOwn(replaced, name) ? replaced : target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A busy database may need several attempts. */
async function ask(app: App, request: ApiRequest): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const answer = await askOnce(app, request);
    if (!answer.startsWith('503 ') || attempt === maxAttempts) return answer;
    await Bun.sleep(attempt * 500);
  }
}

async function askOnce(app: App, { path, person }: ApiRequest): Promise<string> {
  const headers = { Host: 'localhost', Accept: 'application/json' };
  const response = await app.fetch(
    new Request(`http://localhost${path}`, {
      headers:
        person === undefined ? headers : { ...headers, Cookie: 'none', [personHeader]: String(person) },
    }),
  );
  return `${response.status} ${await response.text()}`;
}

/** Signs in whom the header names: keys and sessions are stored as hashes only. Nobody else reaches this server. */
class HeaderAuthenticator extends ViewerAuthenticator {
  readonly #database: Database;

  constructor(database: Database) {
    super(database, 'none', { projects: undefined, file_bytes: undefined }, { requiresSecondFactor: false });
    this.#database = database;
  }

  override async identify({ headers }: RequestContext): Promise<Viewer> {
    const id = headers.get(personHeader);
    const account = id === null ? undefined : await findAccount(this.#database, Number(id));
    const role = account?.role ?? undefined;
    if (!account || !role) return anonymous;
    return {
      contributor: account.id,
      role,
      isModerator: role !== 'contributor',
      canWrite: true,
      credential: { kind: 'key', id: 0 },
    };
  }
}

const silentLog = { request() {}, event() {}, error() {}, info() {}, flush() {} };

async function createComparedApp(database: Database): Promise<App> {
  const { settings } = readSettings(pickSettings(appSettings), ['--read-limit', 'off'], {});
  return createApp({
    features: await loadFeatures(),
    database,
    files: openDefaultFileStore('none'),
    secrets: { cursors: 'none', sessions: 'none', imports: 'none' },
    settings,
    log: silentLog,
    authenticator: new HeaderAuthenticator(database),
    timeoutMs: 60_000,
  });
}

const bounds = { min: nullable(integer(sql`min(id)`)), max: nullable(integer(sql`max(id)`)) };
const sampleColumns = pick(projectTable.columns, 'id', 'contributor', 'title');
const personColumns = pick(accountTable.columns, 'contributor');

const chooseFrom = <Item>(items: readonly Item[]): Item | undefined =>
  items[Math.floor(Math.random() * items.length)];

async function chooseRequests(reader: Reader, maxAnswers: number): Promise<ApiRequest[]> {
  const { min, max } = (await first(reader, bounds)`from project`) ?? {};
  const people = await all(reader, personColumns)`from account
    where role is not null order by contributor limit 1000`;
  const projects = await count(reader, raw('from project'));
  const pages = Math.max(1, Math.ceil(projects / 20));
  const answers = Math.min(maxAnswers, answersPerProject * (projects + 10));
  const requests: ApiRequest[] = [];
  for (let number = 0; requests.length < answers; number++) {
    const start = (min ?? 0) + Math.floor(Math.random() * ((max ?? 0) - (min ?? 0) + 1));
    const sample = await first(reader, sampleColumns)`from project where id >= ${start} order by id limit 1`;
    const path = choosePath(number, pages, sample);
    // Every third request is a person's, and half of these are about their own projects.
    const person =
      number % 3 > 0 ? undefined : number % 2 ? sample?.contributor : chooseFrom(people)?.contributor;
    requests.push({ path: `/api/v1/${path}`, person });
  }
  return requests;
}

declare module '../../core/feature.ts' {
  interface Feature {
    /** Resources below that of a project, such as `history/`, of which some answers are compared after a copy. */
    readonly comparedResources?: readonly string[];
  }
}

const comparedResources = once((features) => [
  ...['media/', 'copies/'],
  ...features.flatMap(({ comparedResources = [] }) => comparedResources),
]);

const orders = ['id', '-id', '-created', 'title', '-karma', 'rating_sum', 'contributor__last_name'];
const includes = 'content_type,contributor,parent,media,link,history';

/** Half of the answers are records, the others come from everything else that the API reads. */
function choosePath(number: number, pages: number, sample: RowOf<typeof sampleColumns> | undefined): string {
  const { id, contributor, title } = sample ?? { id: 1, contributor: 1, title: '' };
  const page = 1 + Math.floor(Math.random() * pages);
  // A search for frequent words takes long, so there are few.
  if (number % 100 === 99) return `projects/?search=${encodeURIComponent(title.slice(0, 100))}`;
  const others = [
    `projects/${id}/comments/`,
    `projects/${id}/${chooseFrom(comparedResources())}`,
    `projects/?page=${page}&ordering=${chooseFrom(orders)}`,
    `projects/?content_type=${chooseFrom(contentTypes)}&ordering=${chooseFrom(orders)}`,
    `projects/?contributor=${contributor}&include=${includes}`,
    `contributors/${id % 2 ? contributor : ''}${id % 2 ? '/' : `?page=${1 + (id % 20)}`}`,
    `tags/?page=${1 + (id % 20)}`,
    `changes/?since=${page * 10}&limit=50`,
    'trash/',
  ];
  return number % 2 ? `projects/${id}/?include=${includes}` : (chooseFrom(others) ?? '');
}

// Compares all tables of both databases by counts and sums of their columns.

/** The sum of large numbers would not fit; both databases compute the same remainder. */
const modulus = 1_000_003;

function digestOf({ name, columns }: Table) {
  const sums = Object.entries(columns).map(([column, { storage }]) =>
    storage === 'integer' ? `sum(${column} % ${modulus})` : `sum(length(${column}))`,
  );
  const expressions = ['count(*)', ...sums.map((sum) => `coalesce(${sum}, 0)`)];
  const digest = Object.fromEntries(
    expressions.map((expression, index) => [`sum_${index}`, integer(raw(expression))]),
  );
  return select(digest, raw(`from ${name}`));
}

const digests = once(() => allTables().map((table) => ({ name: table.name, query: digestOf(table) })));

/** The names of tables whose columns have other sums. */
export async function findUnequalTables(one: Reader, other: Reader): Promise<string[]> {
  const unequal: string[] = [];
  for (const { name, query } of digests()) {
    const [digest, otherDigest] = await Promise.all([one.first(query), other.first(query)]);
    if (!Bun.deepEquals(digest, otherDigest)) unequal.push(name);
  }
  return unequal;
}

/** The same by their numbers of rows only, which takes no time. */
export async function compareCounts(one: Reader, other: Reader) {
  let rows = 0;
  const unequal: string[] = [];
  for (const { name } of allTables()) {
    const counts = await Promise.all([one, other].map((reader) => count(reader, raw(`from ${name}`))));
    rows += counts[0] ?? 0;
    if (counts[0] !== counts[1]) unequal.push(name);
  }
  return { rows, unequal };
}
