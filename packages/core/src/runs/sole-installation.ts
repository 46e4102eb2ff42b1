import { createKeyedLimiter } from '../timing/keyed-limiter.ts';
import type { InstallationStore, RunChanges } from '../ports/installation.ts';

/** Name under which `InstallationStore` keeps the time of the last successful backup (ISO 8601). */
export const LAST_BACKUP_AT = 'last_backup_at';

/** Name under which `InstallationStore` keeps the time until which no run is started (ISO 8601). */
export const DRAINING_UNTIL = 'draining_until';

/** `withLock`, `agree` and `changes` for an installation with a single process. They need no database. */
export function createSoleProcess(): Pick<InstallationStore, 'withLock' | 'agree'> & { readonly changes: RunChanges } {
  const limiter = createKeyedLimiter({
    concurrency: 1,
    maxWaiting: Infinity,
    refuse: () => new Error('a limiter without a limit of waiting work never refuses'),
  });
  return {
    withLock: (name, work, signal) =>
      limiter.run(name, () => {
        signal?.throwIfAborted();
        return work(signal ?? new AbortController().signal);
      }),
    agree: async () => true,
    // There is no other process whose changes could be reported. In this process, the wrapped run store emits the
    // signals.
    changes: { listen: () => () => {} },
  };
}
