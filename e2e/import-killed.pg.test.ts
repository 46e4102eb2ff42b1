import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Stores } from '@headwater/identity';
import { createImporters } from '@headwater/ingest';
import { createPostgresStores, parseConnection } from '@headwater/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, findPostgres } from '../scripts/postgres-cluster.mjs';
import { boxPolygon } from '../scripts/boxes.mjs';

/** A separate database, because other suites delete the rows of all tables. */
const { make, missing } =
  (process.env['HEADWATER_TEST_PG'] ?? '') === ''
    ? { missing: 'it runs with `npm run test:postgres`' }
    : findPostgres();
if (make === undefined) console.log(`skipped: a killed import. ${missing ?? ''}`);

describe.skipIf(make === undefined)('an import killed in the middle of its transaction', () => {
  let [folder, path]: [string, string] = ['', ''];
  let cluster: Cluster;
  let stores: Stores;
  beforeAll(async () => {
    if (make === undefined) return;
    folder = await mkdtemp(join(tmpdir(), 'headwater-import-killed-'));
    path = join(folder, 'places.geojson');
    const features = Array.from({ length: 200 }, (_, i) => ({
      type: 'Feature',
      properties: { state: 'Aland', district: `D ${i % 5}`, tehsil: `T ${i}` },
      geometry: boxPolygon({ west: 70 + i / 100, south: 17, east: 70.01 + i / 100, north: 17.01 }),
    }));
    await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
    cluster = make();
    stores = await createPostgresStores({ connection: parseConnection(cluster.address) });
  }, 120_000);
  afterAll(async () => {
    await stores?.close();
    cluster?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('changes nothing, and the same file can be imported completely afterwards', async () => {
    const script = join(import.meta.dirname, 'import-until-killed.fixture.ts');
    const child = spawn(process.execPath, ['--conditions=@headwater/source', script, path], {
      env: { ...process.env, HEADWATER_TEST_PG: cluster.address },
      stdio: 'inherit',
    });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect([code, signal]).toEqual([null, 'SIGKILL']);
    expect(await stores.places.states()).toEqual([]);
    const importer = createImporters({ stores, scratchDir: folder }).find(({ kind }) => kind === 'places');
    const job = { path, fileName: basename(path), signal: new AbortController().signal };
    expect(await importer?.run(job)).toMatchObject({ stored: 200, unchanged: 0 });
    expect(await importer?.run(job)).toMatchObject({ stored: 0, unchanged: 200 });
  }, 240_000);
});
