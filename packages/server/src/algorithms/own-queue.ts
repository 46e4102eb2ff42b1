import { createHash } from 'node:crypto';
import type { NewRun } from '@headwater/core/ports';
import { ownQueue } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';

/**
 * Wraps the stores for a process that computes one request. The run of the request, and the runs for which this run waits, get a queue of
 * their own. So this process claims no other runs. The name of the queue is derived from the request. If the process is killed, the next
 * process with the same request continues the work. If there is no such process, a worker of the service continues the work after a while.
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
      // This process adopts no abandoned runs, because it computes only its own request. If the service has no worker, the work of a
      // killed process waits for the next process with the same request.
      adoptAbandoned: async () => 0,
      claim: async (options) => (queue === undefined ? undefined : await runs.claim({ ...options, queue })),
    },
  };
}

const queueOf = ({ fingerprint }: NewRun): string =>
  ownQueue(createHash('sha256').update(fingerprint).digest('hex').slice(0, 40));
