// The connections to a PostgreSQL server: its address, the limits, and what is checked at the start.

import { SQL } from 'bun';
import { errorMessage, OperatorError, reasonOf } from '../../../common/src/errors.ts';
import type { Schema } from '../migration.ts';
import { PostgresPool } from './pool.ts';

/** Each kind of work has its own connections, so that none takes those of another. */
const poolLimits = {
  reads: { maxConnections: 4, queriesPerConnection: 8, maxWaiting: 4000 },
  slowReads: { maxConnections: 4, queriesPerConnection: 1, maxWaiting: 128 },
  changeLog: { maxConnections: 1, queriesPerConnection: 8, maxWaiting: 8 },
  writes: { maxConnections: 8, queriesPerConnection: 1, maxWaiting: 500 },
};

/** The connections of one process to the server that takes writes; one is for notifications. */
export const connectionsPerProcess = Object.values(poolLimits).reduce(
  (sum, limits) => sum + limits.maxConnections,
  1,
);

/** The connections to a server that only reads. */
export type ReadPools = Pick<Pools, 'reads' | 'slowReads'>;
export type Pools = Readonly<Record<keyof typeof poolLimits, PostgresPool>>;

/** How long the server works on one read at most. Requests cancel their reads earlier; this is for a lost client. */
const readTimeout = '60s';
/** A pooler may take its connections in turns. */
const checkRounds = 4;

const unreadableAddress =
  'The address of the PostgreSQL database cannot be read; it looks like postgres://user:password@host/name.';

/** For a server that mixes up prepared statements. */
const preparedAdvice =
  'The PostgreSQL server is behind a connection pooler that changes connections: add ?prepare=false to its address.';

/** Undefined if it is not the fault of a pooler. */
function findPoolerAdvice(message: string): string | undefined {
  if (/startup parameter/.test(message))
    return 'The PostgreSQL server is behind a connection pooler that takes no parameters: add ?statement_timeout=off to its address.';
  return /prepared statement/.test(message) ? preparedAdvice : undefined;
}

/** The addresses of the servers that an address names: `URL` does not read several. */
export function parseAddresses(address: string, schema: Schema): readonly [URL, ...URL[]] {
  const [, start = '', hosts = '', rest = ''] =
    /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? [];
  const [first, ...others] = hosts.split(',').map((host) => parseServer(start + host + rest, schema));
  if (!first) throw new OperatorError(unreadableAddress);
  return [first, ...others];
}

function parseServer(address: string, schema: Schema): URL {
  const url = URL.parse(address);
  if (!url?.hostname) throw new OperatorError(unreadableAddress);
  const wanted = url.searchParams.get('target_session_attrs') ?? 'read-write';
  if (!['read-write', 'primary'].includes(wanted))
    throw new OperatorError('The database must take writes: target_session_attrs can only be read-write.');
  url.searchParams.delete('target_session_attrs');
  if (!['on', 'off', null].includes(url.searchParams.get('statement_timeout')))
    throw new OperatorError('The statement_timeout in the address of the database can only be on or off.');
  url.searchParams.set('application_name', programNameOf(schema) + schema.newest);
  return url;
}

/** For messages and the log. */
export const hostOf = (url: URL) => `${url.hostname}:${url.port || 5432}`;

export function unusableServer(url: URL, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  return new OperatorError(
    findPoolerAdvice(errorMessage(error)) ??
      `The PostgreSQL server at ${hostOf(url)}${url.pathname} cannot be used: ${reasonOf(error)}.`,
  );
}

/** `?prepare=false` and `?statement_timeout=off` are our own, for poolers; the server does not know the first. */
export const canPrepare = (url: URL) => url.searchParams.get('prepare') !== 'false';
const takesParameters = (url: URL) =>
  (url.searchParams.get('statement_timeout') ?? (canPrepare(url) ? 'on' : 'off')) === 'on';

/** The server may change: `findUrl` is called for each new connection. */
export const createPools = (findUrl: () => URL, onFailure: () => void): Pools => ({
  ...createReadPools(findUrl, { onFailure }),
  changeLog: new PostgresPool(() => connectReader(findUrl()), poolLimits.changeLog, onFailure),
  writes: new PostgresPool(() => connect(findUrl()), poolLimits.writes, onFailure),
});

interface ReadPoolEvents {
  /** A query has failed. */
  onFailure?(): void;
  onClose?(): void;
}

export function createReadPools(findUrl: () => URL, { onFailure, onClose }: ReadPoolEvents): ReadPools {
  const connectTo = (parameters?: Record<string, string>) => connectReader(findUrl(), onClose, parameters);
  return {
    reads: new PostgresPool(() => connectTo(), poolLimits.reads, onFailure),
    slowReads: new PostgresPool(() => connectTo(planForValues), poolLimits.slowReads, onFailure),
  };
}

/**
 * A plan that is kept for all values takes a range of ids for a narrow one, and a search then compares each project with
 * each: 30 ms instead of 1 for 250 projects.
 */
const planForValues = { plan_cache_mode: 'force_custom_plan' };

const connectReader = (url: URL, onClose?: () => void, parameters?: Record<string, string>) =>
  connect(url, { statement_timeout: readTimeout, ...parameters }, onClose);

export async function closePools(pools: ReadPools, timeoutSeconds: number): Promise<void> {
  await Promise.all(Object.values(pools).map((pool) => pool.close(timeoutSeconds)));
}

/** Followed by the schema that the program knows. */
export const programNameOf = ({ program }: Schema) => `${program.toLowerCase()} schema `;
export const ownName = (url: URL) => url.searchParams.get('application_name') ?? '';

/** A pooler does not pass parameters on to the server. A statement that is not prepared is planned for its values, too. */
export function connect(url: URL, parameters: Record<string, string> = {}, onclose?: () => void): SQL {
  const sent = takesParameters(url) && parameters;
  const connection = { application_name: ownName(url), ...sent };
  const prepare = canPrepare(url) && (sent !== false || !('plan_cache_mode' in parameters));
  const address = new URL(url);
  for (const name of ['application_name', 'prepare', 'statement_timeout']) address.searchParams.delete(name);
  try {
    return new SQL({ url: address.href, max: 1, prepare, connectionTimeout: 5, connection, onclose });
  } catch {
    throw new OperatorError(unreadableAddress);
  }
}

export async function checkServer(pool: PostgresPool, url: URL): Promise<void> {
  const [server] = await pool.query(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
            to_regclass('migration') is not null as ours,
            (select count(*)::int from pg_tables where schemaname = current_schema()) as tables
     where $1 = 1`,
    [1],
  );
  const { version, encoding, ours, tables } = server ?? {};
  if (Number(version) < 150000) throw new OperatorError('PostgreSQL 15 or later is needed.');
  if (encoding !== 'UTF8')
    throw new OperatorError(
      `The database ${url.pathname.slice(1)} must have the encoding UTF8, not ${encoding}.`,
    );
  if (!ours && Number(tables) > 0)
    throw new OperatorError(`The database ${url.pathname.slice(1)} holds the tables of another program.`);
  await checkPreparedStatements(pool, url);
}

/**
 * Called again while another connection is in a transaction. Behind a pooler that sends each statement to any connection,
 * the transaction has the connection that was last used, and the statement is not prepared on the next ones.
 */
export async function checkPreparedStatements(pool: PostgresPool, url: URL): Promise<void> {
  if (!canPrepare(url)) return;
  for (let round = 1; round <= checkRounds; round++) {
    const [row] = await pool.query('select $1::int + 1000 as answer', [round]);
    if (row?.answer !== round + 1000) throw new OperatorError(preparedAdvice);
  }
}
