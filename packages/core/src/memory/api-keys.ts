import { DomainError, invalidField, fieldError } from '../errors.ts';
import { isStorable } from '../storable-text.ts';
import type { UserStore } from '../ports/accounts.ts';
import type { ApiKey, ApiKeyStore } from '../ports/api-keys.ts';
import type { Clock } from '../ports/system.ts';
import { copy } from './copy.ts';

interface Row {
  readonly key: ApiKey;
  readonly hash: string;
}

/** API keys in memory; `users` tells whose they are. */
export function memoryApiKeys(clock: Clock, users: Pick<UserStore, 'byId'>): ApiKeyStore {
  // In the order in which they were made.
  const rows = new Map<string, Row>();
  const change = (prefix: string, part: Partial<ApiKey>): ApiKey | undefined => {
    const row = rows.get(prefix);
    if (row === undefined) return undefined;
    const key = { ...row.key, ...part };
    rows.set(prefix, { ...row, key });
    return copy(key);
  };
  return {
    create: async ({ hash, ...given }) => {
      if (!isStorable(given.name)) throw invalidField('name', 'cannot be stored: remove NUL and half characters.');
      if ((await users.byId(given.userId)) === undefined) {
        throw new DomainError('user_not_found', `No user has the id ${given.userId}.`);
      }
      if (rows.has(given.prefix)) {
        throw fieldError('conflict', { prefix: [{ rule: 'taken', message: 'is taken; make another key.' }] });
      }
      const key = { ...copy(given), isActive: true, createdAt: clock.now().toISOString(), lastUsedAt: null };
      rows.set(key.prefix, { key, hash });
      return copy(key);
    },
    find: async (prefix) => {
      const row = rows.get(prefix);
      const user = row === undefined ? undefined : await users.byId(row.key.userId);
      return row === undefined || user === undefined ? undefined : { ...copy(row), user };
    },
    activeOf: async (userId) => {
      const own = [...rows.values()].filter(({ key }) => key.userId === userId && key.isActive);
      return copy(own.map(({ key }) => key).toReversed());
    },
    deactivate: async (prefix) => change(prefix, { isActive: false }),
    noteUses: async (uses) => {
      for (const { prefix, usedAt } of uses) {
        const known = rows.get(prefix)?.key.lastUsedAt ?? '';
        if (usedAt > known) change(prefix, { lastUsedAt: usedAt });
      }
    },
  };
}
