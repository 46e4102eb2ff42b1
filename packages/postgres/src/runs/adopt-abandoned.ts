import { type Adoption, OWN_QUEUES, storableText } from '@headwater/core';
import type { Database } from '../database.ts';
import { storable } from '../guards.ts';

const SINCE = `clock_timestamp() - $4::float8 * interval '1 millisecond'`;

/** `skip locked`: a run that somebody has in hand at this moment is not abandoned. */
const ADOPT = `with abandoned as (
    select id from headwater.runs r
    where state in ('queued', 'running') and backend = 'local' and queue ~ $1 and pipeline = any ($3::text[])
      and (state = 'queued' or lease_until <= clock_timestamp())
      and not exists (select from headwater.runs o where o.state in ('queued', 'running') and o.queue = r.queue
        and greatest(o.created_at, o.lease_until) > ${SINCE})
      and not exists (select from headwater.runs o where o.finished_at is not null and o.queue = r.queue and o.finished_at > ${SINCE})
    order by seq for update of r skip locked)
  update headwater.runs set queue = $2 where id in (select id from abandoned) returning id`;

/** Gives the runs of processes that died to a queue that workers take from; gives how many. */
export async function adoptAbandoned(database: Database, { queue, pipelines, silentMs }: Adoption): Promise<number> {
  const values = [OWN_QUEUES, storable('queue', queue), pipelines.map(storableText), silentMs];
  return await database.tx(async (sql) => (await sql.rows(ADOPT, values)).length);
}
