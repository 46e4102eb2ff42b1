import { DomainError, invalidField, fieldError } from '../errors.ts';
import { isStorable } from '../storable-text.ts';
import type { UserStore } from '../ports/accounts.ts';
import type { ApiKey, ApiKeyDay, ApiKeyStore } from '../ports/api-keys.ts';
import type { Clock } from '../ports/system.ts';
import { byText, copy } from './copy.ts';

interface Row {
  readonly key: ApiKey;
  readonly hash: string;
}

/** API keys in memory; `users` tells whose they are. */
export function memoryApiKeys(clock: Clock, users: Pick<UserStore, 'byId'>): ApiKeyStore {
  // In the order in which they were made.
  const rows = new Map<string, Row>();
  const days = new Map<string, ApiKeyDay>();
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
    daysOf: async (userId, since) => {
      const isOwn = ({ prefix, day }: ApiKeyDay): boolean => {
        const key = rows.get(prefix)?.key;
        return key?.userId === userId && key.isActive && day >= since;
      };
      const own = [...days.values()].filter(isOwn);
      return copy(own.sort((a, b) => byText(a.prefix, b.prefix) || byText(a.day, b.day)));
    },
    deactivate: async (prefix) => change(prefix, { isActive: false }),
    noteUses: async (uses) => {
      for (const { prefix, usedAt, count } of uses) {
        if (!rows.has(prefix)) continue;
        const day = usedAt.slice(0, 10);
        const at = `${day} ${prefix}`;
        days.set(at, { prefix, day, uses: (days.get(at)?.uses ?? 0) + count });
        const known = rows.get(prefix)?.key.lastUsedAt ?? '';
        if (usedAt > known) change(prefix, { lastUsedAt: usedAt });
      }
    },
  };
}
