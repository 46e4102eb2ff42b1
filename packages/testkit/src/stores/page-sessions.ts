import type { PageSession } from '@headwater/http-service/testing';
import { describe, expect, it } from 'vitest';
import { type Get, newUser } from './sample.ts';

const CREATED = '2026-01-01T00:00:00.000Z';
const EXPIRES = '2026-01-01T08:00:00.000Z';

/** Test cases of browser sessions. */
export function pageSessionCases(get: Get): void {
  const open = async (hash: string, expiresAt = EXPIRES): Promise<PageSession> => {
    const { users, pageSessions } = get();
    const user = (await users.byUsername('asha')) ?? (await users.create(newUser('asha')));
    const session = { hash, userId: user.id, sessionVersion: user.sessionVersion, createdAt: CREATED, expiresAt };
    await pageSessions.add(session);
    return session;
  };

  describe('browser sessions', () => {
    it('a stored session is found with its user, also after it expired', async () => {
      const { users, pageSessions } = get();
      const session = await open('one', '2001-01-01T00:00:00.000Z');
      const user = await users.byId(session.userId);
      expect(await pageSessions.find('one')).toEqual({ session, user });
      expect(await pageSessions.find('other')).toBeUndefined();
      await users.setActive(session.userId, false);
      expect(await pageSessions.find('one')).toMatchObject({ session, user: { isActive: false, sessionVersion: 1 } });
    });

    it('refuses a session of an unknown user', async () => {
      const { pageSessions } = get();
      const { userId } = await open('one');
      for (const unknown of [userId + 1, 2 ** 40]) {
        const session = {
          hash: `of ${unknown}`,
          userId: unknown,
          sessionVersion: 0,
          createdAt: CREATED,
          expiresAt: EXPIRES,
        };
        await expect(pageSessions.add(session)).rejects.toMatchObject({ code: 'user_not_found' });
        expect(await pageSessions.find(session.hash)).toBeUndefined();
      }
    });

    it('extends and removes one session, and no other', async () => {
      const { pageSessions } = get();
      const [one, other] = [await open('one'), await open('other')];
      await pageSessions.extend('one', '2026-01-02T00:00:00.000Z');
      await pageSessions.extend('unknown', '2026-01-02T00:00:00.000Z');
      const expiresAt = '2026-01-02T00:00:00.000Z';
      expect((await pageSessions.find('one'))?.session).toEqual({ ...one, expiresAt });
      expect((await pageSessions.find('other'))?.session).toEqual(other);
      expect([await pageSessions.remove('one'), await pageSessions.remove('one')]).toEqual([true, false]);
      expect([await pageSessions.find('one'), await pageSessions.find('unknown')]).toEqual([undefined, undefined]);
      expect(await pageSessions.find('other')).toBeDefined();
    });

    it('removes the sessions that have expired', async () => {
      const { pageSessions } = get();
      await open('old', '2026-01-01T00:00:01.000Z');
      await open('just over', EXPIRES);
      await open('new', '2026-01-01T08:00:00.001Z');
      expect([await pageSessions.deleteExpired(EXPIRES), await pageSessions.deleteExpired(EXPIRES)]).toEqual([2, 0]);
      const left = await Promise.all(['old', 'just over', 'new'].map((hash) => pageSessions.find(hash)));
      expect(left.map((known) => known?.session.hash)).toEqual([undefined, undefined, 'new']);
    });
  });
}
