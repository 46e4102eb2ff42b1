import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createValidatePipeline } from '@headwater/accuracy/validate';
import { EXAMPLE_LAYERS, type Headwater } from '@headwater/http-service';
import { createDirectoryAssets } from '@headwater/ingest';
import { createPixelEngine, writeGeoTiff } from '@headwater/raster';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createSampleService, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';

const ROUTE = '/api/v1/validate/';
const { raster: LAYER } = EXAMPLE_LAYERS;
const TABLE = `/api/v1/tables/sample_state/sample_district/sample_tehsil/accuracy_${LAYER.workspace}_${LAYER.name}/`;
const GRID = { crs: 'EPSG:4326', west: 85, north: 24.1, pixelWidth: 0.001, pixelHeight: 0.001, cols: 100, rows: 100 };
const LEGEND = {
  classes: [
    { name: 'built_up', map: [1], reference: ['built_up'] },
    { name: 'trees', map: [2], reference: ['trees', 'forest'] },
  ],
};

type Position = readonly [col: number, row: number];

const lonLat = ([col, row]: Position): number[] => [85 + col / 1000, 24.1 - row / 1000];
const feature = (label: unknown, geometry: unknown): unknown => ({
  type: 'Feature',
  properties: { label, surveyor: 'Asha' },
  geometry,
});
const point = (label: unknown, at: Position): unknown => feature(label, { type: 'Point', coordinates: lonLat(at) });
const collection = (features: readonly unknown[]): object => ({ type: 'FeatureCollection', features });
const ring = (corners: readonly Position[]): number[][] => [...corners, ...corners.slice(0, 1)].map(lonLat);

/** Columns 0-49 are built up, the others trees, and the last ten rows have no data: seven of eight points agree. */
const POINTS = collection([
  ...[5, 15, 25, 35].map((col) => point('built_up', [col + 0.5, 20.5])),
  point('Built_Up', [75.5, 20.5]),
  ...[65, 85].map((col) => point('trees', [col + 0.5, 40.5])),
  point('forest', [95.5, 40.5]),
  point('trees', [75.5, 95.5]),
  point('trees', [500, 500]),
  point('mangrove', [75.5, 40.5]),
]);

