import type { Run, RunStore } from '../ports/runs.ts';
import type { Clock, Logger } from '../ports/host.ts';
import { createWakeSignal } from '../timing/wake-signal.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Timers } from '../timing/timers.ts';

/** Dependencies of an attempt's reporter. */
export interface ReporterDeps {
  readonly runs: Pick<RunStore, 'heartbeat' | 'appendEvent'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly leaseMs: number;
  readonly progressMs: number;
  /** Called, possibly repeatedly, when the store reports that this worker must stop. */
  readonly interrupt: (why: 'lost' | 'cancelled') => void;
}

/** Extends the lease of one attempt and stores its progress and log lines. The methods never throw. */
export interface Reporter {
  readonly progress: (at: { readonly progress: number; readonly step: string; readonly note?: string }) => void;
  readonly log: (message: string) => void;
  /** Sends a heartbeat as soon as the minimum interval since the last heartbeat has passed. */
  readonly beatNow: () => void;
  /** Returns the seconds that the attempt has spent in each step. */
  readonly seconds: () => Readonly<Record<string, number>>;
  /** Tries once to write the remaining events, then only extends the lease. */
  readonly stopEvents: () => Promise<void>;
  /** Tries once to write the remaining events, then stops the reporter. */
  readonly close: () => Promise<void>;
}

/**
 * Starts reporting for a claimed run. Two heartbeats are at most half a lease apart. Progress is sent at most once per
 * `progressMs`, or per sixth of a lease if this is shorter.
 */
export function createReporter(deps: ReporterDeps, run: Pick<Run, 'id' | 'token'>): Reporter {
  const outbox = createOutbox(deps.clock);
  const closing = new AbortController();
  const waker = createWakeSignal();
  const { beat, report } = createWriter(deps, run, outbox);
  let isSilent = false;
  /** Each write starts after the previous write has ended. */
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = (work: () => Promise<boolean>): Promise<boolean> => {
    const queued = last.then(work);
    last = queued;
    return queued;
  };
  const write = (): Promise<boolean> => enqueue(() => (isSilent ? beat() : report()));
  const loop = async (): Promise<void> => {
    const spacing = Math.min(deps.progressMs, deps.leaseMs / 6);
    let woken = waker.signal;
    while (!closing.signal.aborted) {
      await deps.timers.sleep(deps.leaseMs / 3, woken);
      if (closing.signal.aborted) return;
      woken = waker.signal;
      if (!(await write())) {
        await deps.timers.sleep(Math.min(1000, deps.leaseMs / 6), closing.signal);
        waker.wake();
      }
      await deps.timers.sleep(spacing, closing.signal);
    }
  };
  const looping = loop();
  return {
    progress: (at) => {
      outbox.progress(at);
      waker.wake();
    },
    log: (message) => {
      outbox.log(message);
      waker.wake();
    },
    beatNow: waker.wake,
    seconds: outbox.seconds,
    stopEvents: async () => {
      await enqueue(async () => {
        if (outbox.waiting()) await report();
        return (isSilent = true);
      });
    },
    close: async () => {
      closing.abort();
      waker.wake();
      await looping;
      if (!isSilent && outbox.waiting()) await write();
    },
  };
}

/** Writes of a reporter. Each method resolves to false if a write failed. */
interface Writer {
  readonly beat: () => Promise<boolean>;
  readonly report: () => Promise<boolean>;
}

function createWriter(
  { runs, logger, leaseMs, interrupt }: ReporterDeps,
  { id, token }: Pick<Run, 'id' | 'token'>,
  outbox: Outbox,
): Writer {
  let isUnavailable = false;
  const write = async (withEvents: boolean): Promise<boolean> => {
    try {
      const { progress, step } = outbox.position();
      const outcome = await runs.heartbeat(id, token, { leaseMs, progress, ...(step === null ? {} : { step }) });
      if (outcome !== 'ok') interrupt(outcome);
      if (withEvents && outcome !== 'lost') await outbox.drain((event) => runs.appendEvent(id, event));
      if (isUnavailable) logger.info({ runId: id }, 'the lease of the run is renewed again');
      isUnavailable = false;
      return true;
    } catch (error) {
      // The error is logged once per outage. It does not end the attempt, because the publication checks the fencing
      // token.
      if (!isUnavailable)
        logger.error({ runId: id, error: String(error) }, 'the lease of the run could not be renewed; retrying');
      isUnavailable = true;
      return false;
    }
  };
  return { beat: () => write(false), report: () => write(true) };
}
