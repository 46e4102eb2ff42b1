import type { Run, RunStore } from '../ports/runs.ts';
import type { Clock, Logger } from '../ports/system.ts';
import { createWakeSignal } from '../timing/wake-signal.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Timers } from '../timing/timers.ts';

/** What an attempt's reporter stands on. */
export interface ReporterDeps {
  readonly runs: Pick<RunStore, 'heartbeat' | 'appendEvent'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly leaseMs: number;
  readonly progressMs: number;
  /** Told when the store says that this worker must stop; may be told again. */
  readonly interrupt: (why: 'lost' | 'cancelled') => void;
}

/** Keeps the lease of one attempt alive and carries its progress and log lines to the store. Its calls never throw. */
export interface Reporter {
  readonly progress: (at: { readonly progress: number; readonly step: string; readonly note?: string }) => void;
  readonly log: (message: string) => void;
  /** Asks the store now whether to go on. */
  readonly beatNow: () => void;
  /** Seconds spent in each step so far. */
  readonly seconds: () => Readonly<Record<string, number>>;
  /** Writes what is left once; from then on only the lease is kept, so that no event comes after the run's last one. */
  readonly fallSilent: () => Promise<void>;
  /** Writes what is left once, and stops. */
  readonly close: () => Promise<void>;
}

/** Starts reporting for a claimed run: a heartbeat every third of the lease, progress at most every `progressMs`. */
export function createReporter(deps: ReporterDeps, run: Pick<Run, 'id' | 'token'>): Reporter {
  const outbox = createOutbox(deps.clock);
  const closing = new AbortController();
  const nudge = createWakeSignal();
  const { beat, tell } = createWriter(deps, run, outbox);
  let isSilent = false;
  /** One write at a time, in the order in which they were asked for. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<boolean>): Promise<boolean> => {
    const turn = last.then(work);
    last = turn;
    return turn;
  };
  const write = (): Promise<boolean> => inTurn(() => (isSilent ? beat() : tell()));
  const loop = async (): Promise<void> => {
    const spacing = Math.min(deps.progressMs, deps.leaseMs / 6);
    let nudged = nudge.signal;
    while (!closing.signal.aborted) {
      await deps.timers.sleep(deps.leaseMs / 3, nudged);
      if (closing.signal.aborted) return;
      nudged = nudge.signal;
      if (!(await write())) {
        await deps.timers.sleep(Math.min(1000, deps.leaseMs / 6), closing.signal);
        nudge.wake();
      }
      await deps.timers.sleep(spacing, closing.signal);
    }
  };
  const looping = loop();
  return {
    progress: (at) => {
      outbox.progress(at);
      nudge.wake();
    },
    log: (message) => {
      outbox.log(message);
      nudge.wake();
    },
    beatNow: nudge.wake,
    seconds: outbox.seconds,
    fallSilent: async () => {
      await inTurn(async () => {
        if (outbox.waiting()) await tell();
        return (isSilent = true);
      });
    },
    close: async () => {
      closing.abort();
      nudge.wake();
      await looping;
      if (!isSilent && outbox.waiting()) await write();
    },
  };
}

/** Writes to the store; each returns false when it did not answer. */
interface Writer {
  /** Extends the lease, and notes the position. */
  readonly beat: () => Promise<boolean>;
  /** The same, then what waits in the outbox. */
  readonly tell: () => Promise<boolean>;
}

function createWriter(
  { runs, logger, leaseMs, interrupt }: ReporterDeps,
  { id, token }: Pick<Run, 'id' | 'token'>,
  outbox: Outbox,
): Writer {
  let away = false;
  const write = async (isTelling: boolean): Promise<boolean> => {
    try {
      const { progress, step } = outbox.position();
      const outcome = await runs.heartbeat(id, token, { leaseMs, progress, ...(step === null ? {} : { step }) });
      if (outcome !== 'ok') interrupt(outcome);
      if (isTelling && outcome !== 'lost') await outbox.drain((event) => runs.appendEvent(id, event));
      if (away) logger.info({ runId: id }, 'the store answers again');
      away = false;
      return true;
    } catch (error) {
      // Once per outage: the work goes on meanwhile, and the fencing token guards what it publishes.
      if (!away) logger.error({ runId: id, error: String(error) }, 'heartbeat failed; trying again');
      away = true;
      return false;
    }
  };
  return { beat: () => write(false), tell: () => write(true) };
}
