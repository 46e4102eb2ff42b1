import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { openEmbedded } from '../embedded/index.ts';
import { createPostgresStores } from '../stores.ts';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-published-twice-'));
  await copyDatabase(dataDir);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const PLACE = 'bihar/gaya/gaya';
const item = {
  id: 'x',
  collectionPath: PLACE,
  item: {
    type: 'Feature',
    id: 'x',
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [85, 24],
          [86, 24],
          [86, 25],
          [85, 25],
          [85, 24],
        ],
      ],
    },
    bbox: [85, 24, 86, 25],
    properties: { datetime: '2026-01-01T00:00:00Z' },
    links: [],
    assets: {},
  },
};

const LEFT = `insert into headwater.replaced_items (run_id, collection_path, id, version, position, content)
  select run_id, collection_path, id, version, position, content from headwater.items`;

it(
  'replaces an Item that an older version of the service published twice in one result',
  { timeout: 120_000 },
  async () => {
    const { connection, close } = await openEmbedded({ dataDir });
    const stores = await createPostgresStores({ connection });
    const { runs, catalog } = stores;
    const publish = async (id: string): Promise<unknown> => {
      await runs.enqueue({ id, pipeline: 'p', params: {}, fingerprint: id, ownerId: null });
      const run = await runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 1 });
      return await runs.publish(id, run?.token ?? -1, { items: [item], layers: [], timings: {} });
    };
    try {
      expect(await publish('r1')).toBe('ok');
      const database = openDatabase(connection, { poolSize: 1 });
      await database.script(LEFT);
      await database.close();
      expect(await publish('r2')).toBe('ok');
      expect(await catalog.item(PLACE, 'x')).toMatchObject({ runId: 'r2', version: 2 });
    } finally {
      await stores.close();
      await close();
    }
  },
);
