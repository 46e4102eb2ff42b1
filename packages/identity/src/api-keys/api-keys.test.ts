import { beforeEach, describe, expect, it } from 'vitest';
import type { UserPrincipal } from '../auth/types.ts';
import { createManualTime, type ManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '../memory/stores.ts';
import type { Stores } from '../ports/stores.ts';
import { createApiKeys, MAX_EXPIRY_DAYS, MOST_KEYS, type ApiKeys } from './api-keys.ts';
import { maskedText } from './key-text.ts';

const DAY_MS = 86_400_000;

let time: ManualTime;
let stores: Stores;
let lines: string[];
let keys: ApiKeys;
let asha: UserPrincipal;
let binod: UserPrincipal;
let root: UserPrincipal;

beforeEach(async () => {
  time = createManualTime();
  stores = createMemoryStores({ clock: time });
  lines = [];
  const note = (...line: unknown[]): void => void lines.push(JSON.stringify(line));
  const logger = { debug: note, info: note, error: note };
  keys = createApiKeys({ stores, clock: time, timers: time, logger });
  const names = { email: '', firstName: '', lastName: '', contactNumber: null, passwordHash: 'x' };
  const user = async (username: string, isSuperuser = false): Promise<UserPrincipal> => ({
    kind: 'user',
    user: await stores.users.create({
      ...names,
      username,
      isSuperuser,
      isActive: true,
      mayCompute: true,
      mustChangePassword: false,
    }),
  });
  [asha, binod, root] = [await user('asha'), await user('binod'), await user('root', true)];
});

const refusal = {
  code: 'token_not_valid',
  message: expect.stringMatching(/^The API key is unknown/),
  details: { token: 'apiKey', problem: 'invalid' },
};

describe('checking a key', () => {
  it('returns the caller', async () => {
    const { text, key } = await keys.generate(asha);
    expect(await keys.authenticate(text)).toEqual({ kind: 'apiKey', user: asha.user, prefix: key.prefix });
  });

  it('refuses, with the same error, all texts that are not keys of this service', async () => {
    const { text, key } = await keys.generate(asha);
    const last = text.at(-1) === 'a' ? 'b' : 'a';
    const wrong = [`${text.slice(0, -1)}${last}`, `${key.prefix}.${'a'.repeat(32)}`, `Unknown0${text.slice(8)}`];
    const malformed = ['', 'x', `${text}x`, text.replace('.', ' '), maskedText(key.prefix), 'x'.repeat(1e6)];
    for (const other of [...wrong, ...malformed]) await expect(keys.authenticate(other)).rejects.toMatchObject(refusal);
  });

  it('refuses a key as soon as it is deactivated or has expired, or its user may not use it', async () => {
    const { text } = await keys.generate(asha, { expiryDays: 2 });
    const refused = (): Promise<unknown> => expect(keys.authenticate(text)).rejects.toMatchObject(refusal);
    await stores.users.setActive(asha.user.id, false);
    await refused();
    await stores.users.setActive(asha.user.id, true);
    expect(await keys.authenticate(text)).toHaveProperty('user');
    await stores.users.setPassword(asha.user.id, 'reset', { mustChange: true });
    await refused();
    await stores.users.setPassword(asha.user.id, 'own');
    await time.advance(2 * DAY_MS - 1);
    expect(await keys.authenticate(text)).toHaveProperty('user');
    await time.advance(1);
    await refused();
    const user = (await stores.users.byId(asha.user.id)) ?? asha.user;
    const other = await keys.generate({ kind: 'user', user });
    await keys.deactivate(asha, { userId: asha.user.id, text: other.text });
    await expect(keys.authenticate(other.text)).rejects.toMatchObject(refusal);
  });

  it('reads the store at each check, so that a key is refused immediately after another process has deactivated it', async () => {
    const { text, key } = await keys.generate(asha);
    await keys.authenticate(text);
    await stores.apiKeys.deactivate(key.prefix);
    await expect(keys.authenticate(text)).rejects.toMatchObject(refusal);
  });

  it('records when and how often a key was used, and ignores refused texts', async () => {
    const { text, key } = await keys.generate(asha);
    const unused = await keys.generate(asha);
    await time.advance(1500);
    await keys.authenticate(text);
    await keys.authenticate(`${unused.key.prefix}.${'a'.repeat(32)}`).catch(() => {});
    await keys.close();
    const uses = (await keys.list(asha)).map(({ prefix, lastUsedAt, days }) => [prefix, lastUsedAt, days]);
    expect(uses).toEqual([
      [unused.key.prefix, null, []],
      [key.prefix, '2026-01-01T00:00:01.500Z', [{ day: '2026-01-01', uses: 1 }]],
    ]);
    await time.advance(30 * DAY_MS);
    expect((await keys.list(asha)).map(({ days }) => days)).toEqual([[], []]);
  });
});

describe('creating a key', () => {
  it('stores a hash instead of the text; by default the name contains the time, and the key is valid for 3,000 days', async () => {
    const { text, key } = await keys.generate(asha);
    expect(key).toMatchObject({ name: 'API Key 2026-01-01 00:00', expiresAt: '2034-03-20T00:00:00.000Z' });
    const stored = JSON.stringify([await stores.apiKeys.find(key.prefix), await keys.list(asha)]);
    expect(stored).not.toContain(text.slice(9));
    expect((await stores.apiKeys.find(key.prefix))?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([0, -1, 1.5, Number.NaN, MAX_EXPIRY_DAYS + 1])('refuses to create a key for %d days', async (expiryDays) => {
    await expect(keys.generate(asha, { expiryDays })).rejects.toMatchObject({
      code: 'validation',
      fields: { expiryDays: [{ message: expect.stringContaining('from 1 to 36500') }] },
    });
    expect(await keys.list(asha)).toEqual([]);
  });

  it('creates no key if the session of the user ended after the check of the request', async () => {
    await stores.users.replacePassword(asha.user.id, 'by a link', asha.user);
    await expect(keys.generate(asha)).rejects.toMatchObject({ code: 'token_not_valid' });
    expect(await stores.apiKeys.activeOf(asha.user.id)).toEqual([]);
  });

  it('accepts a name of 1 to 150 characters', async () => {
    expect((await keys.generate(asha, { name: 'x'.repeat(150), expiryDays: MAX_EXPIRY_DAYS })).key.name).toHaveLength(
      150,
    );
    for (const name of ['', 'x'.repeat(151)])
      await expect(keys.generate(asha, { name })).rejects.toMatchObject({ fields: { name: [{}] } });
  });
});

describe('the maximum number of keys of an account', () => {
  it('is a hundred active keys; a further key can be created after one was deactivated', async () => {
    const texts: string[] = [];
    for (let count = 0; count < MOST_KEYS; count += 1) texts.push((await keys.generate(asha)).text);
    await expect(keys.generate(asha)).rejects.toMatchObject({
      code: 'conflict',
      message: 'You have 100 active API keys, which is the maximum for an account; deactivate one that is not needed.',
    });
    await keys.generate(binod);
    await keys.deactivate(asha, { userId: asha.user.id, text: texts[0] ?? '' });
    expect(await keys.generate(asha)).toHaveProperty('text');
  });
});

describe('deactivating a key', () => {
  it('is possible for its owner and for a superuser, with the text of the key or with the masked text of the list', async () => {
    const userId = asha.user.id;
    for (const who of [asha, root]) {
      const [whole, masked] = [await keys.generate(asha), await keys.generate(asha)];
      expect(await keys.deactivate(who, { userId, text: whole.text })).toEqual({ ...whole.key, isActive: false });
      await keys.deactivate(who, { userId, text: maskedText(masked.key.prefix) });
      expect(await keys.list(asha)).toEqual([]);
      expect((await keys.deactivate(who, { userId, text: whole.text })).isActive).toBe(false);
    }
  });

  it('is refused for a key of another user, whichever user id is sent, and for a text with a wrong secret', async () => {
    const { text, key } = await keys.generate(asha);
    const wrongSecret = `${key.prefix}.${'a'.repeat(32)}`;
    for (const [who, userId, given] of [
      [binod, asha.user.id, text],
      [binod, binod.user.id, text],
      [binod, asha.user.id, maskedText(key.prefix)],
      [root, binod.user.id, text],
      [asha, asha.user.id, wrongSecret],
      [asha, asha.user.id, key.prefix],
      [asha, asha.user.id, ''],
    ] as const)
      await expect(keys.deactivate(who, { userId, text: given })).rejects.toMatchObject({
        code: 'not_found',
        details: { kind: 'apiKey' },
      });
    expect(await keys.list(asha)).toEqual([{ ...key, days: [] }]);
  });
});

it('the deactivation of a key is logged like its creation, without the text of the key', async () => {
  const { text, key } = await keys.generate(asha, { name: 'field laptop' });
  await keys.authenticate(text);
  await keys.deactivate(root, { userId: asha.user.id, text });
  await keys.authenticate(text).catch(() => {});
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"securityEvent":"api_key_made"');
  expect(lines[1]).toContain('"securityEvent":"api_key_ended"');
  expect(lines.every((line) => line.includes(key.prefix))).toBe(true);
  expect(lines.join()).not.toContain(text.slice(9));
});
