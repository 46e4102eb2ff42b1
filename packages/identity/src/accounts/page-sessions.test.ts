import { createManualTime } from '@headwater/core/testing';
import { describe, expect, it } from 'vitest';
import { createMemoryStores } from '../memory/stores.ts';
import type { NewUser } from '../ports/accounts.ts';
import { createPageSessions, PAGE_SESSION } from './page-sessions.ts';

const HOUR = 3_600_000;
const ASHA: NewUser = {
  username: 'asha',
  email: '',
  firstName: '',
  lastName: '',
  contactNumber: null,
  isActive: true,
  isSuperuser: false,
  mayCompute: true,
  mustChangePassword: false,
  passwordHash: 'none',
};

async function setUp() {
  const clock = createManualTime(new Date('2026-01-01T00:00:00Z'));
  const stores = createMemoryStores({ clock });
  const user = await stores.users.create(ASHA);
  const added: string[] = [];
  const extended: string[] = [];
  const { pageSessions } = stores;
  const watched: typeof pageSessions = {
    ...pageSessions,
    add: async (session) => {
      added.push(session.hash);
      await pageSessions.add(session);
    },
    extend: async (hash, expiresAt) => {
      extended.push(expiresAt);
      await pageSessions.extend(hash, expiresAt);
    },
  };
  return {
    clock,
    stores,
    user,
    added,
    extended,
    sessions: createPageSessions({ stores: { pageSessions: watched }, clock }),
  };
}

describe('browser sessions', () => {
  it('have ids of 64 random hex digits; the store gets only a hash of an id', async () => {
    const { sessions, user, added } = await setUp();
    const ids = [await sessions.open(user), await sessions.open(user)];
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([...ids, ...added]).size).toBe(4);
    // A reader of the store cannot use the hash as id.
    expect(await sessions.userOf(added[0] ?? '')).toBeUndefined();
    expect(await sessions.userOf(ids[0] ?? '')).toEqual(user);
  });

  it('are not extended by requests that an open page repeats on its own', async () => {
    const { sessions, user, clock, extended } = await setUp();
    const id = await sessions.open(user);
    for (let hours = 0; hours < 7; hours += 1) {
      await clock.advance(HOUR);
      expect(await sessions.userOf(id, 'watch')).toEqual(user);
    }
    await clock.advance(HOUR);
    expect([await sessions.userOf(id, 'watch'), extended]).toEqual([undefined, []]);
  });

  it('end after eight hours without a request, and after seven days', async () => {
    const { sessions, user, clock } = await setUp();
    const idle = await sessions.open(user);
    await clock.advance(PAGE_SESSION.idleMs - 1);
    expect(await sessions.userOf(idle)).toEqual(user);
    await clock.advance(PAGE_SESSION.idleMs);
    expect(await sessions.userOf(idle)).toBeUndefined();
    const used = await sessions.open(user);
    for (let hours = 7; hours < 7 * 24; hours += 7) {
      await clock.advance(7 * HOUR);
      expect(await sessions.userOf(used)).toEqual(user);
    }
    await clock.advance(HOUR - 1);
    expect(await sessions.userOf(used)).toBeDefined();
    await clock.advance(6 * HOUR + 1);
    expect(await sessions.userOf(used)).toBeUndefined();
  });

  it('are written at most every five minutes, and removed when they have expired', async () => {
    const { sessions, user, clock, extended, stores, added } = await setUp();
    const id = await sessions.open(user);
    for (let minute = 0; minute < 12; minute += 1) {
      await clock.advance(60_000);
      await sessions.userOf(id);
    }
    expect(extended).toEqual(['2026-01-01T08:05:00.000Z', '2026-01-01T08:10:00.000Z']);
    await clock.advance(PAGE_SESSION.mostMs);
    await sessions.open(user);
    expect(await stores.pageSessions.find(added[0] ?? '')).toBeUndefined();
  });

  it('end one by one, and all together when the password of the user changes', async () => {
    const { sessions, user, stores } = await setUp();
    const [one, other] = [await sessions.open(user), await sessions.open(user)];
    await sessions.end(one);
    await sessions.end(one);
    expect([await sessions.userOf(one), await sessions.userOf(other)]).toEqual([undefined, user]);
    await stores.users.setPassword(user.id, 'another');
    expect(await sessions.userOf(other)).toBeUndefined();
  });
});
