import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { validateItem } from '@headwater/stac';
import { writeGeoTiff } from '@headwater/raster';
import { afterAll, describe, expect, it } from 'vitest';
import { boxPolygon } from '../../scripts/boxes.mjs';
import { listenOnLoopback, type Loopback } from '../../scripts/loopback.mjs';
import { DJANGO_JUDGE, findVenv } from '../../scripts/peers.mjs';
import { signIn } from '../client.ts';
import { runCommand, startServerProcess } from '../server-process.ts';

const django = findVenv(DJANGO_JUDGE);
if ('reason' in django) console.log(`skipped: the dump of a live system by Django. ${django.reason}`);

const SCRIPT = resolve(import.meta.dirname, '../../examples/dump-live-system/headwater_dump.py');
const MS = 240_000;
const run = promisify(execFile);
const box = { west: 92, south: 24, east: 92.1, north: 24.1 };
const collection = (properties: object): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties, geometry: boxPolygon(box) }],
  });

async function mapServer(folder: string): Promise<Loopback> {
  const path = join(folder, 'terrain.tif');
  const grid = { crs: 'EPSG:4326', west: 92, north: 24.1, pixelWidth: 0.001, pixelHeight: 0.001, cols: 100, rows: 100 };
  const data = Float32Array.from({ length: 10_000 }, (_, index) => index % 251);
  await writeGeoTiff(path, { grid, data, nodata: -9999, overviews: 'none', predictor: 1, tileSize: 16 });
  const bodies: Readonly<Record<string, string | Buffer>> = {
    'pan_india_asset:SOI_tehsil_pan_india_dataset': collection({
      STATE: 'Assam',
      District: 'Cachar',
      TEHSIL: 'Lakhipur',
    }),
    'mws:mws_cachar_lakhipur': collection({ uid: '12_1' }),
    'panchayat_boundaries:cachar_lakhipur': collection({ vill_ID: 7, vill_name: 'Gaon' }),
    'drainage:cachar_lakhipur': collection({ order: 1 }),
    'terrain:cachar_lakhipur_terrain_raster': await readFile(path),
  };
  return await listenOnLoopback((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const body = bodies[searchParams.get('typeName') ?? searchParams.get('CoverageId') ?? ''];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
}

async function dumpOf(folder: string, mapServerUrl: string) {
  const project = join(folder, 'project');
  await cp(join(import.meta.dirname, 'project'), project, { recursive: true });
  const commands = join(project, 'live', 'management', 'commands');
  await mkdir(commands, { recursive: true });
  for (const path of [commands, resolve(commands, '..')]) await writeFile(join(path, '__init__.py'), '');
  await cp(SCRIPT, join(commands, 'headwater_dump.py'));
  const python = 'python' in django ? django.python : '';
  const { stdout } = await run(python, ['fill.py'], { cwd: project });
  const keys = JSON.parse(stdout) as { readonly key: string; readonly revoked: string };
  const dump = join(folder, 'dump.jsonl');
  const options = ['--license', 'CC-BY-4.0', '--provider', 'Live', '--map-server', mapServerUrl];
  const args = ['manage.py', 'headwater_dump', '--source', 'https://live.example.org', '--output', dump, ...options];
  const dumped = await run(python, args, { cwd: project });
  return { dump, keys, output: dumped.stdout };
}

describe.skipIf('reason' in django)('a live system on Django', () => {
  let folder = '';
  let maps: Loopback | undefined;
  afterAll(async () => {
    await maps?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'is dumped without secrets and moved to Headwater: old passwords and API keys work, and every layer is a valid Item',
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'headwater-django-'));
      maps = await mapServer(folder);
      const { dump, keys, output } = await dumpOf(folder, `${maps.origin}/maps`);
      expect(output).toBe(`19 records in ${dump}\n`);
      expect((await stat(dump)).mode & 0o777).toBe(0o600);
      const text = await readFile(dump, 'utf8');
      for (const secret of [keys.key, "asha's old password", 'secret of the account', 'credentials'])
        expect(text).not.toContain(secret);

      const dataDir = join(folder, 'data');
      const env = { EO_ALLOWED_ORIGINS: maps.origin };
      const server = await startServerProcess({ dataDir, env, args: ['--no-sample'] });
      try {
        const args = ['import', 'live-system', dump];
        const moved = await runCommand({ dataDir, env, args });
        expect([moved.code, moved.output]).toEqual([0, expect.stringContaining('layer: 2 new, 0 changed, 0 equal')]);
        expect((await runCommand({ dataDir, env, args })).output).toContain('nothing changed');

        const { baseUrl } = server;
        const asha = await signIn(baseUrl, 'asha', "asha's old password");
        expect((await asha.get('/api/v1/users/17/')).body).toMatchObject({
          email: 'asha@example.org',
          organization_name: 'Sample Trust',
          groups: [{ name: 'Organization Admin' }],
          project_details: [{ project_name: 'Wells' }],
          age: 41,
        });
        await expect(signIn(baseUrl, 'asha', 'wrong')).rejects.toThrow('401');
        await expect(signIn(baseUrl, 'binod', '')).rejects.toThrow(/40[01]/);

        const query = new URLSearchParams({ state: 'Assam', district: 'Cachar', tehsil: 'Lakhipur' }).toString();
        const layers = async (key: string) =>
          await fetch(`${baseUrl}/api/v1/get_generated_layer_urls/?${query}`, { headers: { 'x-api-key': key } });
        expect((await layers(keys.revoked)).status).toBe(401);
        const answer = await layers(keys.key);
        expect([answer.status, await answer.json()]).toMatchObject([200, { length: 2 }]);

        const items = await fetch(`${baseUrl}/api/v1/stac-api/collections/assam_cachar_lakhipur/items?limit=100`);
        const { features } = (await items.json()) as { readonly features: readonly { readonly id: string }[] };
        expect(features.map(({ id }) => id).toSorted()).toEqual([
          'assam_cachar_lakhipur_drainage',
          'assam_cachar_lakhipur_terrain_raster',
        ]);
        for (const item of features)
          expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
      } finally {
        await server.stop('SIGKILL');
      }
    },
    MS,
  );
});
