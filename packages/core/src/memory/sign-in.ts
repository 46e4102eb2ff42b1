import type { RefreshRecord, RefreshTokenStore, SpendOutcome, ThrottleStore } from '../ports/accounts.ts';
import { copy } from './copy.ts';

/** What the memory stores know of sessions. */
export interface MemorySessions {
  isOpen(familyId: string): boolean;
}

interface Family {
  readonly expiresAt: string;
  readonly isRevoked: boolean;
}

/** Issued refresh tokens in memory. A revoked family stays revoked for members that are added later. */
export function memoryRefreshTokens(): RefreshTokenStore & MemorySessions {
  const records = new Map<string, RefreshRecord>();
  const spent = new Set<string>();
  const families = new Map<string, Family>();
  const revoke = (id: string): void => {
    const family = families.get(id);
    if (family !== undefined) families.set(id, { ...family, isRevoked: true });
  };
  const spend = (jti: string, now: string): SpendOutcome => {
    const record = records.get(jti);
    if (record === undefined) return 'unknown';
    if (spent.has(jti)) {
      revoke(record.familyId);
      return 'reused';
    }
    if (families.get(record.familyId)?.isRevoked === true) return 'revoked';
    if (isOver(record, now)) return 'unknown';
    spent.add(jti);
    return 'ok';
  };
  return {
    isOpen: (familyId) => families.get(familyId)?.isRevoked === false,
    add: async (record) => {
      const { familyId, expiresAt } = record;
      const { isRevoked = false, expiresAt: other = expiresAt } = families.get(familyId) ?? {};
      families.set(familyId, { expiresAt: isLater(other, expiresAt) ? other : expiresAt, isRevoked });
      records.set(record.jti, copy(record));
    },
    spend: async (jti, now) => spend(jti, now),
    revokeFamily: async (familyId) => revoke(familyId),
    deleteExpired: async (now) => {
      const over = [...records.values()].filter((record) => isOver(record, now));
      for (const { jti } of over) {
        records.delete(jti);
        spent.delete(jti);
      }
      for (const [id, family] of families) if (isOver(family, now)) families.delete(id);
      return over.length;
    },
  };
}

/** Longest window anybody counts, ms (one day): older failures go as new ones come, so that typed names do not pile up. */
const KEEP_MS = 86_400_000;

/** Failure counts in memory. */
export function memoryThrottle(): ThrottleStore {
  let failures: { readonly key: string; readonly atMs: number }[] = [];
  return {
    failures: async (key, sinceMs) => {
      const times = failures
        .filter((failure) => failure.key === key && failure.atMs >= sinceMs)
        .map(({ atMs }) => atMs);
      return { count: times.length, oldestMs: times.length === 0 ? undefined : Math.min(...times) };
    },
    fail: async (key, atMs) => {
      failures = failures.filter((failure) => failure.atMs >= atMs - KEEP_MS);
      failures.push({ key, atMs });
    },
    clear: async (key) => {
      failures = failures.filter((failure) => failure.key !== key);
    },
  };
}

function isOver({ expiresAt }: { readonly expiresAt: string }, now: string): boolean {
  return Date.parse(expiresAt) <= Date.parse(now);
}

function isLater(one: string, other: string): boolean {
  return Date.parse(one) > Date.parse(other);
}
