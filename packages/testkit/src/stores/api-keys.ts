import { type ApiKey, type ApiKeyStore, createApiKeys, type NewApiKey } from '@headwater/http-service/testing';
import { createManualTime } from '@headwater/core/testing';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { newUser } from './sample.ts';

const EXPIRES = '2034-03-18T09:30:15.125Z';

type KeyOptions = Partial<NewApiKey> & { readonly most?: number };

/** Test cases of API keys: finding, listing, deactivating, counting uses. */
export function apiKeyCases(get: Get): void {
  const owner = async (name = 'asha'): Promise<number> => (await get().users.create(newUser(name))).id;
  const make = (userId: number, prefix: string, { most = 20, ...rest }: KeyOptions = {}): Promise<ApiKey> =>
    get().apiKeys.create(
      { prefix, hash: `hash of ${prefix}`, userId, sessionVersion: 0, name: 'field', expiresAt: EXPIRES, ...rest },
      { most },
    );
  const lastUse = async (prefix: string): Promise<unknown> => (await get().apiKeys.find(prefix))?.key.lastUsedAt;

  describe('API keys', () => {
    it('stores a key, and finds it by its prefix, with its hash and its user', async () => {
      const { users, apiKeys } = get();
      const userId = await owner();
      const before = Date.now() - 60_000;
      const key = await make(userId, 'AbCd0123', { name: "o'Brien $1 गाँव" });
      const stored = { prefix: 'AbCd0123', userId, name: "o'Brien $1 गाँव", expiresAt: EXPIRES };
      expect(key).toEqual({ ...stored, isActive: true, createdAt: key.createdAt, lastUsedAt: null });
      expect(key.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(key.createdAt)).toBeGreaterThan(before);
      const user = await users.byId(userId);
      expect(await apiKeys.find('AbCd0123')).toEqual({ key, hash: 'hash of AbCd0123', user });
    });

    it('prefixes are case-sensitive', async () => {
      await make(await owner(), 'AbCd0123');
      expect(await get().apiKeys.find('abcd0123')).toBeUndefined();
    });

    it('refuses a prefix that exists already, with a message that names the field, and refuses an unknown user', async () => {
      const userId = await owner();
      const first = await make(userId, 'AbCd0123');
      await expect(make(userId, 'AbCd0123', { hash: 'another' })).rejects.toMatchObject({
        code: 'conflict',
        fields: { prefix: [{ rule: 'taken', message: expect.any(String) }] },
      });
      for (const unknownId of [userId + 1, 2 ** 31, 1.5])
        await expect(make(unknownId, 'other000')).rejects.toMatchObject({ code: 'user_not_found' });
      expect(await get().apiKeys.activeOf(userId)).toEqual([first]);
    });

    it('refuses a name with NUL or a lone surrogate', async () => {
      const userId = await owner();
      for (const name of ['a\0b', 'a\uD83Db'])
        await expect(make(userId, 'AbCd0123', { name })).rejects.toMatchObject({ code: 'validation' });
      expect(await get().apiKeys.activeOf(userId)).toEqual([]);
    });

    it('lists the active keys of one user, newest first, and deactivates one permanently', async () => {
      const { apiKeys } = get();
      const [mine, others] = [await owner(), await owner('binod')];
      const keys: ApiKey[] = [];
      for (const prefix of ['first000', 'second00', 'third000']) keys.push(await make(mine, prefix));
      const foreign = await make(others, 'foreign0');
      const [first, second, third] = keys;
      expect(await apiKeys.activeOf(mine)).toEqual([third, second, first]);
      expect(await apiKeys.deactivate('second00')).toEqual({ ...second, isActive: false });
      expect(await apiKeys.activeOf(mine)).toEqual([third, first]);
      expect((await apiKeys.find('second00'))?.key.isActive).toBe(false);
      expect(await apiKeys.deactivate('second00')).toEqual({ ...second, isActive: false });
      expect(await apiKeys.deactivate('unknown0')).toBeUndefined();
      expect(await apiKeys.activeOf(others)).toEqual([foreign]);
    });

    it('refuses keys beyond the limit of active keys of one user, also if they are requested at the same time', async () => {
      const { apiKeys } = get();
      const [mine, others] = [await owner(), await owner('binod')];
      const prefixes = Array.from({ length: 6 }, (_each, at) => `at once${at}`);
      const outcomes = await Promise.allSettled(prefixes.map((prefix) => make(mine, prefix, { most: 3 })));
      const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(refused).toHaveLength(3);
      for (const reason of refused)
        expect(reason).toMatchObject({ code: 'conflict', message: expect.stringMatching(/^You have 3 .* deactivate/) });
      await make(others, 'foreign0', { most: 1 });
      const [key] = await apiKeys.activeOf(mine);
      await apiKeys.deactivate(key?.prefix ?? '');
      await make(mine, 'instead0', { most: 3 });
      expect(await apiKeys.activeOf(mine)).toHaveLength(3);
    });

    it('deactivates every key of a user with a password change, unless the change keeps the keys', async () => {
      const { users, apiKeys } = get();
      const [mine, others] = [await owner(), await owner('binod')];
      await make(mine, 'first000');
      const foreign = await make(others, 'foreign0');
      await users.setPassword(mine, 'scrypt$2$own');
      expect(await apiKeys.activeOf(mine)).toHaveLength(1);
      await users.setPassword(mine, 'scrypt$2$reset', { endsKeys: true });
      expect([await apiKeys.activeOf(mine), await apiKeys.activeOf(others)]).toEqual([[], [foreign]]);
      expect((await apiKeys.find('first000'))?.key.isActive).toBe(false);

      await make(mine, 'second00', { sessionVersion: 2 });
      expect(await users.replacePassword(mine, 'scrypt$2$link', { sessionVersion: 1 })).toBe(false);
      expect(await apiKeys.activeOf(mine)).toHaveLength(1);
      expect(await users.replacePassword(mine, 'scrypt$2$link', { sessionVersion: 2 })).toBe(true);
      expect([await apiKeys.activeOf(mine), await apiKeys.activeOf(others)]).toEqual([[], [foreign]]);

      await make(mine, 'third000', { sessionVersion: 3 });
      expect(await users.replacePassword(mine, 'scrypt$2$own', { sessionVersion: 3, endsKeys: false })).toBe(true);
      expect(await apiKeys.activeOf(mine)).toHaveLength(1);
    });

    it('a session that ended after its check gets no key; a key that is created while the session ends is not active', async () => {
      const { users, apiKeys } = get();
      const userId = await owner();
      await users.setPassword(userId, 'scrypt$2$own');
      await expect(make(userId, 'stale000')).rejects.toMatchObject({ code: 'token_not_valid' });
      await users.setActive(userId, false);
      await expect(make(userId, 'stale000', { sessionVersion: 1 })).rejects.toMatchObject({ code: 'token_not_valid' });
      await users.setActive(userId, true);
      await Promise.allSettled([
        ...['racing00', 'racing01'].map((prefix) => make(userId, prefix, { sessionVersion: 2 })),
        users.replacePassword(userId, 'scrypt$2$link', { sessionVersion: 2 }),
        ...['racing02', 'racing03'].map((prefix) => make(userId, prefix, { sessionVersion: 2 })),
      ]);
      expect(await users.byId(userId)).toMatchObject({ sessionVersion: 3 });
      expect(await apiKeys.activeOf(userId)).toEqual([]);
    });

    it('removes the keys that expired or were deactivated before a given day, and the use counts of earlier days', async () => {
      const { apiKeys } = get();
      const userId = await owner();
      const expiring = {
        ended000: '2024-12-31T23:59:59.999Z',
        lately00: '2025-01-01T00:00:00.000Z',
        lasting0: EXPIRES,
      };
      for (const [prefix, expiresAt] of Object.entries(expiring)) {
        await make(userId, prefix, { expiresAt });
        const uses = ['2024-12-31T23:59:59.999Z', '2025-01-01T00:00:00.000Z'];
        await apiKeys.noteUses(uses.map((usedAt) => ({ prefix, usedAt, count: 1 })));
      }
      await make(userId, 'ended by');
      await apiKeys.deactivate('ended by');
      await apiKeys.removeOld('2025-01-01');
      expect((await apiKeys.activeOf(userId)).map(({ prefix }) => prefix)).toEqual(['lasting0', 'lately00']);
      expect(await apiKeys.find('ended000')).toBeUndefined();
      expect(await apiKeys.daysOf(userId, '2020-01-01')).toEqual(
        ['lasting0', 'lately00'].map((prefix) => ({ prefix, day: '2025-01-01', uses: 1 })),
      );
      expect(await apiKeys.find('ended by')).toBeDefined();
      await apiKeys.removeOld('9000-01-01');
      expect([await apiKeys.find('ended by'), await apiKeys.activeOf(userId)]).toEqual([undefined, []]);
    });

    it('finds a key of a deactivated user, with the present state of the user', async () => {
      const { users, apiKeys } = get();
      const userId = await owner();
      await make(userId, 'AbCd0123');
      await users.setActive(userId, false);
      expect((await apiKeys.find('AbCd0123'))?.user).toEqual(await users.byId(userId));
    });

    it('stores the latest use of each key and the number of uses per day in one call', async () => {
      const { apiKeys } = get();
      const [userId, others] = [await owner(), await owner('binod')];
      for (const prefix of ['first000', 'second00', 'third000']) await make(userId, prefix);
      await make(others, 'foreign0');
      const [eve, early, late] = ['2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00.000Z', '2026-01-02T10:00:07.250Z'];
      await apiKeys.noteUses([
        { prefix: 'first000', usedAt: late, count: 2 },
        { prefix: 'second00', usedAt: early, count: 1 },
        { prefix: 'second00', usedAt: eve, count: 40 },
        { prefix: 'unknown0', usedAt: late, count: 5 },
        { prefix: 'foreign0', usedAt: late, count: 6 },
      ]);
      await apiKeys.noteUses([
        { prefix: 'first000', usedAt: early, count: 3 },
        { prefix: 'second00', usedAt: late, count: 2_000_000_000 },
      ]);
      await apiKeys.noteUses([]);
      expect(await Promise.all(['first000', 'second00', 'third000'].map(lastUse))).toEqual([late, late, null]);
      const first = { prefix: 'first000', day: '2026-01-02', uses: 5 };
      const second = { prefix: 'second00', day: '2026-01-02', uses: 2_000_000_001 };
      const before = { prefix: 'second00', day: '2026-01-01', uses: 40 };
      expect(await apiKeys.daysOf(userId, '2026-01-01')).toEqual([first, before, second]);
      expect(await apiKeys.daysOf(userId, '2026-01-02')).toEqual([first, second]);
      const accounts = [userId, others, 2_000_000_000, 1e12];
      const uses = [
        { userId, day: first.day, uses: 2_000_000_006 },
        { userId: others, day: first.day, uses: 6 },
      ];
      expect(new Set(await apiKeys.usesOn(first.day, accounts))).toEqual(new Set(uses));
      expect(await apiKeys.usesOn('2020-01-01', accounts)).toEqual([]);
      await apiKeys.deactivate('second00');
      expect(await apiKeys.usesOn(first.day, [userId])).toEqual([uses[0]]);
      expect(await apiKeys.daysOf(userId, '2026-01-01')).toEqual([first]);
    });

    it('counts each concurrent use once', async () => {
      const { apiKeys } = get();
      const userId = await owner();
      const prefixes = Array.from({ length: 20 }, (_each, at) => `key${String(at).padStart(5, '0')}`);
      for (const prefix of prefixes) await make(userId, prefix);
      const usedAt = '2026-01-02T10:00:00.000Z';
      const uses = prefixes.map((prefix) => ({ prefix, usedAt, count: 1 }));
      await Promise.all([uses, uses.toReversed(), uses, uses.toReversed()].map((each) => apiKeys.noteUses(each)));
      const days = await apiKeys.daysOf(userId, '2026-01-02');
      expect(days).toEqual(prefixes.map((prefix) => ({ prefix, day: '2026-01-02', uses: 4 })));
    });

    it('counts each use once, even while uses are being stored, and after a failed read', async () => {
      const { users, apiKeys } = get();
      const user = await users.create(newUser('asha'));
      const time = createManualTime();
      const [stored, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let failing = 0;
      const noteUses: ApiKeyStore['noteUses'] = async (uses) => {
        await apiKeys.noteUses(uses);
        stored.resolve();
        await gate.promise;
      };
      const usesOn: ApiKeyStore['usesOn'] = async (day, userIds) => {
        if (failing === 0) return await apiKeys.usesOn(day, userIds);
        failing -= 1;
        throw new Error('the connection broke');
      };
      const keys = createApiKeys({
        stores: { apiKeys: { ...apiKeys, noteUses, usesOn } },
        clock: time,
        timers: time,
      });
      const { text } = await keys.generate({ kind: 'user', user });
      for (let use = 0; use < 60; use += 1) await keys.authenticate(text);
      await time.advance(10_000);
      await stored.promise;
      const during = keys.usesToday(user.id);
      // `usesToday` has not returned yet, but the store already has the uses.
      expect(await apiKeys.usesOn('2026-01-01', [user.id])).toMatchObject([{ uses: 60 }]);
      await time.advance(0);
      failing = 1;
      gate.resolve();
      await expect(during).rejects.toThrow('the connection broke');
      await keys.authenticate(text);
      expect(await keys.usesToday(user.id)).toBe(61);
      await keys.close();
      expect(await apiKeys.usesOn('2026-01-01', [user.id])).toMatchObject([{ uses: 61 }]);
    });
  });
}
