import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '@headwater/identity';
import type { ItemForm } from '@headwater/core/ports';
import { parseCql2Text } from '@headwater/cql2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import type { Connection } from '../connection.ts';
import { openDatabase } from '../database.ts';
import { openEmbedded } from '../embedded/open.ts';
import { createPostgresStores, storesOver } from '../stores.ts';
import { HOSTILE_FILTERS, hostileItems } from './hostile-filters.fixture.ts';

const form: ItemForm = { name: 'ids', text: ({ id }) => id };
const ITEMS = 60;

describe('costly searches of the embedded database', () => {
  let stores: Stores;
  let connection: Connection;
  const cleanUp: (() => unknown)[] = [];
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'headwater-searches-'));
    cleanUp.unshift(() => rm(dataDir, { recursive: true, force: true }));
    await copyDatabase(dataDir);
    const embedded = await openEmbedded({ dataDir });
    cleanUp.unshift(() => embedded.close());
    connection = embedded.connection;
    const database = openDatabase(connection, { searchTimeoutMs: 20_000 });
    stores = storesOver(database);
    cleanUp.unshift(() => stores.close());
    await database.script(hostileItems(ITEMS));
    await stores.search.write(form, ITEMS);
  }, 60_000);
  afterAll(async () => {
    for (const step of cleanUp) await step();
  });

  it('test every Item if none matches, and other requests are answered at the same time', async () => {
    let ended = 0;
    const filters = Object.entries(HOSTILE_FILTERS);
    const all = filters.map(async ([name, text]) => {
      const { items } = await stores.search.search({ filter: parseCql2Text(text), limit: 10 }, form);
      expect([name, items]).toEqual([name, []]);
      ended += 1;
    });
    const answers: number[] = [];
    while (ended < filters.length) {
      const before = ended;
      expect(await stores.search.item({ collectionId: 'a_b_c', id: 'item 7' }, form)).toMatchObject({ text: 'item 7' });
      expect((await stores.search.search({ ids: ['item 7'], limit: 1 }, form)).items).toHaveLength(1);
      await stores.ping();
      answers.push(ended - before);
    }
    await Promise.all(all);
    // The loop must run more often than there are searches, because other requests must be answered meanwhile.
    expect(answers.length).toBeGreaterThan(filters.length);
    expect(Math.max(...answers)).toBeLessThanOrEqual(5);
  }, 120_000);

  it('are ended after the time limit', async () => {
    const { search, close } = await createPostgresStores({ connection, searchTimeoutMs: 50 });
    const filter = parseCql2Text(HOSTILE_FILTERS['folds'] ?? '');
    await expect(search.search({ filter, limit: 1 }, form)).rejects.toMatchObject({
      code: 'took_too_long',
      details: { seconds: 0.05 },
    });
    const first = parseCql2Text(`description LIKE 'Süßes%' OR ${HOSTILE_FILTERS['folds'] ?? ''}`);
    const page = await stores.search.search({ filter: first, limit: 1, withMatched: true }, form);
    expect([page.items.length, page.matched]).toEqual([1, ITEMS]);
    await close();
  });
});
