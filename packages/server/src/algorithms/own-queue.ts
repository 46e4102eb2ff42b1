import { createHash } from 'node:crypto';
import type { NewRun } from '@headwater/core/ports';
import { ownQueue } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';

/**
 * The stores for a process that works on one request: its run, with those that this one waits for, stands in a queue of its own, and what others
 * have queued is left to their workers. The queue follows from the work: where a process was killed over it, the next one that is asked for the
 * same takes it up, and so does a service's worker after a while.
 */
export function withOwnQueue(stores: Stores): Stores {
  const { runs } = stores;
  let queue: string | undefined;
  const own = (run: NewRun): NewRun => ({ ...run, queue: (queue ??= queueOf(run)) });
  return {
    ...stores,
    runs: {
      ...runs,
      enqueue: (run, options = {}) => {
        const first = own(run);
        const { dependencies } = options;
        return runs.enqueue(first, { ...options, ...(dependencies && { dependencies: dependencies.map(own) }) });
      },
      // Where no service computes, what a killed process has left waits for the next one like it.
      adoptAbandoned: async () => 0,
      claim: async (options) => (queue === undefined ? undefined : await runs.claim({ ...options, queue })),
    },
  };
}

const queueOf = ({ fingerprint }: NewRun): string =>
  ownQueue(createHash('sha256').update(fingerprint).digest('hex').slice(0, 40));
