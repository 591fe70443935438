// How far a server has come in PostgreSQL's write-ahead log: the primary has written it, a replica has repeated it. A
// server that has come as far as another one shows everything that was committed there.

export interface WalPosition {
  readonly cluster: string;
  /** Each promotion begins a new one: a server on an earlier one may have what the others have lost. */
  readonly timeline: number;
  readonly bytes: number;
  /** The timeline that is stored in the database, with its cluster. */
  readonly stored: string;
}

/** A replica does not know its timeline at once: it is stored, and a replica that has repeated this is on it. */
const timelineKey = 'timeline';

export const storeTimeline = `insert into secret (name, value) values ('${timelineKey}', $1)
  on conflict (name) do update set value = excluded.value`;

export const describeTimeline = ({ cluster, timeline }: WalPosition) => `${cluster}/${timeline}`;

/** On the server that takes writes. */
export const currentTimeline = "('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int";

/** A transaction is visible once it is on the disk of the primary, unless `synchronous_commit` is off. */
export const walPositionQuery = `
  select system_identifier::text as cluster,
         case when not pg_is_in_recovery() then ${currentTimeline} end as timeline,
         case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
              when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
              else pg_current_wal_flush_lsn() end - '0/0' as bytes,
         (select value from secret where name = '${timelineKey}') as stored
  from pg_control_system()`;

export function toWalPosition(row: Readonly<Record<string, unknown>>): WalPosition {
  const stored = String(row.stored ?? '');
  const [storedCluster, storedTimeline] = stored.split('/');
  const timeline = row.timeline ?? (storedCluster === row.cluster ? storedTimeline : 0);
  return {
    cluster: String(row.cluster),
    timeline: Number(timeline),
    bytes: Number(row.bytes),
    stored,
  };
}

export function isAtLeast(position: WalPosition, other: WalPosition): boolean {
  if (position.cluster !== other.cluster) return false;
  if (position.timeline !== other.timeline) return position.timeline > other.timeline;
  return position.bytes >= other.bytes;
}
