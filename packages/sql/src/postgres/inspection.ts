import type { SQL } from 'bun';
import { reasonOf } from '../../../common/src/errors.ts';
import {
  type Finding,
  formatMegabytes,
  type InspectedSettings,
  type Inspection,
  inspectGallery,
  mergeInspections,
} from '../inspection.ts';
import { serverCount } from './change-notifications.ts';
import { dialectOf } from './database.ts';
import { clientOf, PostgresPool } from './pool.ts';
import { PostgresPrimary, replicaProblem, type ServerState } from './primary.ts';
import { PostgresProbe } from './probe.ts';
import {
  canPrepare,
  checkPreparedStatements,
  checkServer,
  connect,
  connectionsPerProcess,
  hostOf,
  parseAddresses,
  unusableServer,
} from './server.ts';
import { PostgresReader } from './transaction.ts';

const maxClockDifferenceMs = 2000;
const replicaTimeoutMs = 2000;
/** In seconds. */
const maxReplicaLag = 1;

const settingsQuery = `
  select current_setting('server_version') as version, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as synchronous_commit,
         current_setting('full_page_writes') as full_page_writes, pg_is_in_recovery() as is_replica,
         (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
         current_setting('max_connections')::int - (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as free_connections,
         pg_database_size(current_database()) as size, to_regclass('migration') is not null as is_ours,
         (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms
  where $1 = 1`;

export async function inspectPostgres(
  address: string,
  { schema, replicas, redis, inspectMore }: InspectedSettings,
): Promise<Inspection> {
  const primary = new PostgresPrimary(parseAddresses(address, schema), schema.program, console.error);
  const limits = { maxConnections: 4, queriesPerConnection: 1, maxWaiting: 100 };
  const pool = new PostgresPool(() => connect(primary.url), limits);
  try {
    const servers = inspectServers(await primary.find());
    const { url, pools } = primary;
    await checkServer(pools.reads, url);
    await pool.run((connection) => connection.begin(() => checkPreparedStatements(pools.reads, url)));
    return mergeInspections([
      await pool.run((connection) => inspectServer(connection, url, { schema, inspectMore })),
      await pool.run((connection) => inspectVitrineServers(connection, redis !== '')),
      servers,
      ...(await Promise.all(
        replicas.flatMap((replica) => parseAddresses(replica, schema)).map(inspectReplica),
      )),
    ]);
  } catch (error) {
    throw unusableServer(primary.url, error);
  } finally {
    await pool.close(1);
    await primary.close(1);
  }
}

/** Each server counts by itself what one client requests, unless all use one Redis. */
async function inspectVitrineServers(connection: SQL, countTogether: boolean): Promise<Inspection> {
  const [row] = await clientOf(connection).query(`select ${serverCount} as count where $1 = 1`, [1]);
  const count = Number(row?.count);
  if (count < 2) return { facts: [], findings: [] };
  const facts = [`${count} servers`];
  if (countTogether) return { facts, findings: [] };
  const problem = `${count} servers use the database, and each limits requests and streams by itself: together they allow ${count} times as many.`;
  const advice =
    'Count them together with --redis, or set --read-limit, --write-limit and --stream-limit lower.';
  return { facts, findings: [{ problem, advice }] };
}

/** How late a replica is: the time since what it has repeated last, unless there is nothing to repeat. */
const replicaQuery = `
  select case when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
              else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) end::float8 as late`;

async function inspectReplica(url: URL): Promise<Inspection> {
  const probe = new PostgresProbe(url);
  try {
    const { late } = await probe.ask(replicaQuery, replicaTimeoutMs);
    const seconds = Number(late);
    const facts = [`replica ${hostOf(url)}`];
    if (seconds < maxReplicaLag) return { facts, findings: [] };
    const problem = `The replica ${hostOf(url)} is ${Math.round(seconds)} seconds late, and is not read from.`;
    return { facts, findings: [{ problem, advice: 'Look at its log, its disk and its network.' }] };
  } catch (error) {
    const problem = `The replica ${hostOf(url)} cannot be used: ${reasonOf(error)}.`;
    return { facts: [], findings: [{ problem, advice: 'Start it, or leave it out of --replica.' }] };
  } finally {
    probe.close();
  }
}

/** Of an address with several servers. */
function inspectServers(servers: readonly ServerState[]): Inspection {
  const facts: string[] = [];
  const findings: Finding[] = [];
  for (const { url, timeline, problem } of servers) {
    if (timeline > 0) facts.push(`${hostOf(url)} takes writes`);
    else if (problem === replicaProblem) facts.push(`${hostOf(url)} can replace it`);
    else
      findings.push({
        problem: `The PostgreSQL server ${hostOf(url)} cannot be used: ${reasonOf(problem)}.`,
        advice: 'Start it, or leave it out of the address.',
      });
  }
  if (servers.filter(({ timeline }) => timeline > 0).length > 1)
    findings.push({
      problem: 'More than one of the PostgreSQL servers takes writes.',
      advice: 'Stop all except the one that was promoted last.',
    });
  return { facts, findings };
}

async function inspectServer(
  connection: SQL,
  url: URL,
  { schema, inspectMore }: Pick<InspectedSettings, 'schema' | 'inspectMore'>,
): Promise<Inspection> {
  const startedAt = Date.now();
  const [server = {}] = await clientOf(connection).query(settingsQuery, [1]);
  const facts = [`PostgreSQL ${server.version}`, formatMegabytes(Number(server.size))];
  if (!canPrepare(url)) facts.push('no prepared statements');
  const findings = inspectSettings(server);
  // The server answered between these two moments.
  const nowMs = Number(server.now_ms);
  const differenceMs = Math.max(startedAt - nowMs, nowMs - Date.now());
  if (differenceMs > maxClockDifferenceMs)
    findings.push({
      problem: `The clocks of this machine and of the PostgreSQL server differ by ${Math.round(differenceMs / 1000)} seconds.`,
      advice: 'Let both take their time from a time server (chrony, systemd-timesyncd).',
    });
  const inspection = { facts, findings };
  if (!server.is_ours) return mergeInspections([inspection, { facts: ['empty'], findings: [] }]);
  return mergeInspections([
    inspection,
    await inspectGallery(new PostgresReader(clientOf(connection)), dialectOf(schema), nowMs, inspectMore),
  ]);
}

function inspectSettings(server: Record<string, unknown>): Finding[] {
  const findings: Finding[] = [];
  for (const name of ['fsync', 'full_page_writes'])
    if (server[name] === 'off')
      findings.push({
        problem: `${name} is off: a power cut can destroy the whole database.`,
        advice: `Run ALTER SYSTEM SET ${name} = on, and SELECT pg_reload_conf().`,
      });
  if (server.synchronous_commit === 'off')
    findings.push({
      problem: 'synchronous_commit is off: a crash loses writes that were acknowledged.',
      advice: 'Set it to on, for the database or in postgresql.conf.',
    });
  if (server.is_replica)
    findings.push({
      problem: 'This server is a replica, which takes no writes.',
      advice: 'Name the primary server.',
    });
  if (server.is_superuser)
    findings.push({
      problem: 'Vitrine signs in to PostgreSQL as a superuser.',
      advice: 'Create a role that owns only this database.',
    });
  const free = Number(server.free_connections);
  if (free < connectionsPerProcess)
    findings.push({
      problem: `The PostgreSQL server has ${free} connections left, and one process of Vitrine uses up to ${connectionsPerProcess}.`,
      advice: 'Raise max_connections, or put a pooler in front: see docs/running/postgresql.md.',
    });
  return findings;
}
