// The change log of PostgreSQL. A write puts its changes into a queue, which locks nothing that other writes need. After
// its commit, one process at a time takes the committed changes out of the queue, numbers them, adds their differences to the
// stored counts, and notifies the recipients. Numbers become visible together with all lower ones, whatever the order of the
// commits.

import { errorMessage } from '../../../common/src/errors.ts';
import type { Table } from '../columns.ts';
import type { CountChange, NewChange } from '../database.ts';
import type { Schema } from '../migration.ts';
import { changeTable } from '../own-tables.ts';
import { channel, kinds } from './change-notifications.ts';

/** Any numbers will do if all Vitrine processes use the same ones. */
export const locks = {
  /** Writes share it from their last statement to their commit. */
  changeLog: 0x56697473,
  numbering: 0x56697474,
};

/** No other write is committed until the end of the transaction. */
export const lockChangeLog = `select pg_advisory_xact_lock(${locks.changeLog})`;

/**
 * The first parameter is the oldest transaction whose changes may still be in the queue, and the result is the one for the
 * next call. Without it, each call would read all entries that were taken out since the oldest snapshot that is in use.
 * A run that numbers something notifies all processes; the others are who sends the notification, and whether one is sent
 * in any case.
 */
export const numberChanges = `
  select (case when has_changes then number_changes($1::text::xid8)
               else pg_snapshot_xmin(pg_current_snapshot()) end)::text as oldest,
         case when has_changes or $3::text = 'yes' then pg_notify('${channel}',
           case when has_changes then '${kinds.changed} ' else '${kinds.check} ' end || $2::text) end
  from (select exists (select from change_queue where xid >= $1::text::xid8) as has_changes) as queue`;
/** The same within a write that need not commit again to be numbered, unless somebody else numbers changes now. */
export const numberIfFree = `${numberChanges} where pg_try_advisory_xact_lock(${locks.numbering})`;
/** The oldest transaction of all. */
export const beginning = '0';

/** The function returns the place of the first limit that the write exceeds. This is no number, so the statement fails. */
const append = `select ('limit ' || append_changes($1::text::json, $2::text::json, $3::text::json, $4::bigint, $5::text::xid8))::int`;

/** The index of the limit that made the statement fail, or -1. */
export const findExceeded = (error: unknown): number =>
  Number(/\blimit (\d+)/.exec(errorMessage(error))?.[1] ?? 0) - 1;

export function buildAppend(
  changes: readonly NewChange[],
  counts: readonly CountChange[],
  limits: readonly CountChange[],
  oldest = beginning,
): [text: string, values: unknown[]] {
  const countsByTable = Object.fromEntries(
    [...Map.groupBy(counts, ({ table }) => table.name)].map(([name, ofTable]) => [
      name,
      ofTable.map(({ row, difference }) => ({ ...row, count: difference })),
    ]),
  );
  const usage = limits.map(({ row, difference, limit }) => ({ ...row, difference, max: limit?.max }));
  // Counts the most that any account adds.
  const added = counts.reduce(
    (sum, { table, difference }) => (table.counts === 'limited' && difference > 0 ? sum + difference : sum),
    0,
  );
  return [
    append,
    [JSON.stringify(changes), JSON.stringify(countsByTable), JSON.stringify(usage), added, oldest],
  ];
}

const typesOf = (names: readonly string[], { columns }: Table) =>
  names.map((name) => `${name} ${columns[name]?.storage === 'integer' ? 'bigint' : 'text'}`).join(', ');

const entryNames = Object.keys(changeTable.columns).filter((name) => name !== 'sequence' && name !== 'hash');
const entryColumns = entryNames.join(', ');

/** Puts the numbered changes into the log. */
const enterChanges = `entered as (
      insert into change (sequence, ${entryColumns}, hash) select sequence, ${entryColumns}, hash from hashed)`;

/** Adds up what all writes add to the rows of a table. */
function addCounts(table: Table): string {
  const { name, key } = table;
  const columns = key.join(', ');
  return `added_to_${name} as (
      insert into ${name} (${columns}, count)
      select ${columns}, sum(count)
      from taken, json_to_recordset(taken.counts -> '${name}') as added (${typesOf([...key, 'count'], table)})
      group by ${columns}
      on conflict (${columns}) do update set count = ${name}.count + excluded.count)`;
}

const addNotifications = ({ table, isWanted }: NonNullable<Schema['notifications']>) => `notified as (
      insert into ${table.name} (${Object.keys(table.columns).join(', ')})
      select recipient.contributor, sequence, recipient.kind, subject, recipient.actor, at, 0
      from hashed, json_to_recordset(recipients) as recipient (contributor bigint, kind text, actor bigint)
      where ${isWanted('recipient.contributor', 'recipient.kind')}
      on conflict do nothing)`;

