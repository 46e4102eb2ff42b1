import { createHash } from 'node:crypto';
import type { NewRun } from '@headwater/core/ports';
import { ownQueue } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';

/**
 * Wraps the stores for a process that computes one request. The process has its own queue, so that it claims no other
 * runs. After a kill, the work continues in the next process with the same request, or in a worker of the service.
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
      // No abandoned runs are adopted, because this process computes only its own request.
      adoptAbandoned: async () => 0,
      claim: async (options) => (queue === undefined ? undefined : await runs.claim({ ...options, queue })),
    },
  };
}

const queueOf = ({ fingerprint }: NewRun): string =>
  ownQueue(createHash('sha256').update(fingerprint).digest('hex').slice(0, 40));
