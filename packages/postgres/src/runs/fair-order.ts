import { WAIT_SECONDS_PER_KM2 } from '@headwater/core/runs';
import { RUN_COLUMNS } from './rows.ts';

/** True if the run `r` waits for a run in one of these states. */
const awaited = (states: string): string =>
  `exists (select from headwater.runs d where d.id = any (r.after) and d.state in ${states})`;

/** Condition that the run `r` waits for no open run. */
export const READY = `(after = '{}' or not ${awaited("('queued', 'running')")})`;

/**
 * Condition that a worker must claim the run `r`, or must end `r` because a run for which `r` waited has failed.
 * `$3`: true if local runs without owner and parent may also be claimed.
 */
const DUE = `pipeline = any ($1::text[]) and backend = $2 and ($3::boolean or owner_id is not null or parent_id is not null or backend <> 'local')
  and (${READY} or ${awaited("('failed')")})`;

/** Takes and locks the oldest row. With `skip locked`, concurrent claims do not wait for each other's rows. */
const FIRST = 'order by seq limit 1 for update of r skip locked';

/** Selects the oldest due run of the queues $4; of any queue if $4 is null. */
export const OLDEST = `select ${RUN_COLUMNS} from headwater.runs r
  where state in ('queued', 'running') and (state = 'queued' or lease_until <= clock_timestamp())
    and ($4::text[] is null or queue = any ($4::text[])) and ${DUE} ${FIRST}`;

/**
 * Selects the oldest due run of a queue among the runs that were claimed before. Such a run has already used the turn
 * of its owner.
 */
export const BEGUN = `select ${RUN_COLUMNS} from headwater.runs r
  where state in ('queued', 'running') and token > 0 and queue = $4
    and (state = 'queued' or lease_until <= clock_timestamp()) and ${DUE} ${FIRST}`;

/** Owner of a run, by the same expression as in the indexes. A run without owner gets a number that is never an id. */
const OWNER = 'coalesce(owner_id::bigint, 2147483648)';
const NEW = `backend = $2 and queue = $4 and state = 'queued' and token = 0`;

/**
 * Selects the oldest new run of the next owner (decision 129). The next owner is an owner without claims in the
 * queue. If there is none, it is the owner whose last claim in the queue is the oldest.
 */
export const NEXT = `with recursive owners as (
    (select ${OWNER} as owner, seq from headwater.runs where ${NEW} order by ${OWNER}, seq limit 1)
    union all
    select n.owner, n.seq from owners o cross join lateral (
      select ${OWNER} as owner, seq from headwater.runs where ${NEW} and ${OWNER} > o.owner order by ${OWNER}, seq limit 1) n
  ), ranked as (
    select owner from owners o order by (select claimed_at from headwater.runs
        where backend = $2 and queue = $4 and ${OWNER} = o.owner and claimed_at is not null order by claimed_at desc limit 1) nulls first, seq
      offset 0
  )
  select c.* from ranked t cross join lateral (
    select ${RUN_COLUMNS} from headwater.runs r where ${NEW} and ${OWNER} = t.owner and ${DUE} ${FIRST}) c limit 1`;

/** Size of a run's region in km2, from the member `call` of its params (see `withCall`); 0 without this member. */
const KM2 = `coalesce(substring(params from '"call":\\{"from":(?:null|"(?:[^"\\\\]|\\\\.)*"),"km2":([0-9.]+)\\}\\}$')::float8, 0)`;

/**
 * Selects the next new run without owner and parent. Small regions come first, but the wait of a large region is
 * limited (`turnOf`).
 */
export const NEXT_UNOWNED = `select ${RUN_COLUMNS} from headwater.runs r
  where ${NEW} and owner_id is null and parent_id is null and ${DUE}
  order by created_at + ${KM2} * ${WAIT_SECONDS_PER_KM2} * interval '1 second', seq limit 1 for update of r skip locked`;
