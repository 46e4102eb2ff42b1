import type { components } from './api.generated.ts';
import type { Connection } from './connection.ts';
import { isHeadwaterError, jsonOf, runError } from './errors.ts';

/** A run with its Items and tables. */
export type Run = components['schemas']['Run'];

interface EventFacts {
  /** Number of the event in the run, from 1. */
  readonly seq: number;
  readonly run_id: string;
  readonly at: string;
}

/** An event of a run: a new state, its progress (0 to 1), or a line of its log. */
export type RunEvent = EventFacts &
  (
    | {
        readonly kind: 'state';
        readonly data: { readonly state: Run['state']; readonly attempt: number; readonly error?: Run['error'] };
      }
    | {
        readonly kind: 'progress';
        readonly data: { readonly progress: number; readonly step: string; readonly note?: string };
      }
    | { readonly kind: 'log'; readonly data: { readonly message: string } }
  );

/** Options of the events of a run. */
export interface EventOptions {
  readonly signal?: AbortSignal | undefined;
  /** Number of the last event that you have received; default: 0. */
  readonly after?: number | undefined;
}

/** Options of waiting. An aborted `signal` ends only the waiting, not the run. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  /** Receives the progress (0 to 1) and the name of the present step. */
  readonly onProgress?: ((progress: number, step: string) => void) | undefined;
}

/**
 * Pause before a stream that ended early is opened again, ms. After each consecutive failure, the pause is twice as
 * long.
 */
const RETRY_MS = 500;
/** Maximum number of consecutive failures, such as lost connections; a received event or run resets the count. */
const MOST_LOSSES = 5;
/** Pause between two requests for a run without an event stream, ms. */
const POLL_MS = 2000;

/** Yields the events of a run up to the last one. After a lost connection, continues with the next event. */
export async function* runEvents(
  connection: Connection,
  runId: string,
  { signal, after = 0 }: EventOptions = {},
): AsyncGenerator<RunEvent, void, undefined> {
  let last = after;
  let losses = 0;
  for (;;) {
    const address = `${connection.baseUrl}/api/v1/runs/${encodeURIComponent(runId)}/events/?last_event_id=${last}`;
    try {
      const response = await connection.send(new Request(address, signal === undefined ? {} : { signal }));
      if (response.status === 204 || response.body === null) return;
      for await (const event of eventsIn(response.body)) {
        losses = 0;
        last = event.seq;
        yield event;
        if (event.kind === 'state' && (event.data.state === 'success' || event.data.state === 'failed')) return;
      }
    } catch (error) {
      losses += 1;
      if (isFinal(error)) throw error;
      await pauseAfter(error, losses, signal);
      continue;
    }
    await pause(RETRY_MS * 2 ** losses, signal);
  }
}

/** Waits until a run has ended, and returns this run. Throws the error of a run that failed. */
export async function waitForRun(
  connection: Connection,
  runId: string,
  { signal, onEvent, onProgress }: WaitOptions = {},
): Promise<Run> {
  let after = 0;
  for (;;) {
    try {
      for await (const event of runEvents(connection, runId, { signal, after })) {
        after = event.seq;
        onEvent?.(event);
        if (event.kind === 'progress') onProgress?.(event.data.progress, event.data.step);
      }
    } catch (error) {
      // Polls the run instead, because the service limits the open streams of an account.
      if (!isHeadwaterError(error) || error.code !== 'throttled') throw error;
    }
    const run = await requestRun(connection, runId, signal);
    if (run.state === 'failed') throw runError(runId, run.error);
    if (run.done) return run;
    await pause(POLL_MS, signal);
  }
}

async function requestRun(connection: Connection, runId: string, signal: AbortSignal | undefined): Promise<Run> {
  const address = `${connection.baseUrl}/api/v1/runs/${encodeURIComponent(runId)}/?format=json`;
  for (let losses = 1; ; losses++) {
    const request = new Request(address, signal === undefined ? {} : { signal });
    try {
      return (await jsonOf(await connection.send(request), { url: address, signal })) as Run;
    } catch (error) {
      // A read can be repeated, also after a rate limit.
      if (isFinal(error) && !(isHeadwaterError(error) && error.code === 'throttled')) throw error;
      await pauseAfter(error, losses, signal);
    }
  }
}

/**
 * True if a retry would fail too. A status such as 502 of a proxy is not final, because the service may be restarting.
 */
function isFinal(error: unknown): boolean {
  if (!isHeadwaterError(error)) return false;
  const { code, status = 0 } = error;
  return code !== 'no_response' && code !== 'unavailable' && !(code === 'unexpected_response' && status >= 500);
}

/**
 * Pauses at least for the time that the service requests. Throws the error after more than `MOST_LOSSES` consecutive
 * failures.
 */
async function pauseAfter(error: unknown, losses: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (losses > MOST_LOSSES) throw error;
  const isLater = isHeadwaterError(error) && (error.code === 'unavailable' || error.code === 'throttled');
  const asked = isLater ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  await pause(Math.max(RETRY_MS * 2 ** losses, asked), signal);
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const frames = text.split(/\r?\n\r?\n/);
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = frame.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
        if (data.length > 0) yield JSON.parse(data.join('\n')) as RunEvent;
      }
    }
  } finally {
    // `cancel` rejects if the stream has already failed.
    await reader.cancel().catch(() => {});
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
