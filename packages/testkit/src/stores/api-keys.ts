import type { ApiKey, NewApiKey } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { newUser } from './sample.ts';

const EXPIRES = '2034-03-18T09:30:15.125Z';

/** API keys: found with their users, listed, ended, their uses noted. */
export function apiKeyCases(get: Get): void {
  const owner = async (name = 'asha'): Promise<number> => (await get().users.create(newUser(name))).id;
  const make = (userId: number, prefix: string, rest: Partial<NewApiKey> = {}): Promise<ApiKey> =>
    get().apiKeys.create({ prefix, hash: `hash of ${prefix}`, userId, name: 'field', expiresAt: EXPIRES, ...rest });
  const lastUse = async (prefix: string): Promise<unknown> => (await get().apiKeys.find(prefix))?.key.lastUsedAt;

  describe('API keys', () => {
    it('gives back what was stored, found by its prefix with its hash and its user', async () => {
      const { users, apiKeys } = get();
      const userId = await owner();
      const before = Date.now() - 60_000;
      const key = await make(userId, 'AbCd0123', { name: "o'Brien $1 गाँव" });
      const told = { prefix: 'AbCd0123', userId, name: "o'Brien $1 गाँव", expiresAt: EXPIRES };
      expect(key).toEqual({ ...told, isActive: true, createdAt: key.createdAt, lastUsedAt: null });
      expect(key.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(key.createdAt)).toBeGreaterThan(before);
      const user = await users.byId(userId);
      expect(await apiKeys.find('AbCd0123')).toEqual({ key, hash: 'hash of AbCd0123', user });
    });

    it('tells letters of a prefix apart by case', async () => {
      await make(await owner(), 'AbCd0123');
      expect(await get().apiKeys.find('abcd0123')).toBeUndefined();
    });

    it('refuses a prefix that is taken, naming the field, and a user that is not there', async () => {
      const userId = await owner();
      const first = await make(userId, 'AbCd0123');
      await expect(make(userId, 'AbCd0123', { hash: 'another' })).rejects.toMatchObject({
        code: 'conflict',
        fields: { prefix: [{ rule: 'taken', message: expect.any(String) }] },
      });
      for (const nobody of [userId + 1, 2 ** 31, 1.5])
        await expect(make(nobody, 'other000')).rejects.toMatchObject({ code: 'user_not_found' });
      expect(await get().apiKeys.activeOf(userId)).toEqual([first]);
    });

    it('refuses a name that no store takes', async () => {
      const userId = await owner();
      for (const name of ['a\0b', 'a\uD83Db'])
        await expect(make(userId, 'AbCd0123', { name })).rejects.toMatchObject({ code: 'validation' });
      expect(await get().apiKeys.activeOf(userId)).toEqual([]);
    });

    it('lists the active keys of one user, newest first, and ends one for good', async () => {
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
      expect(await apiKeys.deactivate('nobodys0')).toBeUndefined();
      expect(await apiKeys.activeOf(others)).toEqual([foreign]);
    });

    it('finds with the key whether its user is active', async () => {
      const { users, apiKeys } = get();
      const userId = await owner();
      await make(userId, 'AbCd0123');
      await users.setActive(userId, false);
      expect((await apiKeys.find('AbCd0123'))?.user).toEqual(await users.byId(userId));
    });

    it('notes the latest use of each key, in one go', async () => {
      const { apiKeys } = get();
      const userId = await owner();
      for (const prefix of ['first000', 'second00', 'third000']) await make(userId, prefix);
      const [early, late] = ['2026-01-01T10:00:00.125Z', '2026-01-01T10:00:07.250Z'];
      await apiKeys.noteUses([
        { prefix: 'first000', usedAt: late },
        { prefix: 'second00', usedAt: early },
        { prefix: 'nobodys0', usedAt: late },
      ]);
      await apiKeys.noteUses([
        { prefix: 'first000', usedAt: early },
        { prefix: 'second00', usedAt: late },
      ]);
      await apiKeys.noteUses([]);
      expect(await Promise.all(['first000', 'second00', 'third000'].map(lastUse))).toEqual([late, late, null]);
    });
  });
}
