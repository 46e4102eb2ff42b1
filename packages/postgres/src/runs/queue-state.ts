import { isStorable, type QueueState } from '@headwater/core';
import type { Database } from '../database.ts';
import { iso } from '../time.ts';
import { READY } from './turns.ts';

const LOOK = `select w.waiting, w.oldest as "oldestAt",
    (select count(*)::int from headwater.runs where backend = 'local' and queue = $1 and state = 'running' and token > 0
      and worker_id is not null and lease_until > clock_timestamp()) as working,
    (select ${iso('claimed_at')} from headwater.runs where backend = 'local' and queue = $1 and claimed_at is not null
      order by claimed_at desc limit 1) as "claimedAt"
  from (select count(*)::int as waiting, ${iso('min(created_at)')} as oldest from headwater.runs r
    where backend = 'local' and queue = $1 and state = 'queued' and ${READY}) w`;

const EMPTY: QueueState = { waiting: 0, working: 0, oldestAt: null, claimedAt: null };

/** How a queue of local runs gets on. */
export async function queueState(database: Database, queue: string): Promise<QueueState> {
  return (isStorable(queue) ? await database.first<QueueState>(LOOK, [queue]) : undefined) ?? EMPTY;
}
