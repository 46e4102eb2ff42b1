import type { Organization } from '../ports/people.ts';
import type { Stores } from '../ports/stores.ts';
import type { Clock } from '../ports/system.ts';
import { memoryEoAccounts, memoryUsers, type MemoryUsers } from './accounts.ts';
import { memoryApiKeys } from './api-keys.ts';
import { memoryCatalog } from './catalog.ts';
import { memoryData } from './data.ts';
import { createSoleProcess, memoryKeep } from './installation.ts';
import { memoryJobs } from './jobs.ts';
import { memoryLookups } from './lookups.ts';
import { memoryPeople } from './people.ts';
import { memoryPlaces } from './places.ts';
import { memoryRuns } from './runs.ts';
import { memoryTeams, type MemoryTeams } from './teams.ts';
import { memoryRefreshTokens, memoryThrottle } from './sign-in.ts';

/** Every store in memory: gone with the process, faithful to the ports in all else. `clock` is the stores' own. */
export function createMemoryStores({ clock = { now: () => new Date() } }: { readonly clock?: Clock } = {}): Stores {
  const catalog = memoryCatalog();
  const data = memoryData();
  const places = memoryPlaces();
  const refreshTokens = memoryRefreshTokens();
  const { changes, ...sole } = createSoleProcess();
  const teams: MemoryTeams = { joined: new Map(), projects: new Map(), members: new Map() };
  const organizations = new Map<string, Organization>();
  const kept: MemoryUsers = { users: new Map(), facts: new Map() };
  const { endAll: endKeys, ...apiKeys } = memoryApiKeys(clock, kept.users);
  const isOrganization = (id: string): boolean => organizations.has(id);
  const users = memoryUsers(clock, { isOpen: refreshTokens.isOpen, endKeys, isOrganization }, kept);
  return {
    users,
    people: memoryPeople(kept, teams, organizations),
    teams: memoryTeams(kept, teams, isOrganization),
    eoAccounts: memoryEoAccounts(),
    refreshTokens,
    throttle: memoryThrottle(),
    apiKeys,
    places: places.store,
    lookups: memoryLookups(places),
    runs: memoryRuns(clock, { catalog, data, places }),
    jobs: memoryJobs(clock),
    catalog: catalog.store,
    data: data.store,
    installation: { keep: memoryKeep(), ...sole },
    changes,
    ping: async () => ({ kind: 'memory', version: 'in memory' }),
    close: async () => {},
  };
}
