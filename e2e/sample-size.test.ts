import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SAMPLE_YEARS, scoreClassMap } from '@headwater/sample-world';
import { runCommand, startServerProcess, type ServerProcess } from './server-process.ts';

let dataDir: string;
let server: ServerProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-size-'));
  server = await startServerProcess({ dataDir, args: ['--sample-size', '8'] });
});
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

it('a sample of 8 km is created, and its land cover has an overall accuracy of at least 97 %', async () => {
  await server.printed(/sample data are generated: 139 scenes of 8 x 8 km, 40 micro-watersheds/, 600_000);
  await server.printed(/land cover of the sample is done in/, 300_000);
  const [, href = ''] = await server.printed(/(http:\S+_land_use_land_cover_raster_2021\/)/, 30_000);
  const item = (await (await fetch(href)).json()) as {
    readonly assets: { readonly cog: { readonly href: string } };
  };
  const map = join(dataDir, 'assets', new URL(item.assets.cog.href).pathname.replace('/api/v1/assets/', ''));
  const truth = join(dataDir, 'sample', `truth_${SAMPLE_YEARS[0]}.tif`);
  const { features } = JSON.parse(
    await readFile(join(dataDir, 'places', 'headwater-sample', 'mws.geojson'), 'utf8'),
  ) as { readonly features: readonly { readonly properties: { readonly uid: string }; readonly geometry: never }[] };
  const zones = features.map(({ properties, geometry }) => ({ uid: properties.uid, geometry }));
  expect(zones).toHaveLength(40);
  const { confusion } = await scoreClassMap({ map, truth, zones });
  console.log(`8 km: overall accuracy ${confusion.overallAccuracy.toFixed(3)}, kappa ${confusion.kappa.toFixed(3)}`);
  expect(confusion.overallAccuracy).toBeGreaterThanOrEqual(0.97);
}, 1_000_000);

it('a start without a size reuses the sample; a start with another size is rejected, with a remedy in the message', async () => {
  await server.stop('SIGTERM');
  const { code, output } = await runCommand({ dataDir, args: ['--sample-size', '20'] });
  expect(code).toBe(2);
  expect(output).toContain(`--sample-size: ${dataDir} contains a sample of 8 km, not 20 km; leave the size out`);
  server = await startServerProcess({ dataDir });
  await server.printed(/sample data exist already \(8 x 8 km\)/, 30_000);
}, 240_000);
