import { RUN_COLUMNS } from './rows.ts';

/** True where the run `r` waits for one in these states. States only move forward: what has ended here has ended for good. */
const awaited = (states: string): string =>
  `exists (select from headwater.runs d where d.id = any (r.after) and d.state in ${states})`;

/** True where the run `r` waits for none that is still to come. */
export const READY = `(after = '{}' or not ${awaited("('queued', 'running')")})`;

/**
 * True where a worker has to look at the run `r`: to take it, or to end it because one that it waits for has failed. `$3` tells whether it
 * may be one without owner and parent that computes here.
 */
const DUE = `pipeline = any ($1::text[]) and backend = $2 and ($3::boolean or owner_id is not null or parent_id is not null or backend <> 'local')
  and (${READY} or ${awaited("('failed')")})`;

/** `skip locked`: workers that claim at the same time pass each other instead of queueing for one row. */
const FIRST = 'order by seq limit 1 for update of r skip locked';

/** The oldest of any queue. */
export const OLDEST = `select ${RUN_COLUMNS} from headwater.runs r
  where state in ('queued', 'running') and (state = 'queued' or lease_until <= clock_timestamp()) and ${DUE} ${FIRST}`;

/** The oldest of a queue that was begun before: what was put back, and what nobody holds any more. Its owner had its turn. */
export const BEGUN = `select ${RUN_COLUMNS} from headwater.runs r
  where state in ('queued', 'running') and token > 0 and queue = $4
    and (state = 'queued' or lease_until <= clock_timestamp()) and ${DUE} ${FIRST}`;

/** As the indexes have it: the owner's number, or one that no owner has. */
const OWNER = 'coalesce(owner_id::bigint, 2147483648)';
const NEW = `backend = $2 and queue = $4 and state = 'queued' and token = 0`;

/**
 * The oldest new run of the owner whose last claim in this queue is longest ago, and of those who had none of the one who came first.
 * Each owner is found by one step through the index, however many runs it has queued. Rows of `turns` come in their order, and the
 * join below asks one after the other until one has a run: only that run is locked. Two claims at the same moment do not see each
 * other, and may be of one owner.
 */
export const NEXT = `with recursive owners as (
    (select ${OWNER} as owner, seq from headwater.runs where ${NEW} order by ${OWNER}, seq limit 1)
    union all
    select n.owner, n.seq from owners o cross join lateral (
      select ${OWNER} as owner, seq from headwater.runs where ${NEW} and ${OWNER} > o.owner order by ${OWNER}, seq limit 1) n
  ), turns as (
    select owner from owners o order by (select claimed_at from headwater.runs
        where backend = $2 and queue = $4 and ${OWNER} = o.owner and claimed_at is not null order by claimed_at desc limit 1) nulls first, seq
      offset 0
  )
  select c.* from turns t cross join lateral (
    select ${RUN_COLUMNS} from headwater.runs r where ${NEW} and ${OWNER} = t.owner and ${DUE} ${FIRST}) c limit 1`;
