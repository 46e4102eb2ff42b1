import type { Clock } from '@headwater/core';
import { createMemoryDomainStores } from '@headwater/core/memory';
import type { PageSession } from '../ports/accounts.ts';
import type { Organization } from '../ports/people.ts';
import type { Stores } from '../ports/stores.ts';
import { memoryUsers, type MemoryUsers } from './accounts.ts';
import { memoryApiKeys } from './api-keys.ts';
import { memoryDirectory } from './directory.ts';
import { memoryAudit } from './audit.ts';
import { memoryPageSessions, memoryRefreshTokens, memoryThrottle } from './sign-in.ts';
import { memoryMoves } from './moves.ts';
import { memoryPeople } from './people.ts';
import { memoryTeams, type MemoryTeams } from './teams.ts';

/** Creates all stores in memory. */
export function createMemoryStores({ clock = { now: () => new Date() } }: { readonly clock?: Clock } = {}): Stores {
  const refreshTokens = memoryRefreshTokens();
  const teams: MemoryTeams = {
    joined: new Map(),
    projects: new Map(),
    members: new Map(),
    lastProjectId: 0,
    lastMemberId: 0,
  };
  const organizations = new Map<string, Organization>();
  const stored: MemoryUsers = { users: new Map(), facts: new Map(), lastId: 0 };
  const { endAll: endKeys, move: moveKey, keys, days, ...apiKeys } = memoryApiKeys(clock, stored.users);
  const sessions = new Map<string, PageSession>();
  const isOrganization = (id: string): boolean => organizations.has(id);
  const domain = createMemoryDomainStores({ clock });
  return {
    ...domain,
    users: memoryUsers(clock, { isOpen: refreshTokens.isOpen, endKeys, isOrganization }, stored),
    people: memoryPeople(stored, teams, organizations),
    teams: memoryTeams(stored, teams, isOrganization),
    refreshTokens,
    pageSessions: memoryPageSessions(stored.users, sessions),
    throttle: memoryThrottle(),
    apiKeys,
    directory: memoryDirectory({ ...stored, ...teams, organizations, keys, days, sessions }),
    audit: memoryAudit(),
    moves: memoryMoves({ stored, teams, organizations, moveKey, eoAccounts: domain.eoAccounts }),
  };
}
