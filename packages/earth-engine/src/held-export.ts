import type { Timers } from '@headwater/core';
import type { ClaimedExport, EoExportChange, EoExportStore } from '@headwater/core/ports';
import type { Hold } from './steps/step.ts';

/** Lease of an export, ms. */
export const LEASE_MS = 60_000;
const BEAT_MS = 20_000;

/** A claimed export, whose lease is extended until its step has ended. */
export interface HeldExport extends Hold {
  /** Stores the result of the step and ends the lease. */
  readonly end: (change: EoExportChange) => Promise<void>;
}

interface HoldParts {
  readonly store: Pick<EoExportStore, 'save'>;
  readonly now: () => Date;
  readonly timers: Timers;
  readonly stopping: AbortSignal;
}

/**
 * Holds a claimed export. Writes run one after the other, because each write names the lease that the previous write
 * stored.
 */
export function holdExport({ id, ...claimed }: ClaimedExport, { store, now, timers, stopping }: HoldParts): HeldExport {
  const [lost, over] = [new AbortController(), new AbortController()];
  let { leaseUntil } = claimed;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(write: () => Promise<T>): Promise<T> => {
    const written = last.then(write, write);
    last = written;
    return written;
  };
  const keep = (change: EoExportChange): Promise<boolean> =>
    inTurn(async () => {
      const until = new Date(now().getTime() + LEASE_MS).toISOString();
      const isHeld = await store.save({ id, leaseUntil }, change, { leaseUntil: until });
      if (isHeld) leaseUntil = until;
      else lost.abort(new Error('Another process continues this export.'));
      return isHeld;
    });
  const beat = async (): Promise<void> => {
    for (;;) {
      await timers.sleep(BEAT_MS, over.signal);
      if (over.signal.aborted) return;
      // If the lease was lost, the next write detects this.
      await keep({}).catch(() => false);
    }
  };
  void beat();
  return {
    signal: AbortSignal.any([stopping, lost.signal]),
    keep,
    end: async (change) => {
      over.abort();
      await inTurn(() => store.save({ id, leaseUntil }, change));
    },
  };
}
