import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import { writeGeoTiff } from '@headwater/raster';
import { demGrid, demHeights } from '@headwater/sample-world';
import { cellSizes, createDem, flowOf, streamThreshold } from '@headwater/terrain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPeers, interpretedEnvironment } from '../scripts/peers.mjs';
import { FLOW_PIPELINES, SAMPLE as sample, SAMPLE_FRAME as frame, SAMPLE_SEED as SEED } from './flow-layers.fixture.ts';
import { agreementWith, computed, featuresOf, pixelsOf, publishedLayer } from './published-layers.fixture.ts';
import { SMALL_DEM, SMALL_PLACE, smallHeight, writeSmallDem } from './small-dem.fixture.ts';
import { type SmallService, startSmallService } from '../packages/server/src/small-service.fixture.ts';
import { judgeFile, noGdal, noJudges, validCogs, validDocuments } from './judges.fixture.ts';

const peers = findPeers({ modules: ['numpy', 'pyproj', 'pysheds', 'shapely'] });
if ('reason' in peers) console.warn(`skipped: hydrology layers compared with pysheds and GEOS: ${peers.reason}`);
if (noGdal !== undefined) console.warn(`skipped: hydrology layers in GDAL: ${noGdal}`);
if (noJudges !== undefined)
  console.warn(`skipped: areas and Items of hydrology layers in independent programs: ${noJudges}`);

const TIMEOUT_MS = 240_000;
const FLOW = `
import sys
import numpy as np
np.in1d = getattr(np, "in1d", np.isin)  # pysheds 0.5 asks for what NumPy 2.4 no longer has
from affine import Affine
from pysheds.grid import Grid
from pysheds.view import Raster, ViewFinder
folder, rows, cols, dx, dy, least = sys.argv[1], *map(int, sys.argv[2:4]), *map(float, sys.argv[4:7])
heights = np.fromfile(folder + "/dem.raw", dtype="<f4").astype("float64").reshape(rows, cols)
dem = Raster(heights, ViewFinder(affine=Affine(dx, 0, 0, 0, -dy, 0), shape=heights.shape, nodata=np.float64(-9999)))
grid = Grid.from_raster(dem)
directions = grid.flowdir(dem)
cells = grid.accumulation(directions)
np.asarray(cells).astype("<f8").tofile(folder + "/cells.raw")
np.asarray(grid.stream_order(directions, cells >= least)).astype("<f8").tofile(folder + "/orders.raw")
`;
const LENGTHS = `
import json, sys
from pyproj import Geod
from shapely.geometry import shape
geod = Geod(ellps="WGS84")
lines = [(f["properties"]["ORDER"], shape(f["geometry"])) for f in json.load(open(sys.argv[1]))["features"]]
zones = {f["properties"]["uid"]: shape(f["geometry"]) for f in json.load(open(sys.argv[2]))["features"]}
print(json.dumps({uid: [sum(geod.geometry_length(line.intersection(zone)) for order, line in lines if order == k) / 1000
                        for k in [*range(1, 12), None]] for uid, zone in zones.items()}))
`;

const body = { state: SMALL_PLACE.state, district: SMALL_PLACE.district, block: SMALL_PLACE.tehsil };
const LAYERS = [
  ['stream_order', 'stream_order', 'stream_order_hillside_basin_raster'],
  ['stream_order', 'stream_order', 'stream_order_hillside_basin_vector'],
  ['generate_drainage_layer', 'drainage', 'hillside_basin'],
  ['generate_catchment_area_singleflow', 'catchment_area_singleflow', 'catchment_area_hillside_basin_raster'],
  ['generate_distance_nearest_DL', 'distance_nearest_upstream_DL', 'distance_to_drainage_line_hillside_basin_raster'],
  ['generate_natural_depression', 'natural_depression', 'natural_depression_hillside_basin_raster'],
] as const;

/** Part of the small DEM that both programs read: all except the outer 100 pixels. */
const PART = [100, 100, 380, 380] as const;
const [FIRST, , LAST] = PART;
const side = LAST - FIRST;
const window: PixelGrid = {
  ...SMALL_DEM,
  west: SMALL_DEM.west + FIRST * SMALL_DEM.pixelWidth,
  north: SMALL_DEM.north - FIRST * SMALL_DEM.pixelHeight,
  cols: side,
  rows: side,
};

