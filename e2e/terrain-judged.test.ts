import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { boxOf, type PlaceBundle } from '@headwater/core';
import { sampleFrame, samplePlace, writeSampleDem } from '@headwater/sample-world';
import { slopePercentagePipeline, terrainRasterPipeline } from '@headwater/terrain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findPeers, peerEnvironment } from '../scripts/peers.mjs';
import { arcSecondGrid, paintedHills, writePaintedDem } from './painted-dem.fixture.ts';
import { startSmallService } from '../packages/server/src/small-service.fixture.ts';

const SEED = 7;
const frame = sampleFrame(4);
const place = samplePlace(SEED, frame);
const peers = findPeers({ modules: ['numpy', 'rasterio'] });
const isMissing = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined;
const reason =
  'reason' in peers
    ? peers.reason
    : isMissing('gdaldem') || isMissing('gdalwarp')
      ? 'no gdaldem and gdalwarp (Debian: gdal-bin)'
      : undefined;
if (reason !== undefined) console.log(`skipped: published slope and landforms compared with gdaldem: ${reason}`);

const verdict = z.object({
  slopes: z.int(),
  slopesEqual: z.number(),
  slopeWorst: z.number(),
  landforms: z.int(),
  landformsEqual: z.number(),
  met: z.array(z.int()),
});

/** Compares slope and landforms with gdaldem and NumPy. */
async function judged(write: (folder: string) => Promise<string>): Promise<z.infer<typeof verdict>> {
  const pipelines = [slopePercentagePipeline, terrainRasterPipeline];
  const service = await startSmallService({ places: [place], pipelines });
  try {
    const dem = await write(join(service.dir, 'dem', 'one'));
    const body = { state: place.state, district: place.district, block: place.tehsil };
    for (const { route } of pipelines) expect(await service.compute(body, route)).toMatchObject({ status: 200 });
    const { layers } = await service.published();
    const fileOf = (workspace: string): string =>
      join(service.dir, 'assets', layers.find((layer) => layer.workspace === workspace)?.assetKey ?? '');
    const zones = join(service.dir, 'zones.geojson');
    await writeFile(zones, JSON.stringify({ type: 'FeatureCollection', features: zonesOf(place) }));
    const args = [
      join(import.meta.dirname, 'judge_terrain.py'),
      dem,
      fileOf('slope_percentage'),
      fileOf('terrain'),
      zones,
    ];
    const answer = execFileSync('python' in peers ? peers.python : '', args, {
      encoding: 'utf8',
      env: peerEnvironment(),
    });
    return verdict.parse(JSON.parse(answer));
  } finally {
    await service.close();
  }
}

const zonesOf = ({ mws, geometry }: PlaceBundle) =>
  [...mws.map((each) => each.geometry), geometry].map((each) => ({ type: 'Feature', properties: {}, geometry: each }));

describe.skipIf(reason !== undefined)('published slope and landforms compared with gdaldem and NumPy', () => {
  it(
    'are equal for a DEM in UTM, except where the centre of a pixel is on the edge of two pixels of the DEM',
    { timeout: 300_000 },
    async () => {
      const found = await judged(async (folder) => {
        await writeSampleDem(SEED, frame, folder);
        return join(folder, 'dem.tif');
      });
      expect(found.slopes).toBeGreaterThan(5000);
      expect(found.slopesEqual).toBeGreaterThan(0.999);
      expect(found.landforms).toBeGreaterThan(5000);
      expect(found.landformsEqual).toBeGreaterThan(0.999);
      expect(found.met.length).toBeGreaterThanOrEqual(5);
    },
  );

  it(
    'differ by at most 1e-4 (relative) in each slope for a DEM in degrees, because such a DEM is not warped',
    { timeout: 300_000 },
    async () => {
      const grid = arcSecondGrid(boxOf(place.mws.map(({ geometry }) => geometry)));
      const found = await judged(async (folder) => {
        await writePaintedDem(folder, grid, paintedHills);
        return join(folder, 'painted.tif');
      });
      expect(found.slopes).toBeGreaterThan(5000);
      expect(found.slopeWorst).toBeLessThanOrEqual(1e-4);
      expect(found.landforms).toBeGreaterThan(5000);
      expect(found.landformsEqual).toBeGreaterThan(0.9999);
      expect(found.met.length).toBeGreaterThanOrEqual(5);
    },
  );
});
