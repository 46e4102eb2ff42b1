import { DomainError, type Run, type RunEvent } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import { stateEventData } from '@headwater/core/runs';
import type { Sql } from '../database.ts';
import type { EventRow } from './rows.ts';
import { EVENT_COLUMNS, toEvent } from './rows.ts';

/** Appends an event. The update locks the row of the run, so that several writers append one after the other. */
const APPEND = `with counted as (update headwater.runs set last_event = last_event + 1 where id = $1 returning id, last_event)
  insert into headwater.run_events (run_id, seq, kind, data) select id, last_event, $2, $3 from counted
  returning ${EVENT_COLUMNS}`;

const LIST = `select ${EVENT_COLUMNS} from headwater.run_events where run_id = $1 and seq > $2::bigint order by seq limit $3::bigint`;

/** Appends an event to a run. @throws DomainError `not_found` for an unknown run. */
export async function appendEvent(sql: Sql, id: string, event: Pick<RunEvent, 'kind' | 'data'>): Promise<RunEvent> {
  const values = [id, event.kind, JSON.stringify(event.data)];
  const row = isStorable(id) ? await sql.first<EventRow>(APPEND, values) : undefined;
  if (row === undefined) throw new DomainError('not_found', `There is no run "${id}" to log to`);
  return toEvent(row);
}

/** Appends the `state` event of a change that was just written. */
export async function appendState(sql: Sql, run: Run): Promise<void> {
  await appendEvent(sql, run.id, { kind: 'state', data: stateEventData(run) });
}

/** Returns the events after a sequence number, ascending. */
export async function listEvents(
  sql: Sql,
  id: string,
  page: { after: number; limit: number },
): Promise<readonly RunEvent[]> {
  if (!isStorable(id)) return [];
  const rows = await sql.rows<EventRow>(LIST, [id, wholeNumber(page.after), wholeNumber(page.limit)]);
  return rows.map(toEvent);
}

/** Limits a number to integers from 0 to the largest exact integer, as text for a bigint. */
export function wholeNumber(value: number): string {
  return Number.isNaN(value) ? '0' : String(Math.trunc(Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, value))));
}
