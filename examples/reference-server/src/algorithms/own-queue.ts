import type { NewRun, Run, Stores } from '@headwater/core';

/** Whose runs a process stores and takes. */
export interface OwnQueue {
  /** Queue of its runs alone. */
  readonly queue: string;
  /** The run that they belong to, where there is one. */
  readonly parent?: Pick<Run, 'id'> | undefined;
}

/**
 * The stores for a process that works on its own runs only: what it starts stands in a queue of its own, and what others have queued it leaves to
 * their workers.
 */
export function withOwnQueue(stores: Stores, { queue, parent }: OwnQueue): Stores {
  const { runs } = stores;
  const own = (run: NewRun): NewRun => ({ ...run, queue, ...(parent === undefined ? {} : { parentId: run.parentId ?? parent.id }) });
  return {
    ...stores,
    runs: {
      ...runs,
      enqueue: (run, options = {}) => {
        const { dependencies } = options;
        return runs.enqueue(own(run), { ...options, ...(dependencies && { dependencies: dependencies.map(own) }) });
      },
      claim: (options) => runs.claim({ ...options, queue }),
    },
  };
}
