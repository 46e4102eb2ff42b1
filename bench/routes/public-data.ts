import { createHash, timingSafeEqual } from 'node:crypto';
import { createMemoryStores } from '@headwater/identity/memory';
import { sha256 } from '@headwater/core/values';
import type { PublishedTable } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createHeadwater, toFetchHandler } from '@headwater/http-service';
import { z } from 'zod';
import { createBenchUser, SECRET } from './shared.ts';

/** API key of the requests. */
export const KEY = `BenchKey.${'k'.repeat(32)}`;

const PLACE = { state: 'Nadi Pradesh', district: 'East Nadi', tehsil: 'Jal Gaon' } as const;

/** Path and query of the request for each result row about public data. */
export const PUBLIC_ROUTES = {
  public_tehsil_data: `/api/v1/get_tehsil_data/?${new URLSearchParams(PLACE).toString()}`,
  public_layer_list: `/api/v1/get_generated_layer_urls/?${new URLSearchParams(PLACE).toString()}`,
} as const;

const name = z.string().min(1).max(200);

/** Query that the bare hosts validate. */
export const PlaceQuery = z.object({ state: name, district: name, tehsil: name });

/** Creates the API-key check of a bare host (a framework without our service), equal to the check of our service. */
export async function createKeyGuard(): Promise<(text: unknown) => Promise<boolean>> {
  const { apiKeys } = await benchStores();
  return async (text) => {
    if (typeof text !== 'string') return false;
    const found = await apiKeys.find(text.slice(0, 8));
    if (found === undefined || !found.key.isActive || !found.user.isActive) return false;
    return timingSafeEqual(createHash('sha256').update(text).digest(), Buffer.from(found.hash, 'hex'));
  };
}

async function benchStores(): Promise<Stores> {
  const stores = createMemoryStores();
  await createBenchUser(stores);
  await publishBenchData(stores);
  return stores;
}

/** A response that the bare hosts send. */
export interface PreparedAnswer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Returns our service's responses for public data, with headers; the bare hosts send the same bytes. */
export async function preparedAnswers(): Promise<readonly PreparedAnswer[]> {
  const stores = await benchStores();
  const { service, close } = createHeadwater({ baseUrl: 'http://localhost:8000', secret: SECRET, stores });
  const handle = toFetchHandler(service);
  const answers = Object.values(PUBLIC_ROUTES).map(async (route) => {
    const url = new URL(route, 'http://localhost:8000');
    const answer = await handle(new Request(url, { headers: { 'x-api-key': KEY, 'accept-encoding': 'identity' } }));
    if (answer.status !== 200) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { path: url.pathname, headers: Object.fromEntries(answer.headers), bytes };
  });
  const all = await Promise.all(answers);
  await close();
  return all;
}

const SHEETS = 8;
const ROWS = 60;
const COLUMNS = 12;
const LAYERS = 30;

/** Publishes a tehsil with 30 layers and eight sheets, about 200 kB of JSON, and stores the API key. */
export async function publishBenchData({ places, runs, apiKeys }: Stores): Promise<void> {
  const { tehsil } = await places.saveBundle({ ...PLACE, geometry: null, mws: [], villages: [] });
  const [id, pipeline] = ['0190a000-0000-7000-8000-00000000beef', 'bench'];
  await runs.enqueue({ id, pipeline, params: {}, fingerprint: id, ownerId: 1 });
  const claim = { workerId: 'bench', leaseMs: 60_000, maxAttempts: 1, pipelines: [pipeline] };
  const token = (await runs.claim(claim))?.token ?? 0;
  const layers = Array.from({ length: LAYERS }, (_each, at) => ({
    workspace: `workspace_${at}`,
    layerName: `east_nadi_jal_gaon_layer_${at}`,
    datasetName: `Layer ${at}`,
    layerType: at % 2 === 0 ? ('raster' as const) : ('vector' as const),
    tehsilId: tehsil.id,
    itemId: `nadi_pradesh_east_nadi_jal_gaon_layer_${at}`,
    assetKey: `${id}/1/layer_${at}.geojson`,
    styleKey: null,
  }));
  const tables = Array.from({ length: SHEETS }, (_each, at) => sheet(tehsil.id, at));
  const stored = await runs.publish(id, token, { items: [], layers, tables, timings: {} });
  if (stored !== 'ok') throw new Error(`the bench's data were not published: ${stored}`);
  await storeBenchKey(apiKeys);
}

/** Stores the API key of the requests. */
export async function storeBenchKey(apiKeys: Stores['apiKeys']): Promise<void> {
  const key = {
    prefix: KEY.slice(0, 8),
    userId: 1,
    sessionVersion: 0,
    name: 'bench',
    expiresAt: '2126-01-01T00:00:00.000Z',
  };
  await apiKeys.create({ ...key, hash: await sha256(KEY) }, { most: 1 });
}

function sheet(tehsilId: number, at: number): PublishedTable {
  const years = Array.from({ length: COLUMNS }, (_each, year) => `area_in_ha_${2005 + year}`);
  return {
    name: `sheet_${at}`,
    tehsilId,
    key: 'uid',
    columns: [
      { name: 'uid', type: 'text', description: 'Micro-watershed' },
      ...years.map((year) => ({ name: year, type: 'number' as const, unit: 'ha', description: 'Area' })),
    ],
    rows: Array.from({ length: ROWS }, (_each, row) => ({
      uid: `12_${100_000 + row}`,
      ...Object.fromEntries(years.map((year, column) => [year, 1000 / (1 + at + row + column)])),
    })),
  };
}
