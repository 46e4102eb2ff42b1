import type { Stores } from '../ports/stores.ts';
import type { Clock } from '../ports/system.ts';
import { memoryEoAccounts, memoryUsers } from './accounts.ts';
import { memoryCatalog } from './catalog.ts';
import { memoryData } from './data.ts';
import { createSoleProcess, memoryKeep } from './installation.ts';
import { memoryLookups } from './lookups.ts';
import { memoryPlaces } from './places.ts';
import { memoryRuns } from './runs.ts';
import { memoryRefreshTokens, memoryThrottle } from './sign-in.ts';

/** Every store in memory: gone with the process, faithful to the ports in all else. `clock` is the stores' own. */
export function createMemoryStores({ clock = { now: () => new Date() } }: { readonly clock?: Clock } = {}): Stores {
  const catalog = memoryCatalog();
  const data = memoryData();
  const places = memoryPlaces();
  const refreshTokens = memoryRefreshTokens();
  const { changes, ...sole } = createSoleProcess();
  return {
    users: memoryUsers(clock, refreshTokens),
    eoAccounts: memoryEoAccounts(),
    refreshTokens,
    throttle: memoryThrottle(),
    places,
    lookups: memoryLookups(places),
    runs: memoryRuns(clock, { catalog, data }),
    catalog: catalog.store,
    data: data.store,
    installation: { keep: memoryKeep(), ...sole },
    changes,
    ping: async () => ({ kind: 'memory', version: 'in memory' }),
    close: async () => {},
  };
}
