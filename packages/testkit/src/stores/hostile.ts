import { isDomainError } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { bundle, claimed, deliverable, newRun, newUser } from './sample.ts';

/** Texts that can make a store fail. */
const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ['quotes', `o'b"r\`ien\\'; drop table headwater.users; --`],
  ['placeholders', '$1 ${x} $2:name %s ? :a'],
  ['NUL', 'a\0b'],
  ['a lone high surrogate', 'a\uD83Db'],
  ['a lone low surrogate', '\uDE00'],
  ['an astral character', 'गाँव 🌾'],
  ['direction marks and combining letters', '\u202Ee\u0301\u200B'],
  ['100,000 characters', 'x'.repeat(100_000)],
  ['an empty text', ''],
];

/** Ids that an `integer` column cannot contain. */
const BEYOND = [2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1.5, Number.NaN, Number.POSITIVE_INFINITY];

async function storedOrRefused<T>(work: Promise<T>): Promise<T | 'refused'> {
  try {
    return await work;
  } catch (error) {
    if (isDomainError(error) && error.code === 'validation') return 'refused';
    throw error;
  }
}

/**
 * Test cases of untrusted texts and ids. A store must keep a text exactly, or refuse it as `validation`. An impossible
 * id must find nothing.
 */
export function hostileCases(get: Get): void {
  describe.each(HOSTILE)('hostile text: %s', (_name, text) => {
    it('is looked up, and nothing is found', async () => {
      const { users, refreshTokens, apiKeys, places, runs, catalog } = get();
      expect(await users.byUsername(text)).toBeUndefined();
      expect(await apiKeys.find(text)).toBeUndefined();
      expect(await apiKeys.deactivate(text)).toBeUndefined();
      await apiKeys.noteUses([{ prefix: text, usedAt: '2026-01-01T00:00:00Z', count: 1 }]);
      expect(await users.ofSession(1, text)).toBeUndefined();
      expect(await refreshTokens.spend(text, '2026-01-01T00:00:00Z')).toBe('unknown');
      await refreshTokens.revokeFamily(text);
      expect(await places.findState(text)).toBeUndefined();
      expect(await places.findDistrict(1, text)).toBeUndefined();
      expect(await places.findTehsil(1, text)).toBeUndefined();
      expect(await runs.get(text)).toBeUndefined();
      expect(await runs.requestCancel(text)).toBeUndefined();
      expect(await runs.events(text, 0, 10)).toEqual([]);
      expect(await runs.heartbeat(text, 1, { leaseMs: 1000 })).toBe('lost');
      expect(await catalog.item(text, text)).toBeUndefined();
      expect(await catalog.itemsOfRun(text)).toEqual([]);
      expect(await catalog.itemsOf(text)).toEqual([]);
      expect(text === '' ? undefined : await catalog.collection(text)).toBeUndefined();
      expect(await catalog.layer(text, text)).toBeUndefined();
      expect(await catalog.layerOfRun(text, text, text)).toBeUndefined();
    });

    it('is stored as a user name, or refused', async () => {
      const { users } = get();
      const stored = await storedOrRefused(users.create(newUser(text, { email: 'a@example.org' })));
      const found = await users.byUsername(text);
      expect(found).toEqual(stored === 'refused' ? undefined : stored);
      expect(found?.username ?? text).toBe(text);
      const code = stored === 'refused' ? 'validation' : 'conflict';
      await expect(users.create(newUser(text))).rejects.toMatchObject({ code });
    });

    it('is accepted as a throttle key', async () => {
      const { throttle } = get();
      await throttle.fail(`name:${text}`, 1000);
      expect((await throttle.failures(`name:${text}`, 0)).count).toBe(1);
      expect((await throttle.failures(`name:${text}\uFFFD`, 0)).count).toBe(0);
      await throttle.know({ name: text, pair: text, atMs: 1000, sinceMs: 0, most: 1 });
      expect([await throttle.knows(text, 0), await throttle.knows(`${text}\uFFFD`, 0)]).toEqual([true, false]);
      await throttle.clear(`name:${text}`);
      expect((await throttle.failures(`name:${text}`, 0)).count).toBe(0);
    });

    it('is stored with a run: in its parameters, step, log and error', async () => {
      const { runs } = get();
      const { run } = await runs.enqueue(newRun('r1', { params: { text, list: [text] } }));
      expect(run.params).toEqual({ text, list: [text] });
      const { token } = await claimed(runs);
      expect(await runs.heartbeat('r1', token, { leaseMs: 60_000, step: text })).toBe('ok');
      expect((await runs.appendEvent('r1', { kind: 'log', data: { text } })).data).toEqual({ text });
      expect((await runs.events('r1', 0, 100)).at(-1)?.data).toEqual({ text });
      expect(await runs.fail('r1', token, { code: 'input_data', message: text })).toBe('ok');
      expect((await runs.get('r1'))?.error?.message).toBe(text);
    });

    it('is matched as a fingerprint, or refused', async () => {
      const { runs } = get();
      const first = await storedOrRefused(runs.enqueue(newRun('r1', { fingerprint: text })));
      if (first === 'refused') return;
      expect(await runs.enqueue(newRun('r2', { fingerprint: text }))).toMatchObject({
        joined: true,
        run: { id: 'r1' },
      });
      expect((await runs.enqueue(newRun('r3', { fingerprint: `${text}.` }))).joined).toBe(false);
    });

    it('is stored as the name of a place and in an Item, or refused', async () => {
      const { places, runs, catalog } = get();
      const place = await storedOrRefused(places.saveBundle(bundle({ tehsil: `Tehsil ${text}` })));
      const saved = place === 'refused' ? undefined : await places.placeOfTehsil(place.tehsil.id);
      expect(saved?.tehsil.name ?? `Tehsil ${text}`).toBe(`Tehsil ${text}`);
      await runs.enqueue(newRun('r1'));
      const { token } = await claimed(runs);
      const published = deliverable(['safe']);
      const items = published.items.map((item) => ({ ...item, item: { ...item.item, note: text } }));
      expect(await runs.publish('r1', token, { ...published, items })).toBe('ok');
      expect((await catalog.item('jharkhand/west_singhbhum/chaibasa', 'safe'))?.item['note']).toBe(text);
    });
  });

  describe.each(BEYOND)('id %d', (id) => {
    it('finds nothing', async () => {
      const { users, eoAccounts, apiKeys, places, runs, catalog } = get();
      expect(await apiKeys.activeOf(id)).toEqual([]);
      expect(await apiKeys.daysOf(id, '2026-01-01')).toEqual([]);
      expect(await users.byId(id)).toBeUndefined();
      expect(await users.ofSession(id, 'family')).toBeUndefined();
      await users.setActive(id, false);
      expect(await eoAccounts.byId(id)).toBeUndefined();
      expect(await places.districts(id)).toEqual([]);
      expect(await places.tehsils(id)).toEqual([]);
      expect(await places.tehsilUnits(id)).toEqual([]);
      expect(await places.findDistrict(id, 'a')).toBeUndefined();
      expect(await places.findTehsil(id, 'a')).toBeUndefined();
      expect(await places.placeOfTehsil(id)).toBeUndefined();
      expect(await places.namesakesOf(id)).toEqual([]);
      expect(await places.mwsOf(id)).toEqual([]);
      expect(await places.villagesOf(id)).toEqual([]);
      expect(await catalog.layersOf(id)).toEqual([]);
      expect(await runs.list({ ownerId: id, limit: 10, offset: 0 })).toEqual({ runs: [], total: 0 });
      await runs.enqueue(newRun('r1'));
      expect(await runs.heartbeat('r1', id, { leaseMs: 1000 })).toBe('lost');
      expect(await runs.publish('r1', id, deliverable())).toBe('lost');
    });
  });

  it('an offset beyond the last row is an empty page', async () => {
    const { runs } = get();
    await runs.enqueue(newRun('r1'));
    expect(await runs.list({ limit: 10, offset: 2 ** 53 })).toMatchObject({ runs: [], total: 1 });
  });
}
