import type { RefreshRecord, RefreshTokenStore, SpendOutcome, ThrottleStore } from '../ports/accounts.ts';
import { copy } from './copy.ts';

/** Issued refresh tokens in memory. A revoked family stays revoked for members that are added later. */
export function memoryRefreshTokens(): RefreshTokenStore {
  const records = new Map<string, RefreshRecord>();
  const spent = new Set<string>();
  const revoked = new Set<string>();
  const spend = (jti: string, now: string): SpendOutcome => {
    const record = records.get(jti);
    if (record === undefined) return 'unknown';
    if (spent.has(jti)) {
      revoked.add(record.familyId);
      return 'reused';
    }
    if (revoked.has(record.familyId)) return 'revoked';
    if (isOver(record, now)) return 'unknown';
    spent.add(jti);
    return 'ok';
  };
  return {
    add: async (record) => void records.set(record.jti, copy(record)),
    spend: async (jti, now) => spend(jti, now),
    revokeFamily: async (familyId) => void revoked.add(familyId),
    familyOf: async (jti) => records.get(jti)?.familyId,
    deleteExpired: async (now) => {
      const over = [...records.values()].filter((record) => isOver(record, now));
      for (const { jti } of over) {
        records.delete(jti);
        spent.delete(jti);
      }
      const families = new Set(Array.from(records.values(), ({ familyId }) => familyId));
      for (const familyId of revoked) if (!families.has(familyId)) revoked.delete(familyId);
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

function isOver(record: RefreshRecord, now: string): boolean {
  return Date.parse(record.expiresAt) <= Date.parse(now);
}