const numberingFunction = (
  additions: readonly string[],
) => `create function number_changes(oldest xid8) returns xid8
  -- The planner takes the arrays in the queue for large ones: compiling the plan would take a second.
  language plpgsql set jit = off as $$
  declare
    -- Of all transactions before this one, the changes are visible below.
    next_oldest xid8 := pg_snapshot_xmin(pg_current_snapshot());
  begin
    if not exists (select from change_queue where xid >= oldest) then return next_oldest; end if;
    perform pg_advisory_xact_lock(${locks.numbering});
    with taken as (
      delete from change_queue where xid >= oldest returning id, changes, counts),
    numbered as (
      select head.last + row_number() over (order by taken.id, entry.place) as sequence, entry.*
      from change_head as head, taken,
        rows from (json_to_recordset(taken.changes) as (${typesOf(entryNames, changeTable)}, recipients json))
          with ordinality as entry (${entryColumns}, recipients, place)),
    hashed as (
      select numbered.*, change_hash(head.hash, concat_ws('|', sequence, at, coalesce(actor::text, ''), action, kind,
          subject, coalesce(owner::text, ''))) over (order by sequence) as hash
      from change_head as head, numbered),
    ${additions.join(',\n    ')}
    update change_head set last = newest.sequence, hash = newest.hash
    from (select sequence, hash from hashed order by sequence desc limit 1) as newest;
    return next_oldest;
  end $$`;

/** A quota is exact if all transactions that are open at the same time do not add more than this. */
const maxOpenDifference = 2000;
/** A transaction that adds more to what an account stores does so alone. */
const maxSharedDifference = 32;

/**
 * The count of a limit has parts that are not visible: other writes of the account that are about to be committed. Far
 * from the limit, writes that add little share a lock. Near it, they wait for each other.
 */
const checkLimits = ({ name, key: [owner, resource] }: Table) => `for limited in
      select ${owner}, ${resource}, sum(difference)::bigint as difference, min(max) as max, min(place) as place
      from rows from (json_to_recordset(limits)
        as (${owner} bigint, ${resource} text, difference bigint, max bigint)) with ordinality
        as entry (${owner}, ${resource}, difference, max, place)
      group by ${owner}, ${resource} order by ${owner}, ${resource}
    loop
      lock_key := hashtextextended(limited.${resource}, limited.${owner});
      far_below := case when limited.difference <= ${maxSharedDifference} then limited.max - ${maxOpenDifference} else -1 end;
      if usage_at_most(limited.${owner}, limited.${resource}, oldest) <= far_below then
        perform pg_advisory_xact_lock_shared(lock_key);
        if usage_at_most(limited.${owner}, limited.${resource}, oldest) > far_below then
          raise exception 'The account has come near its quota.' using errcode = 'serialization_failure';
        end if;
      else
        perform pg_advisory_xact_lock(lock_key);
        select coalesce(sum(count), 0) into stored from (
          select count from ${name} as usage
          where usage.${owner} = limited.${owner} and usage.${resource} = limited.${resource}
          union all
          select entry.count from change_queue as queue, json_to_recordset(queue.counts -> '${name}')
            as entry (${owner} bigint, ${resource} text, count bigint)
          where queue.xid >= oldest and entry.${owner} = limited.${owner} and entry.${resource} = limited.${resource}
        ) as parts;
        if stored + limited.difference > limited.max then return limited.place; end if;
      end if;
    end loop;`;

const appendingFunction = (limited: Table | undefined) => `create function append_changes(
    changes json, counts json, limits json, added bigint, oldest xid8) returns bigint language plpgsql as $$
  declare
    limited record;
    lock_key bigint;
    far_below bigint;
    stored bigint;
  begin
    perform pg_advisory_xact_lock_shared(${locks.changeLog});
    ${limited ? checkLimits(limited) : ''}
    insert into change_queue (changes, counts, added) values (changes, counts, added);
    return null;
  end $$`;

/** What an account has stored, as if all that waits in the queue were its own. */
const usageFunction = ({
  name,
  key: [owner, resource],
}: Table) => `create function usage_at_most(of_contributor bigint, of_resource text, oldest xid8)
    returns bigint language sql as $$
    select coalesce((select count from ${name}
                     where ${owner} = of_contributor and ${resource} = of_resource), 0)
      + coalesce((select sum(added) from change_queue where xid >= oldest), 0)::bigint
  $$`;

/** The statements that create the queue. */
export function createChangeQueue({ tables, notifications }: Schema): readonly string[] {
  const counted = tables().filter(({ counts }) => counts);
  const limited = counted.find(({ counts }) => counts === 'limited');
  const additions = [
    enterChanges,
    ...(notifications ? [addNotifications(notifications)] : []),
    ...counted.map(addCounts),
  ];
  return [
    // One row for each transaction. `added` is how much it adds to what accounts store.
    `create table change_queue (
    xid xid8 not null default pg_current_xact_id(),
    id bigint generated by default as identity,
    changes json not null,
    counts json not null,
    added bigint not null,
    primary key (xid, id)
  )`,
    // The same as hashChange in ../change-hash.ts.
    `create function next_change_hash(previous text, first text, entry text) returns text language plpgsql immutable
    as $$ begin
      return encode(sha256(convert_to(coalesce(previous, first) || '|' || entry, 'UTF8')), 'hex');
    end $$`,
    'create aggregate change_hash(first text, entry text) (sfunc = next_change_hash, stype = text)',
    numberingFunction(additions),
    ...(limited ? [usageFunction(limited)] : []),
    appendingFunction(limited),
  ];
}