const BODY = {
  state: 'Sample State',
  district: 'Sample District',
  block: 'Sample Tehsil',
  eo_account_id: 1,
  workspace: LAYER.workspace,
  layer_name: LAYER.name,
  labels: POINTS,
  legend: LEGEND,
  wait: true,
};

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A published layer scored against labels: from the upload to the table, with real pixels. */
export function validateCases(target: HttpTarget): void {
  describe('labels for a published layer', () => {
    let folder = '';
    let service: Headwater;
    let host: RunningHost;
    let headers: Readonly<Record<string, string>>;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'headwater-validate-'));
      const data = Uint8Array.from({ length: 10_000 }, (_, i) => (i >= 9000 ? 0 : i % 100 < 50 ? 1 : 2));
      await writeGeoTiff(join(folder, 'map.tif'), {
        grid: GRID,
        data,
        nodata: 0,
        overviews: 'none',
        predictor: 1,
        tileSize: 64,
      });
      const compute = {
        assets: createDirectoryAssets(join(folder, 'assets')),
        pixels: createPixelEngine({ scratchDir: join(folder, 'scratch'), threads: 1 }),
        earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
      };
      const pipelines = [createValidatePipeline()];
      service = await createSampleService({ pipelines, compute }, await readFile(join(folder, 'map.tif')));
      service.start();
      host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
      const login = await fetch(`${host.url}/api/v1/auth/login/`, jsonInit(SAMPLE_USERS.owner));
      headers = { authorization: `Bearer ${((await login.json()) as { access: string }).access}` };
    });
    afterAll(async () => {
      await service.close();
      await host.close();
      await rm(folder, { recursive: true, force: true });
    });
    const post = async (change: Readonly<Record<string, unknown>>): Promise<Answer> => {
      const answer = await fetch(host.url + ROUTE, jsonInit({ ...BODY, ...change }, headers));
      return { status: answer.status, body: (await answer.json()) as Answer['body'] };
    };
    const rows = async (): Promise<ReadonlyMap<unknown, Readonly<Record<string, unknown>>>> => {
      const { body } = await get(TABLE);
      const list = body['rows'] as readonly Readonly<Record<string, unknown>>[];
      return new Map(list.map((row) => [row['row'], row]));
    };
    const get = async (path: string): Promise<Answer> => {
      const answer = await fetch(host.url + path, { headers });
      return { status: answer.status, body: (await answer.json()) as Answer['body'] };
    };

    defineCase(target, 'give the figures that can be worked out by hand', async () => {
      const { status, body } = await post({});
      expect([status, body['stac_spec'], body['stac_items']]).toEqual([200, null, []]);
      const figures = { samples: 8, overall_accuracy: 0.875, kappa: 0.75, unmapped_labels: 1, layer_nodata: 2 };
      expect(body['timings']).toMatchObject(figures);
      const table = await rows();
      expect(table.get('overall')).toMatchObject({ claim: 'accuracy', design: 'points', samples: 8, kappa: 0.75 });
      const [built, trees] = [table.get('class:built_up'), table.get('class:trees')];
      expect(built).toMatchObject({ mapped: 4, reference: 5, agreed: 4, label_built_up: 4, label_trees: 0 });
      expect(trees).toMatchObject({ mapped: 4, reference: 3, label_built_up: 1, label_trees: 3, precision: 0.75 });
      // Two strata of one size: 1/2 + 1/2 x 1/4 of the area, with a variance of (1/2)^2 x (1/4 x 3/4) / 3.
      const area = 2 * Number(built?.['mapped_ha']);
      expect(Number(trees?.['mapped_ha'])).toBeCloseTo(area / 2, 6);
      expect(Number(built?.['reference_ha']) / area).toBeCloseTo(0.625, 6);
      expect(Number(built?.['reference_ha_standard_error']) / area).toBeCloseTo(0.125, 6);
      expect(table.get('left_out:unmapped_labels')).toMatchObject({ samples: 1 });
      expect(JSON.stringify([...table.values()])).not.toMatch(/Asha|mangrove|85\.0/);
    });

    defineCase(target, 'that are the same are answered by the stored result, and shown to nobody', async () => {
      const first = await post({});
      expect(await post({})).toMatchObject({ status: 200, body: { run_id: first.body['run_id'], reused: true } });
      const run = await get(`/api/v1/runs/${String(first.body['run_id'])}/`);
      expect(run.body).toMatchObject({ params: { layer_name: LAYER.name, labels_sha256: expect.any(String) } });
      expect(JSON.stringify(run.body)).not.toMatch(/bulk|mangrove|Asha/);
      expect((await fetch(`${host.url}/api/v1/runs/${String(first.body['run_id'])}/`)).status).toBe(401);
    });

    defineCase(target, 'of polygons count once, by the class of most of their pixels', async () => {
      const box = (label: string, ...[left, right]: readonly [number, number]): unknown => {
        const corners: readonly Position[] = [
          [left, 10],
          [right, 10],
          [right, 20],
          [left, 20],
        ];
        return feature(label, { type: 'Polygon', coordinates: [ring(corners)] });
      };
      const labels = collection([box('built_up', 30, 60), box('trees', 60, 70), box('trees', 80.6, 80.9)]);
      const { body } = await post({ labels });
      expect(body['timings']).toMatchObject({ samples: 2, overall_accuracy: 1, too_small: 1 });
      expect((await post({ labels, polygons: 'pixels' })).body['timings']).toMatchObject({
        samples: 400,
        overall_accuracy: 0.75,
      });
    });

    defineCase(target, 'may be of the classes that the layer itself lists', async () => {
      const { legend: _, ...body } = {
        ...BODY,
        labels: collection([point(1, [5.5, 5.5]), point('BUILT_UP', [6.5, 5.5])]),
      };
      const answer = await fetch(host.url + ROUTE, jsonInit(body, headers));
      expect(await answer.json()).toMatchObject({ timings: { samples: 2, overall_accuracy: 1 } });
    });

    const line = { type: 'LineString', coordinates: [lonLat([1, 1]), lonLat([2, 2])] };
    const open = {
      type: 'Polygon',
      coordinates: [
        ring([
          [1, 1],
          [2, 1],
          [2, 2],
          [1, 2],
        ]).slice(0, 4),
      ],
    };
    const many = Array.from({ length: 20_001 }, () => 0);
    for (const [name, change, field, message] of [
      ['no collection', { labels: { type: 'Feature' } }, 'labels', /FeatureCollection/],
      ['no object', { labels: [1] }, 'labels', /./],
      ['no features', { labels: collection([]) }, 'labels', /features is empty/],
      ['a line', { labels: collection([feature('trees', line)]) }, 'labels', /features\[0\]: geometry.type must be/],
      ['an open ring', { labels: collection([feature('trees', open)]) }, 'labels', /is open/],
      ['no label', { labels: collection([point(undefined, [1, 1])]) }, 'labels', /properties.label is missing/],
      ['another property', { label_property: 'cover' }, 'labels', /properties.cover is missing/],
      ['metres', { labels: collection([point('trees', [1e9, 1e9])]) }, 'labels', /metres of a projected CRS/],
      ['too many features', { labels: collection(many) }, 'labels', /at most 20000/],
      ['a broken legend', { legend: { classes: [{ name: 'a' }] } }, 'legend', /classes\[0\].map must be a list/],
      ['another way', { polygons: 'mean' }, 'polygons', /majority or pixels/],
      [
        'a vector layer',
        { workspace: EXAMPLE_LAYERS.vector.workspace, layer_name: EXAMPLE_LAYERS.vector.name },
        'layer_name',
        /raster layer/,
      ],
      ['an unknown account', { eo_account_id: 99 }, 'eo_account_id', /99/],
    ] as const) {
      defineCase(target, `are refused by name of the field: ${name}`, async () => {
        const { status, body } = await post(change);
        const errors = body['errors'] as Readonly<Record<string, readonly string[]>> | undefined;
        expect([status, errors?.[field]?.join(' ')]).toEqual([400, expect.stringMatching(message)]);
      });
    }

    defineCase(target, 'are refused where the layer is not published, and where the body is too large', async () => {
      const missing = [{ name: `layer ${LAYER.workspace}:nowhere`, kind: 'layer' }];
      expect(await post({ layer_name: 'nowhere' })).toMatchObject({
        status: 409,
        body: { code: 'missing_layer', missing },
      });
      const large = collection(Array.from({ length: 20_000 }, (_, i) => point('trees', [i % 100, 1])));
      expect((await post({ labels: large })).status).toBe(413);
    });

    defineCase(target, 'that zigzag over the whole layer end the run with a reason', async () => {
      const zigzag = ring(Array.from({ length: 10_000 }, (_, i): Position => [i / 100, i % 2 === 0 ? 0 : 100]));
      const labels = collection(
        Array.from({ length: 3 }, () => feature('trees', { type: 'Polygon', coordinates: [zigzag] })),
      );
      expect(await post({ labels })).toMatchObject({ body: { code: 'input_data', status: 'failed' } });
    });
  });
}
