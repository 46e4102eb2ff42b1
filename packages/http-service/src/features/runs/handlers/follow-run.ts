import { hasEnded } from '@headwater/core/runs';
import type { UserPrincipal } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import type { OperationInput } from '../../../rows/operation.ts';
import type { Reply } from '../../../seam/reply.ts';
import { lastEventId } from '../schemas/runs.ts';
import { eventStream } from './run-events.ts';
import { endWithSession, type OpenResponse } from './session-watch.ts';

const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };

/** A request for the events of a run. */
export interface Follower
  extends
    Pick<OperationInput<'bearer', unknown, unknown, unknown>, 'headers' | 'method' | 'remoteAddress' | 'signal'>,
    Pick<OpenResponse, 'policy' | 'url'> {
  readonly principal: UserPrincipal;
  readonly id: string;
  readonly query: { readonly last_event_id?: number | undefined };
}

/** Streams the new events of a run. Responds with status 204 if no event can follow. */
export async function followEvents(
  { principal, id, query, headers, method, url, remoteAddress, signal, policy = 'bearer' }: Follower,
  deps: Ports<'runs' | 'closing' | 'openResponses' | 'auth' | 'timers'>,
): Promise<Reply> {
  const run = await deps.runs.get(principal, id);
  const afterSeq = lastEventId(headers['last-event-id']) ?? query.last_event_id ?? 0;
  const unseen = hasEnded(run) ? await deps.runs.events(principal, run.id, { afterSeq, limit: 1 }) : [run];
  if (unseen.length === 0) return { status: 204, headers: {}, body: undefined };
  const response = { status: 200, headers: STREAM_HEADERS };
  if (method === 'HEAD') return { ...response, body: undefined };
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, deps.closing, stop.signal]);
  if (!deps.openResponses.take(principal.user.id, ends)) throw deps.openResponses.refusal();
  const events = deps.runs.subscribe(run.id, afterSeq, ends);
  const end = (): void => stop.abort();
  void endWithSession({ headers, url, remoteAddress, ends, stop: end, policy }, deps);
  return { ...response, body: eventStream(events, end) };
}