/** Raises each pixel above the previous pixel in flow order, so that there are no pits, flats or equal values. */
function drained(grid: PixelGrid, heights: Float32Array): Float32Array {
  const { filled, order } = flowOf(createDem({ grid, heights }));
  const rank = new Float64Array(filled.length);
  order.forEach((at, k) => void (rank[at] = k));
  const raised = filled.map((height, at) => (Math.floor(64 * height) + rank[at]!) / 64);
  expect(new Set(raised).size).toBe(raised.length);
  return raised;
}

describe.skipIf('reason' in peers)('hydrology layers of a DEM in degrees, compared with independent programs', () => {
  const python = 'python' in peers ? peers.python : '';
  const env = interpretedEnvironment();
  const raw = Float32Array.from({ length: side * side }, (_, at) =>
    smallHeight(FIRST + (at % side), FIRST + Math.floor(at / side)),
  );
  const heights = drained(window, raw);
  let service: SmallService;
  const run = (args: readonly string[]): string =>
    execFileSync(python, args, { encoding: 'utf8', env, maxBuffer: 2 ** 28 });
  const published = (index: number) => {
    const [, workspace, name] = LAYERS[index]!;
    return publishedLayer(service, workspace, name);
  };
  const sheet = async (name: string) => {
    const { layer } = await published(0);
    return (await service.headwater.stores.data.table(layer?.tehsilId ?? 0, name))?.rows ?? [];
  };

  beforeAll(async () => {
    service = await startSmallService({ places: [SMALL_PLACE, sample], pipelines: FLOW_PIPELINES });
    await writeSmallDem(service.dir, [PART], (col, row) => heights[(row - FIRST) * side + col - FIRST]!);
    for (const [route] of LAYERS) await computed(service, body, route);
  }, 120_000);
  afterAll(() => service.close());

  /** Computes catchments and stream orders with pysheds, which uses the pixel size of the middle row for all rows. */
  async function pysheds(grid: PixelGrid, of: Float32Array) {
    await writeFile(join(service.dir, 'dem.raw'), new Uint8Array(of.buffer));
    const { x, y } = cellSizes(grid);
    const middle = Math.floor(grid.rows / 2);
    const [dx, dy] = [x[middle]!, y[middle]!];
    const parameters = [grid.rows, grid.cols, dx, dy, streamThreshold(grid)].map(String);
    run(['-c', FLOW, service.dir, ...parameters]);
    const plane = async (name: string): Promise<Float64Array> =>
      new Float64Array(new Uint8Array(await readFile(join(service.dir, `${name}.raw`))).buffer);
    return { cells: await plane('cells'), orders: await plane('orders'), pixelHectares: (dx * dy) / 10_000 };
  }

  it('catchment areas and stream orders of the published COGs equal pysheds', { timeout: TIMEOUT_MS }, async () => {
    const { cells, orders, pixelHectares } = await pysheds(window, heights);
    const areas = await pixelsOf((await published(3)).path, Float32Array);
    const ours = await pixelsOf((await published(0)).path, Uint8Array);
    expect(ours.grid).toEqual(areas.grid);
    const differ = { areas: 0, orders: 0, streams: 0 };
    ours.values.forEach((order, at) => {
      const source = (200 - FIRST + Math.floor(at / 80)) * side + 200 - FIRST + (at % 80);
      const hectares = cells[source]! * pixelHectares;
      // Order and area are both unknown at each pixel that water from outside of the DEM may reach.
      expect(areas.values[at] === -9999).toBe(order === 255);
      if (order === 255) return;
      // Pixel sizes differ by 0.02 % between the middle and the ends of the window.
      if (Math.abs(areas.values[at]! - hectares) > 1e-3 * hectares) differ.areas += 1;
      if (order !== orders[source]) differ.orders += 1;
      if (order > 0) differ.streams += 1;
    });
    expect(ours.values).toHaveLength(6400);
    expect(differ.streams).toBeGreaterThan(150);
    expect(differ).toMatchObject({ areas: 0, orders: 0 });
  });

  it(
    'catchment areas and stream orders of the sample, warped from UTM, equal pysheds on 99.9 % of all pixels',
    { timeout: TIMEOUT_MS },
    async () => {
      const dem = demGrid(frame);
      const sampleHeights = drained(dem, demHeights(SEED, frame));
      const folder = join(service.dir, 'dem', 'headwater-sample');
      const format = { tileSize: 512, nodata: -9999, threads: 1, overviews: 'none', predictor: 3 } as const;
      await mkdir(folder, { recursive: true });
      await writeGeoTiff(join(folder, 'dem.tif'), { ...format, grid: dem, data: sampleHeights });
      const request = { state: sample.state, district: sample.district, block: sample.tehsil };
      for (const route of ['stream_order', 'generate_catchment_area_singleflow'])
        await computed(service, request, route);
      const { cells, orders, pixelHectares } = await pysheds(dem, sampleHeights);
      const order = await publishedLayer(service, 'stream_order', 'stream_order_nirmalgarh_jalsrota_raster');
      const area = await publishedLayer(
        service,
        'catchment_area_singleflow',
        'catchment_area_nirmalgarh_jalsrota_raster',
      );
      const likeOrders = { dem, nodata: 255, expected: (at: number) => orders[at]! };
      expect(agreementWith(await pixelsOf(order.path, Uint8Array), likeOrders)).toBeGreaterThan(0.999);
      const likeAreas = { dem, nodata: -9999, expected: (at: number) => cells[at]! * pixelHectares };
      expect(agreementWith(await pixelsOf(area.path, Float32Array), likeAreas)).toBeGreaterThan(0.999);
    },
  );

  it.skipIf(noJudges !== undefined)('shares of orders equal exact areas within 1e-6', async () => {
    const [raster, vector] = [await published(0), await published(1)];
    const [, ...lines] = judgeFile('exact_areas.py', [raster.path, vector.path, '--all-classes', '0-11']).split('\n');
    const areas = new Map<string, number[]>();
    for (const line of lines) {
      const [uid = '', order, hectares] = line.split(',');
      const ofZone = areas.get(uid) ?? [];
      ofZone[Number(order)] = Number(hectares);
      areas.set(uid, ofZone);
    }
    const rows = await sheet('stream_order');
    expect(rows.map(({ uid }) => uid)).toEqual([...areas.keys()]);
    for (const row of rows) {
      const exact = areas.get(String(row['uid'])) ?? [];
      const unknown = exact[255] ?? 0;
      const all = exact.reduce((sum, one) => sum + one, 0) - unknown;
      const unknownShare = Number(row['unknown_order_area_percent']);
      expect(unknownShare).toBeCloseTo((100 * unknown) / (all + unknown), 6);
      for (let order = 1; order <= 11; order += 1) {
        const share = (100 * (exact[order] ?? 0)) / all;
        expect(Math.abs(Number(row[`order_${order}_area_percent`]) - share)).toBeLessThanOrEqual(1e-6 * share + 1e-9);
      }
    }
  });

  it('lengths by stream order equal the lengths by GEOS and PROJ within 1e-6', async () => {
    const [vector, lines] = [await published(1), await published(2)];
    const exact: Readonly<Record<string, readonly number[]>> = JSON.parse(
      run(['-c', LENGTHS, lines.path, vector.path]),
    );
    const rows = await sheet('drainage_density');
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      const lengths = exact[String(row['uid'])] ?? [];
      expect(Math.max(...lengths)).toBeGreaterThan(1);
      const listed = row['stream_order_length_in_km'];
      lengths.forEach((km, index) => {
        const known = Array.isArray(listed) ? Number(listed[index]) : Number.NaN;
        const ours = index === 11 ? Number(row['unknown_order_length_in_km']) : known;
        expect(Math.abs(ours - km)).toBeLessThanOrEqual(1e-6 * km);
      });
      const [feature] = (await featuresOf(vector.path)).filter(({ properties }) => properties['uid'] === row['uid']);
      const km2 = Number(feature?.properties['area_in_ha']) / 100;
      const total = lengths.reduce((sum, km) => sum + km, 0);
      expect(Math.abs(Number(row['drainage_density_std_in_km_per_km2']) * km2 - total)).toBeLessThan(1e-6 * total);
    }
  });

  it.skipIf(noGdal !== undefined)("GDAL's validator accepts the COGs", async () => {
    const files = await Promise.all([0, 3, 4, 5].map(async (index) => (await published(index)).path));
    expect(validCogs(files)).toBe(files.length);
  });

  it.skipIf(noJudges !== undefined)('pystac and stac-validator accept every Item', { timeout: 120_000 }, async () => {
    const items = (await Promise.all(LAYERS.map((_, index) => published(index)))).flatMap(({ item }) =>
      item === undefined ? [] : [item],
    );
    expect(items).toHaveLength(6);
    expect(await validDocuments(items, service.dir)).toBe(items.length);
  });
});
