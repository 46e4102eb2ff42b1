import type { RefreshRecord } from '@headwater/http-service/testing';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { newUser } from './sample.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-08T00:00:00.000Z';

/** Test cases of refresh tokens, and of the throttle of sign-ins. */
export function signInCases(get: Get): void {
  const issue = async (jti: string, familyId = 'family', expiresAt = LATER): Promise<RefreshRecord> => {
    const { users, refreshTokens } = get();
    const user = (await users.byUsername('asha')) ?? (await users.create(newUser('asha')));
    const record = { jti, familyId, userId: user.id, expiresAt };
    await refreshTokens.add(record);
    return record;
  };

  describe('refresh tokens', () => {
    it('a token can be used once; a second use revokes all tokens of its session (its family)', async () => {
      const { refreshTokens } = get();
      await issue('a');
      await issue('b');
      await issue('other', 'other family');
      expect(await refreshTokens.spend('a', NOW)).toBe('ok');
      expect(await refreshTokens.spend('a', NOW)).toBe('reused');
      expect(await refreshTokens.spend('b', NOW)).toBe('revoked');
      expect(await refreshTokens.spend('other', NOW)).toBe('ok');
    });

    it('uses the first token and stores the next token in one step; if the first token cannot be used, no token is stored', async () => {
      const { refreshTokens } = get();
      const next = { ...(await issue('a')), jti: 'b' };
      expect(await refreshTokens.spend('a', NOW, next)).toBe('ok');
      expect(await refreshTokens.spend('a', NOW, { ...next, jti: 'c' })).toBe('reused');
      expect(await refreshTokens.spend('b', NOW)).toBe('revoked');
      expect(await refreshTokens.spend('c', NOW)).toBe('unknown');
      await issue('e', 'other family');
      if ((await get().ping()).kind === 'memory') return;
      // If the next token cannot be stored, the first token stays unused.
      const stored = { ...next, jti: 'b', familyId: 'other family' };
      await expect(refreshTokens.spend('e', NOW, stored)).rejects.toMatchObject({ code: 'conflict' });
      expect(await refreshTokens.spend('e', NOW)).toBe('ok');
    });

    it('accepts only one of 8 concurrent uses of a token', async () => {
      const { refreshTokens } = get();
      for (const jti of ['a', 'b', 'c', 'd', 'e', 'f']) {
        await issue(jti, `family of ${jti}`);
        const outcomes = await Promise.all(Array.from({ length: 8 }, () => refreshTokens.spend(jti, NOW)));
        expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
        expect(outcomes.filter((outcome) => outcome === 'reused' || outcome === 'revoked')).toHaveLength(7);
      }
    });

    it('a token added to a revoked family is revoked', async () => {
      const { refreshTokens } = get();
      await issue('a');
      expect(await refreshTokens.spend('a', NOW)).toBe('ok');
      expect(await refreshTokens.spend('a', NOW)).toBe('reused');
      await issue('b');
      expect(await refreshTokens.spend('b', NOW)).toBe('revoked');
    });

    it('revokes families of tokens, and returns unknown for an unknown token', async () => {
      const { refreshTokens } = get();
      await issue('a');
      expect(await refreshTokens.spend('unknown', NOW)).toBe('unknown');
      await refreshTokens.revokeFamily('family');
      await refreshTokens.revokeFamily('unknown');
      expect(await refreshTokens.spend('a', NOW)).toBe('revoked');
    });

    it('returns a user with the state of a session', async () => {
      const { users, refreshTokens } = get();
      const { userId } = await issue('a');
      await issue('b', 'other family');
      const user = await users.byId(userId);
      expect(await users.ofSession(userId, 'family')).toEqual({ user, isOpen: true });
      expect(await users.ofSession(userId, 'unknown')).toEqual({ user, isOpen: false });
      expect(await users.ofSession(userId + 1, 'family')).toBeUndefined();
      await refreshTokens.revokeFamily('family');
      expect(await users.ofSession(userId, 'family')).toEqual({ user, isOpen: false });
      expect(await users.ofSession(userId, 'other family')).toEqual({ user, isOpen: true });
      for (const second of [1, 2]) await refreshTokens.spend('b', `2026-01-01T00:00:0${second}.000Z`);
      expect(await users.ofSession(userId, 'other family')).toEqual({ user, isOpen: false });
    });

    it('deletes expired tokens and returns their number', async () => {
      const { refreshTokens } = get();
      await issue('old', 'family', '2025-12-31T00:00:00.000Z');
      await issue('older', 'gone', '2025-12-30T00:00:00.000Z');
      await issue('new', 'family', LATER);
      expect(await refreshTokens.deleteExpired(NOW)).toBe(2);
      expect(await refreshTokens.spend('old', '2025-12-01T00:00:00.000Z')).toBe('unknown');
      expect(await refreshTokens.spend('new', NOW)).toBe('ok');
      expect(await refreshTokens.deleteExpired(NOW)).toBe(0);
    });
  });

  describe('throttle', () => {
    it('counts the failures of one key within a period', async () => {
      const { throttle } = get();
      for (const at of [1000, 2000, 3000]) await throttle.fail('name:asha', at);
      await throttle.fail('name:other', 2000);
      expect(await throttle.failures('name:asha', 0)).toEqual({ count: 3, oldestMs: 1000 });
      expect(await throttle.failures('name:asha', 2000)).toEqual({ count: 2, oldestMs: 2000 });
      expect(await throttle.failures('name:asha', 3001)).toEqual({ count: 0, oldestMs: undefined });
    });

    it('clears the failures of a key on request', async () => {
      const { throttle } = get();
      const now = Date.now();
      await throttle.fail('addr:10.0.0.1', now);
      await throttle.fail('addr:10.0.0.2', now);
      await throttle.clear('addr:10.0.0.1');
      expect((await throttle.failures('addr:10.0.0.1', 0)).count).toBe(0);
      expect(await throttle.failures('addr:10.0.0.2', 0)).toEqual({ count: 1, oldestMs: now });
    });

    it('stores the latest addresses from which a user name signed in, until they are too old', async () => {
      const { throttle } = get();
      const [sinceMs, most] = [1000, 2];
      const remember = (name: string, place: string, atMs: number): Promise<void> =>
        throttle.know({ name: `name:${name}`, pair: `${place} ${name}`, atMs, sinceMs, most });
      for (const [place, atMs] of [
        ['home', 2000],
        ['work', 3000],
        ['home', 4000],
        ['train', 5000],
      ] as const)
        await remember('asha', place, atMs);
      await remember('other', 'home', 1500);
      const known = ['home asha', 'work asha', 'train asha', 'home other', 'work other'];
      const since = (ms: number): Promise<boolean[]> => Promise.all(known.map((pair) => throttle.knows(pair, ms)));
      expect(await since(sinceMs)).toEqual([true, false, true, true, false]);
      expect(await since(4001)).toEqual([false, false, true, false, false]);
      await throttle.know({ name: 'name:new', pair: 'home new', atMs: 9000, sinceMs: 4500, most });
      expect(await since(0)).toEqual([false, false, true, false, false]);
    });

    it('counts each concurrent failure once', async () => {
      const { throttle } = get();
      await Promise.all(Array.from({ length: 20 }, () => throttle.fail('name:asha', 5000)));
      expect((await throttle.failures('name:asha', 5000)).count).toBe(20);
    });
  });
}
