import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '@headwater/core';
import { readPlaces } from '@headwater/ingest';
import { validateItem } from '@headwater/stac';
import { mwsConnectivityPipeline } from '@headwater/terrain';
import type { Feature, FeatureCollection } from 'geojson';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boxPolygon } from '../scripts/boxes.mjs';
import { arcSecondGrid, writePaintedDem } from './painted-dem.fixture.ts';
import { type SmallService, startSmallService } from '../packages/server/src/small-service.fixture.ts';

const ARC_SECOND = 1 / 3600;
const [WEST, NORTH] = [78, 17.5];
const PLACE = { state: 'Virtapradesh', district: 'Nirmalgarh', tehsil: 'Rangpur' };

/** Rectangle in columns and rows of the DEM; (0, 0) is the place's north-west corner. */
const rectangle = ([col0, row0, col1, row1]: Box) =>
  boxPolygon({
    west: WEST + col0 * ARC_SECOND,
    south: NORTH - row1 * ARC_SECOND,
    east: WEST + col1 * ARC_SECOND,
    north: NORTH - row0 * ARC_SECOND,
  });
const feature = (properties: Record<string, string | null>, box: Box): Feature => ({
  type: 'Feature',
  properties,
  geometry: rectangle(box),
});
const MWS = [
  feature({ uid: '12_1' }, [0, 0, 20, 30]),
  // Two parts of one micro-watershed.
  feature({ uid: '12_2' }, [20, 0, 40, 12]),
  feature({ uid: '12_2' }, [20, 18, 40, 30]),
  feature({ uid: '12_3' }, [20, 12, 40, 18]),
  feature({ uid: '12_4' }, [40, 0, 60, 30]),
  // A micro-watershed that is smaller than a pixel and contains no pixel centre.
  feature({ uid: '12_5' }, [50.1, 10.1, 50.3, 10.3]),
  // A micro-watershed outside of the DEM's elevations.
  feature({ uid: '12_6' }, [64, 0, 74, 30]),
  feature({ uid: null }, [40, 0, 60, 30]),
];

let service: SmallService;
let notes: readonly string[];
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-connectivity-'));
  try {
    const place = join(folder, 'rangpur');
    await mkdir(place);
    const collection = (features: readonly Feature[]): string =>
      JSON.stringify({ type: 'FeatureCollection', features });
    await writeFile(join(place, 'boundary.geojson'), collection([feature(PLACE, [0, 0, 74, 30])]));
    await writeFile(join(place, 'mws.geojson'), collection(MWS));
    const read = await readPlaces(folder);
    notes = read.notes.map(({ note }) => note);
    service = await startSmallService({ places: read.bundles, pipelines: [mwsConnectivityPipeline] });
  } finally {
    await rm(folder, { recursive: true });
  }
});
afterAll(() => service.close());

const request = { state: PLACE.state, district: PLACE.district, block: PLACE.tehsil };
const make = () => service.compute(request, 'generate_mws_connectivity_data');

it('the pipeline has the start message of the CoRE Stack backend', () =>
  expect(mwsConnectivityPipeline.messages.initiated).toBe('Successfully initiated'));

it('a request is rejected without elevations, and if the elevations cover only a part of the place', async () => {
  const refused = [409, expect.stringContaining('DATA_DIR/dem')];
  const nowhere = await make();
  expect([nowhere.status, JSON.stringify(nowhere.body)]).toEqual(refused);
  const half = arcSecondGrid([WEST, NORTH - 30 * ARC_SECOND, WEST + 30 * ARC_SECOND, NORTH]);
  await writePaintedDem(join(service.dir, 'dem'), { ...half, cols: half.cols - 75 }, () => 500);
  const partly = await make();
  expect([partly.status, JSON.stringify(partly.body)]).toEqual(refused);
});

it('the layer names the downstream micro-watershed of each micro-watershed and joins parts with the same uid; a micro-watershed without a pixel centre or without elevations is "unknown"', async () => {
  const box = [WEST, NORTH - 30 * ARC_SECOND, WEST + 74 * ARC_SECOND, NORTH] as const;
  const grid = arcSecondGrid(box);
  const coast = Math.round((WEST - grid.west) / grid.pixelWidth) + 60;
  // This ridge west of the place keeps out water from land without elevations.
  const ridge = coast - 80;
  const height = (col: number): number => (col < coast ? 900 - 2 * Math.abs(col - ridge) : Number.NaN);
  await writePaintedDem(join(service.dir, 'dem'), grid, (_, col) => height(col));
  const { status, body } = await make();
  expect([status, body['error']]).toEqual([200, undefined]);
  expect(notes.join('\n')).toContain('uid');
  const { items, layers } = await service.published();
  const [layer] = layers;
  expect(layer).toMatchObject({
    workspace: 'mws_connectivity',
    layerName: 'nirmalgarh_rangpur_mws_connectivity',
    datasetName: 'Mws Connectivity',
    layerType: 'vector',
  });
  const table = await service.headwater.stores.data.table(layer?.tehsilId ?? 0, 'mws_connectivity');
  expect(table?.columns.map(({ name }) => name)).toEqual(['uid', 'direction', 'downstream_mws', 'upstream_mws']);
  const rows = [
    ['12_1', 2, '12_2', []],
    ['12_2', 2, '12_4', ['12_1']],
    ['12_3', 2, '12_4', []],
    ['12_4', 0, null, ['12_2', '12_3']],
    ['12_5', null, null, []],
    ['12_6', null, null, []],
  ];
  expect(table?.rows.map((row) => table.columns.map(({ name }) => row[name]))).toEqual(rows);
  const file = join(service.dir, 'assets', layer?.assetKey ?? '');
  const { features } = JSON.parse(await readFile(file, 'utf8')) as FeatureCollection;
  expect(features.map(({ properties }) => properties)).toEqual(
    table?.rows.map(({ uid, direction, downstream_mws, upstream_mws }) => ({
      uid,
      direction,
      downstream: downstream_mws,
      upstream: JSON.stringify(upstream_mws),
    })),
  );
  expect(features[1]?.geometry).toMatchObject({ type: 'MultiPolygon', coordinates: [{}, {}] });
  const [item] = items;
  expect(validateItem(item?.item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
  // The elevations do not cover the margin of 5 km.
  expect(item?.item).toMatchObject({
    properties: {
      description: expect.stringMatching(
        /pixels of 31 m over the place and 5 km around it; elevations cover only a part of this area/,
      ),
    },
  });
  const style = await readFile(join(service.dir, 'assets', layer?.styleKey ?? ''), 'utf8');
  expect(style).toContain('label="NW"');
  expect(await readFile(file.replace(/\.geojson$/, '.png'))).not.toHaveLength(0);
});
