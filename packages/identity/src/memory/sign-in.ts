import { copy } from '@headwater/core/memory';
import { DomainError } from '@headwater/core';
import type {
  KnownPlace,
  RefreshRecord,
  RefreshTokenStore,
  SpendOutcome,
  ThrottleStore,
  User,
  PageSession,
  PageSessionStore,
} from '../ports/accounts.ts';

/** State of sessions in memory. */
export interface MemorySessions {
  isOpen(familyId: string): boolean;
}

interface Family {
  readonly expiresAt: string;
  readonly isRevoked: boolean;
}

/** Refresh tokens in memory. A family (all tokens since one sign-in) stays revoked, also for later tokens. */
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
  const add = (record: RefreshRecord): void => {
    const { familyId, expiresAt } = record;
    const { isRevoked = false, expiresAt: other = expiresAt } = families.get(familyId) ?? {};
    families.set(familyId, { expiresAt: isLater(other, expiresAt) ? other : expiresAt, isRevoked });
    records.set(record.jti, copy(record));
  };
  return {
    isOpen: (familyId) => families.get(familyId)?.isRevoked === false,
    add: async (record) => add(record),
    spend: async (jti, now, next) => {
      const outcome = spend(jti, now);
      if (outcome === 'ok' && next !== undefined) add(next);
      return outcome;
    },
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

const KEEP_MS = 86_400_000;

/** Maximum number of stored failures, so that an attack cannot fill the memory. */
const MAX_FAILURES = 100_000;
const MAX_PER_KEY = 1000;

/** Maximum number of stored addresses, of about 300 bytes each. */
const MAX_PLACES = 10_000;

function memoryPlaces(): Pick<ThrottleStore, 'know' | 'knows'> {
  // Known addresses in the order of their latest sign-in, so that the oldest are removed first.
  const places = new Map<string, Pick<KnownPlace, 'name' | 'atMs'>>();
  return {
    know: async ({ name, pair, atMs, sinceMs, most }) => {
      places.delete(pair);
      places.set(pair, { name, atMs });
      const own = [...places].filter(([, place]) => place.name === name).map(([key]) => key);
      for (const key of own.slice(0, -most)) places.delete(key);
      for (const [key, place] of places) if (place.atMs < sinceMs || places.size > MAX_PLACES) places.delete(key);
    },
    knows: async (pair, sinceMs) => (places.get(pair)?.atMs ?? -Infinity) >= sinceMs,
  };
}

/** Failure counts in memory; the keys with the oldest last failure are removed first. */
export function memoryThrottle(): ThrottleStore {
  const failures = new Map<string, readonly number[]>();
  let storedCount = 0;
  const forget = (key: string): void => {
    storedCount -= failures.get(key)?.length ?? 0;
    failures.delete(key);
  };
  const forgetOld = (sinceMs: number): void => {
    for (const [key, times] of failures) {
      if (storedCount <= MAX_FAILURES && (times.at(-1) ?? 0) >= sinceMs) return;
      forget(key);
    }
  };
  return {
    failures: async (key, sinceMs) => {
      const times = (failures.get(key) ?? []).filter((atMs) => atMs >= sinceMs);
      return { count: times.length, oldestMs: times.length === 0 ? undefined : Math.min(...times) };
    },
    fail: async (key, atMs) => {
      const times = [...(failures.get(key) ?? []).filter((each) => each >= atMs - KEEP_MS), atMs].slice(-MAX_PER_KEY);
      forget(key);
      failures.set(key, times);
      storedCount += times.length;
      forgetOld(atMs - KEEP_MS);
    },
    clear: async (key) => forget(key),
    ...memoryPlaces(),
  };
}

function isOver({ expiresAt }: { readonly expiresAt: string }, now: string): boolean {
  return Date.parse(expiresAt) <= Date.parse(now);
}

function isLater(one: string, other: string): boolean {
  return Date.parse(one) > Date.parse(other);
}

/** Browser sessions in memory, by hash. */
export function memoryPageSessions(
  users: ReadonlyMap<number, User>,
  sessions: Map<string, PageSession>,
): PageSessionStore {
  return {
    add: async (session) => {
      if (!users.has(session.userId)) throw new DomainError('user_not_found', `No user has the id ${session.userId}.`);
      sessions.set(session.hash, copy(session));
    },
    find: async (hash) => {
      const session = sessions.get(hash);
      const user = session === undefined ? undefined : users.get(session.userId);
      return session === undefined || user === undefined ? undefined : copy({ session, user });
    },
    extend: async (hash, expiresAt) => {
      const session = sessions.get(hash);
      if (session !== undefined) sessions.set(hash, { ...session, expiresAt });
    },
    remove: async (hash) => sessions.delete(hash),
    deleteExpired: async (now) => {
      const over = [...sessions.values()].filter(({ expiresAt }) => Date.parse(expiresAt) <= Date.parse(now));
      for (const { hash } of over) sessions.delete(hash);
      return over.length;
    },
  };
}
