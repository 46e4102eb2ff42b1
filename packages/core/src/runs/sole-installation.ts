import { createLanes } from '../timing/lanes.ts';
import type { InstallationStore, RunChanges } from '../ports/installation.ts';

/** The half of an installation that one process needs no database for. */
export function createSoleProcess(): Pick<InstallationStore, 'alone' | 'agree'> & { readonly changes: RunChanges } {
  const lanes = createLanes({
    width: 1,
    maxWaiting: Infinity,
    refuse: () => new Error('a lane without end is never full'),
  });
  return {
    alone: (name, work, signal) =>
      lanes.run(name, () => {
        signal?.throwIfAborted();
        return work(signal ?? new AbortController().signal);
      }),
    agree: async () => true,
    // Writers nudge within their own process already.
    changes: { listen: () => () => {} },
  };
}
