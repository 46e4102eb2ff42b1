import type { Logger } from '@headwater/core';
import type { RunStore } from '@headwater/core/ports';
import { watchOutgoing } from '@headwater/net';
import type { Config } from './config/read-config.ts';

/** Receives the lines of LOG_LEVEL=debug. */
export type Debug = Logger['debug'];

/** Receiver of debug lines. Undefined at other log levels, so that no time is spent on measurements. */
export const debugOf = ({ logLevel }: Pick<Config, 'logLevel'>, logger: Logger): Debug | undefined =>
  logLevel === 'debug' ? logger.debug : undefined;

/**
 * Logs every outgoing request of this process: method, address without query and user, status, duration. Returns a
 * function that stops the logging.
 */
export function logOutgoing(debug: Debug | undefined): () => void {
  return debug === undefined ? () => {} : watchOutgoing((call) => debug({ ...call }, 'outgoing request'));
}

/** Wraps a run store: logs decisions about the queue with the ids of runs. */
export function loggedRuns(runs: RunStore, debug: Debug): RunStore {
  // A worker tries to claim about once a second, so only the first claim without a run is logged.
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
    enqueue: async (run, options) => {
      const stored = await runs.enqueue(run, options);
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
      ending('a run publishes its results')(runs.publish(runId, token, given), { runId, items: given.items.length }),
    dispatch: (runId, token, sent) =>
      ending('a run is handed to the orchestrator')(runs.dispatch(runId, token, sent), { runId }),
    complete: (runId, token, by) =>
      ending('a run takes the result of another run')(runs.complete(runId, token, by), { runId, by }),
    requestCancel: async (runId) => {
      const run = await runs.requestCancel(runId);
      debug({ runId, state: run?.state }, 'queue: a run is to be cancelled');
      return run;
    },
    endAbandonedImports: (queuedMs) => counted(runs.endAbandonedImports(queuedMs), 'imports of dead processes end'),
    adoptAbandoned: (by) =>
      counted(runs.adoptAbandoned(by), 'runs of dead processes are moved to the queue of this worker'),
  };
}
