import { messageOf } from '../errors.ts';
import type { Clock } from '../ports/host.ts';

/** State of a worker's claims from its queue. */
export interface WorkerQueue {
  /** Time of the last claim that did not fail, also if it found no run. */
  readonly answeredAt: Date | undefined;
  /** Time of the first failed claim since the last success, and the latest reason. */
  readonly failing: { readonly since: Date; readonly reason: string } | undefined;
  /** Start of the oldest unanswered claim. */
  readonly askingSince: Date | undefined;
}

/** Records the outcomes of a worker's claims. */
export interface ClaimRecord {
  /** Records one claim; returns its result or throws its error. */
  note<T>(claim: () => Promise<T>): Promise<T>;
  readonly queue: WorkerQueue;
}

/** Builds a record without claims. */
export function createClaimRecord(clock: Clock): ClaimRecord {
  const open = new Set<Date>();
  let answeredAt: Date | undefined;
  let failing: WorkerQueue['failing'];
  return {
    async note(claim) {
      const startedAt = clock.now();
      open.add(startedAt);
      try {
        const claimed = await claim();
        [answeredAt, failing] = [clock.now(), undefined];
        return claimed;
      } catch (error) {
        failing = { since: failing?.since ?? startedAt, reason: messageOf(error) };
        throw error;
      } finally {
        open.delete(startedAt);
      }
    },
    get queue() {
      const [askingSince] = open;
      return { answeredAt, failing, askingSince };
    },
  };
}
