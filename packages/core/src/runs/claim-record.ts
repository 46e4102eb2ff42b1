import { messageOf } from '../errors.ts';
import type { Clock } from '../ports/system.ts';

/** How a worker gets on with its queue. */
export interface WorkerQueue {
  /** When the queue last answered, with a run or without one; undefined before the first time. */
  readonly answeredAt: Date | undefined;
  /** Since when it refuses, and why it did the last time; undefined while it answers. */
  readonly failing: { readonly since: Date; readonly reason: string } | undefined;
  /** Since when the oldest question is unanswered; undefined where none is open. */
  readonly askingSince: Date | undefined;
}

/** Notes what becomes of a worker's claims. */
export interface ClaimRecord {
  /** Notes one claim, and passes on what it gives or throws. */
  note<T>(claim: () => Promise<T>): Promise<T>;
  readonly queue: WorkerQueue;
}

/** A record of no claim yet. */
export function createClaimRecord(clock: Clock): ClaimRecord {
  const open = new Set<Date>();
  let answeredAt: Date | undefined;
  let failing: WorkerQueue['failing'];
  return {
    async note(claim) {
      const asked = clock.now();
      open.add(asked);
      try {
        const claimed = await claim();
        [answeredAt, failing] = [clock.now(), undefined];
        return claimed;
      } catch (error) {
        failing = { since: failing?.since ?? asked, reason: messageOf(error) };
        throw error;
      } finally {
        open.delete(asked);
      }
    },
    get queue() {
      // A set keeps the order of its members: the first is the oldest.
      const [askingSince] = open;
      return { answeredAt, failing, askingSince };
    },
  };
}
