import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createValidatePipeline } from '@headwater/accuracy/validate';
import { EXAMPLE_LAYERS, type Headwater } from '@headwater/http-service';
import { writeGeoTiff } from '@headwater/raster';
import { afterAll, beforeAll } from 'vitest';
import { type RealPixels, realPixels } from '../fixture/real-pixels.ts';
import { createSampleService, publishSampleAgain, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget, RunningHost } from '../targets/target.ts';
import { jsonInit } from './harness.ts';
import { LEGEND, POINTS } from './validate-labels.ts';

export const ROUTE = '/api/v1/validate/';
export const TABLES = '/api/v1/tables/sample_state/sample_district/sample_tehsil/';
const { raster: LAYER } = EXAMPLE_LAYERS;
/** First part of the names of accuracy tables. */
const NAME = `accuracy_${LAYER.workspace}_${LAYER.name}_v`;
const GRID = { crs: 'EPSG:4326', west: 85, north: 24.1, pixelWidth: 0.001, pixelHeight: 0.001, cols: 100, rows: 100 };
/** A valid request. */
export const BODY = {
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

type Row = Readonly<Record<string, unknown>>;

/** A service with a class map, and a client that may validate the map. */
export interface ValidationWorld {
  readonly service: () => Headwater;
  /** URL of a path on the host. */
  readonly at: (path: string) => string;
  /** Headers of the sample's owner. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Posts `BODY` with changed members. */
  readonly post: (change: Row) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  /** Names of accuracy tables, oldest first. */
  readonly tableNames: () => Promise<readonly string[]>;
  readonly newestTable: () => Promise<string>;
  /** Rows of the newest table, by the value of their column `row`. */
  readonly rows: () => Promise<ReadonlyMap<unknown, Row>>;
  /** Publishes the map again as the next version. */
  readonly publishAgain: () => Promise<void>;
}

/** Starts service and host for a `describe`. The map has two classes, and nodata in the last rows. */
export function useValidation(target: HttpTarget): ValidationWorld {
  let map: Buffer;
  let service: Headwater;
  let real: RealPixels;
  let host: RunningHost;
  let headers: Readonly<Record<string, string>>;
  beforeAll(async () => {
    real = await realPixels();
    const path = join(real.folder, 'map.tif');
    const data = Uint8Array.from({ length: 10_000 }, (_, i) => (i >= 9000 ? 0 : i % 100 < 50 ? 1 : 2));
    await writeGeoTiff(path, { grid: GRID, data, nodata: 0, overviews: 'none', predictor: 1, tileSize: 64 });
    map = await readFile(path);
    service = await createSampleService({ pipelines: [createValidatePipeline()], compute: real.compute }, map);
    await service.start();
    host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
    const login = await fetch(`${host.url}/api/v1/auth/login/`, jsonInit(SAMPLE_USERS.owner));
    headers = { authorization: `Bearer ${((await login.json()) as { access: string }).access}` };
  });
  afterAll(async () => {
    await service.close();
    await host.close();
    await real.remove();
  });
  const at = (path: string): string => host.url + path;
  const answerOf = async (answer: Response): Promise<Answer> => ({
    status: answer.status,
    body: (await answer.json()) as Answer['body'],
  });
  const get = async (path: string): Promise<Answer> => await answerOf(await fetch(at(path), { headers }));
  const tableNames = async (): Promise<readonly string[]> => {
    const { body } = await get(TABLES);
    const all = body['tables'] as readonly { name: string; published: string }[];
    const own = all.filter(({ name }) => name.startsWith(NAME));
    return own.sort((a, b) => Date.parse(a.published) - Date.parse(b.published)).map(({ name }) => name);
  };
  const newestTable = async (): Promise<string> => (await tableNames()).at(-1) ?? 'none';
  return {
    service: () => service,
    at,
    headers: () => headers,
    post: async (change) => await answerOf(await fetch(at(ROUTE), jsonInit({ ...BODY, ...change }, headers))),
    get,
    tableNames,
    newestTable,
    rows: async () => {
      const { body } = await get(`${TABLES}${await newestTable()}/`);
      const list = body['rows'] as readonly Row[];
      return new Map(list.map((row) => [row['row'], row]));
    },
    publishAgain: () => publishSampleAgain(service, real.compute.assets, map),
  };
}
