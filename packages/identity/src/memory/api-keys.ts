import { tooManyKeys } from '../api-keys/key-text.ts';
import { DomainError, invalidField, fieldError, type Clock } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import { tokenError } from '../auth/tokens.ts';
import type { User } from '../ports/accounts.ts';
import type { ApiKey, ApiKeyDay, ApiKeyStore } from '../ports/api-keys.ts';
import type { MovedKey } from '../ports/moves.ts';
import { byText, copy } from '@headwater/core/memory';

interface Row {
  readonly key: ApiKey;
  readonly hash: string;
  readonly endedAt?: string;
}

/** API keys in memory. */
export interface MemoryApiKeys extends ApiKeyStore {
  /** Ends all active keys of a user for good. */
  readonly endAll: (userId: number) => void;
  /** Stores a key from another system, or changes it if `isKnown`. */
  readonly move: (key: MovedKey, moving: { readonly isKnown: boolean; readonly most: number }) => void;
  readonly keys: () => readonly ApiKey[];
  readonly days: () => readonly ApiKeyDay[];
}

/** API key store in memory; `users` are the owners. */
export function memoryApiKeys(clock: Clock, users: ReadonlyMap<number, User>): MemoryApiKeys {
  const rows = new Map<string, Row>();
  const days = new Map<string, ApiKeyDay>();
  const activeOf = (userId: number): readonly ApiKey[] =>
    [...rows.values()].map(({ key }) => key).filter((key) => key.userId === userId && key.isActive);
  const end = (prefix: string): ApiKey | undefined => {
    const row = rows.get(prefix);
    if (row === undefined) return undefined;
    const { endedAt = clock.now().toISOString() } = row;
    const key = { ...row.key, isActive: false };
    rows.set(prefix, { ...row, key, endedAt });
    return copy(key);
  };
  return {
    create: async ({ hash, sessionVersion, ...wanted }, { most }) => {
      if (!isStorable(wanted.name)) throw invalidField('name', 'cannot be stored: remove NUL and unpaired surrogates.');
      const user = users.get(wanted.userId);
      if (user === undefined) throw new DomainError('user_not_found', `No user has the id ${wanted.userId}.`);
      if (user.sessionVersion !== sessionVersion) throw tokenError('access', 'invalid');
      if (rows.has(wanted.prefix)) {
        throw fieldError('conflict', { prefix: [{ rule: 'taken', message: 'is taken; make another key.' }] });
      }
      if (activeOf(wanted.userId).length >= most) throw tooManyKeys(most);
      const key = { ...copy(wanted), isActive: true, createdAt: clock.now().toISOString(), lastUsedAt: null };
      rows.set(key.prefix, { key, hash });
      return copy(key);
    },
    find: async (prefix) => {
      const row = rows.get(prefix);
      const user = row === undefined ? undefined : users.get(row.key.userId);
      return row === undefined || user === undefined ? undefined : { ...copy(row), user: copy(user) };
    },
    activeOf: async (userId) => copy(activeOf(userId).toReversed()),
    daysOf: async (userId, since) => {
      const isOwn = ({ prefix, day }: ApiKeyDay): boolean => {
        const key = rows.get(prefix)?.key;
        return key?.userId === userId && key.isActive && day >= since;
      };
      const own = [...days.values()].filter(isOwn);
      return copy(own.sort((a, b) => byText(a.prefix, b.prefix) || byText(a.day, b.day)));
    },
    deactivate: async (prefix) => end(prefix),
    move: (key, moving) => moveKey({ rows, users, activeOf, end }, key, moving),
    endAll: (userId) => {
      for (const { prefix } of activeOf(userId)) end(prefix);
    },
    keys: () => [...rows.values()].map(({ key }) => key),
    days: () => [...days.values()],
    usesOn: async (day, userIds) => {
      const ofDay = Map.groupBy(
        [...days.values()].filter((each) => each.day === day),
        ({ prefix }) => rows.get(prefix)?.key.userId,
      );
      return userIds.flatMap((userId) => {
        const own = ofDay.get(userId);
        return own === undefined ? [] : { userId, day, uses: own.reduce((sum, { uses }) => sum + uses, 0) };
      });
    },
    noteUses: async (uses) => {
      for (const { prefix, usedAt, count } of uses) {
        const row = rows.get(prefix);
        if (row === undefined) continue;
        const day = usedAt.slice(0, 10);
        const at = `${day} ${prefix}`;
        days.set(at, { prefix, day, uses: (days.get(at)?.uses ?? 0) + count });
        if (usedAt > (row.key.lastUsedAt ?? '')) rows.set(prefix, { ...row, key: { ...row.key, lastUsedAt: usedAt } });
      }
    },
    removeOld: async (before) => {
      for (const [prefix, { key, endedAt = key.expiresAt }] of rows)
        if (endedAt < before || key.expiresAt < before) rows.delete(prefix);
      for (const [at, { prefix, day }] of days) if (day < before || !rows.has(prefix)) days.delete(at);
    },
  };
}

interface Keys {
  readonly rows: Map<string, Row>;
  readonly users: ReadonlyMap<number, User>;
  readonly activeOf: (userId: number) => readonly ApiKey[];
  readonly end: (prefix: string) => void;
}

function moveKey(
  { rows, users, activeOf, end }: Keys,
  { hash, ...moved }: MovedKey,
  { isKnown, most }: { readonly isKnown: boolean; readonly most: number },
): void {
  const { prefix, userId, name, expiresAt, isActive } = moved;
  const before = rows.get(prefix);
  if (isKnown) {
    if (before !== undefined) rows.set(prefix, { ...before, key: { ...before.key, name, expiresAt } });
  } else {
    if (!users.has(userId)) throw new DomainError('user_not_found', `No user has the id ${userId}.`);
    if (isActive && activeOf(userId).length >= most) throw tooManyKeys(most);
    if (before !== undefined)
      throw fieldError('conflict', { prefix: [{ rule: 'taken', message: 'is taken by another key.' }] });
    rows.set(prefix, { key: { ...copy(moved), isActive: true, lastUsedAt: null }, hash });
  }
  if (!isActive) end(prefix);
}
