import { createKeyedLimiter } from '../timing/keyed-limiter.ts';
import type { InstallationStore, RunChanges } from '../ports/installation.ts';

/** Key of the time of the last successful backup (ISO 8601) in `InstallationStore`. */
export const LAST_BACKUP_AT = 'last_backup_at';

/** Key of the time until which no run is started (ISO 8601) in `InstallationStore`. */
export const DRAINING_UNTIL = 'draining_until';

/** `withLock`, `agree` and `changes` for an installation with a single process. */
export function createSoleProcess(): Pick<InstallationStore, 'withLock' | 'agree'> & { readonly changes: RunChanges } {
  const limiter = createKeyedLimiter({
    concurrency: 1,
    maxWaiting: Infinity,
    refuse: () => new Error('the lock of this process refused work, although it has no limit'),
  });
  return {
    withLock: (name, work, signal) =>
      limiter.run(name, () => {
        signal?.throwIfAborted();
        return work(signal ?? new AbortController().signal);
      }),
    agree: async () => true,
    // No other process makes changes.
    changes: { listen: () => () => {} },
  };
}
