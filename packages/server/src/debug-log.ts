import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Logger, publicAddress } from '@headwater/core';
import type { RunStore } from '@headwater/core/ports';
import type { Config } from './config/read-config.ts';

/** Receives the lines of LOG_LEVEL=debug. */
export type Debug = Logger['debug'];

/** Receiver of debug lines; undefined at every other level, so that nothing is measured for them. */
export const debugOf = ({ logLevel }: Pick<Config, 'logLevel'>, logger: Logger): Debug | undefined =>
  logLevel === 'debug' ? logger.debug : undefined;

/** Messages of Node's HTTP client and of `fetch`; the members that are read. */
interface HttpCall {
  readonly request: ClientRequest;
  readonly response?: IncomingMessage;
}
interface FetchCall {
  readonly request: { readonly method: string; readonly origin: string | URL; readonly path: string };
  readonly response?: { readonly statusCode: number };
}

/**
 * Logs every outgoing request of this thread that gets a response or fails: method, address without query and user, status, duration. It
 * listens to the channels of Node's HTTP clients, so that no caller can be forgotten. Returns a function that ends it. Without a receiver it does nothing.
 */
export function logOutgoing(debug: Debug | undefined): () => void {
  if (debug === undefined) return () => {};
  const started = new WeakMap<object, number>();
  const line = (
    request: object,
    href: string,
    rest: { readonly method: string; readonly status: number | string },
  ): void => {
    const since = started.get(request) ?? performance.now();
    debug({ ...rest, address: publicAddress(href), ms: Math.round(performance.now() - since) }, 'outgoing request');
  };
  const begin = (message: unknown): void =>
    void started.set((message as HttpCall | FetchCall).request, performance.now());
  const ofHttp = (message: unknown): void => {
    const { request, response } = message as HttpCall;
    const { method, protocol, host, path } = request;
    const status = response?.statusCode ?? 'failed';
    line(request, `${protocol}//${String(request.getHeader('host') ?? host)}${path}`, { method, status });
  };
  const ofFetch = (message: unknown): void => {
    const { request, response } = message as FetchCall;
    const { method, origin, path } = request;
    line(request, `${String(origin)}${path}`, { method, status: response?.statusCode ?? 'failed' });
  };
  const listeners = [
    ['http.client.request.start', begin],
    ['http.client.response.finish', ofHttp],
    ['http.client.request.error', ofHttp],
    ['undici:request:create', begin],
    ['undici:request:headers', ofFetch],
    ['undici:request:error', ofFetch],
  ] as const;
  for (const [channel, listener] of listeners) subscribe(channel, listener);
  return () => listeners.forEach(([channel, listener]) => unsubscribe(channel, listener));
}

/** Wraps a run store: logs each decision about the queue, with the ids of its runs and without their parameters. */
export function loggedRuns(runs: RunStore, debug: Debug): RunStore {
  // A worker asks about once a second, so that only the first of several empty answers is news.
  let isEmpty = false;
  const ending =
    (message: string) =>
    async <T>(write: Promise<T>, fields: Readonly<Record<string, unknown>>): Promise<T> => {
      const outcome = await write;
      debug({ ...fields, outcome }, `queue: ${message}`);
      return outcome;
    };
  const counted = async (changed: Promise<number>, message: string): Promise<number> => {
    const count = await changed;
    if (count > 0) debug({ count }, `queue: ${message}`);
    return count;
  };
  return {
    ...runs,
    enqueue: async (asked, options) => {
      const stored = await runs.enqueue(asked, options);
      const { id: runId, pipeline, ownerId, after } = stored.run;
      const message = stored.joined ? 'a request joins a run in flight' : 'a run is queued';
      debug({ runId, pipeline, ownerId, after }, `queue: ${message}`);
      return stored;
    },
    resultOf: async (fingerprint) => {
      const found = await runs.resultOf(fingerprint);
      if (found !== undefined) debug({ runId: found.id }, 'queue: a stored result is compared with the present inputs');
      return found;
    },
    claim: async (options) => {
      const run = await runs.claim(options);
      const { workerId, queue } = options;
      if (run !== undefined)
        debug(
          { runId: run.id, pipeline: run.pipeline, attempt: run.attempt, workerId, queue },
          'queue: a worker claims a run',
        );
      else if (!isEmpty) debug({ workerId, queue }, 'queue: no run can be claimed');
      isEmpty = run === undefined;
      return run;
    },
    fail: (runId, token, failure) =>
      ending('a run fails')(runs.fail(runId, token, failure), { runId, code: failure.code }),
    release: (runId, token) => ending('a run returns to the queue')(runs.release(runId, token), { runId }),
    park: (runId, token, pauseMs) =>
      ending('a run waits for its next attempt')(runs.park(runId, token, pauseMs), { runId, pauseMs }),
    publish: (runId, token, given) =>
      ending('a run publishes')(runs.publish(runId, token, given), { runId, items: given.items.length }),
    dispatch: (runId, token, sent) =>
      ending('a run is handed to the orchestrator')(runs.dispatch(runId, token, sent), { runId }),
    complete: (runId, token, by) =>
      ending('a run takes the result of another')(runs.complete(runId, token, by), { runId, by }),
    requestCancel: async (runId) => {
      const run = await runs.requestCancel(runId);
      debug({ runId, state: run?.state }, 'queue: a run is to be cancelled');
      return run;
    },
    endAbandonedImports: (queuedMs) => counted(runs.endAbandonedImports(queuedMs), 'imports of dead processes end'),
    adoptAbandoned: (by) => counted(runs.adoptAbandoned(by), 'runs of dead processes are adopted'),
  };
}
