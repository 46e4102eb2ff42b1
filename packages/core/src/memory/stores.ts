import type { DomainStores } from '../ports/stores.ts';
import type { Clock } from '../ports/system.ts';
import { memoryEoAccounts } from './eo-accounts.ts';
import { memoryCatalog } from './catalog.ts';
import { memoryData } from './data.ts';
import { createSoleProcess } from '../runs/sole-installation.ts';
import { memoryKeep } from './installation.ts';
import { memoryJobs } from './jobs.ts';
import { memoryLookups } from './lookups.ts';
import { memoryPlaces } from './places.ts';
import { memoryRuns } from './runs.ts';

/** The stores of the domain in memory: gone with the process, faithful to the ports in all else. `clock` is the stores' own. */
export function createMemoryDomainStores({
  clock = { now: () => new Date() },
}: { readonly clock?: Clock } = {}): DomainStores {
  const catalog = memoryCatalog(clock);
  const data = memoryData();
  const places = memoryPlaces();
  const { changes, ...sole } = createSoleProcess();
  return {
    eoAccounts: memoryEoAccounts(),
    places: places.store,
    lookups: memoryLookups(places),
    runs: memoryRuns(clock, { catalog, data, places }),
    jobs: memoryJobs(clock),
    catalog: catalog.store,
    search: catalog.search,
    data: data.store,
    installation: { keep: memoryKeep(), ...sole },
    changes,
    ping: async () => ({ kind: 'memory', version: 'in memory' }),
    close: async () => {},
  };
}
