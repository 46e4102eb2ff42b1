import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SAMPLE_PLACE } from '@headwater/sample-world';
import { clientOf } from '../client.ts';
import { LAYER_OPTIONS, NAMES, writeDataFiles } from '../import-data.fixture.ts';
import { requestRun } from '../worker-yard.fixture.ts';

/** Addresses and credentials of the requests. */
export interface Visit {
  readonly baseUrl: string;
  readonly token: string;
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
  /** Folder for the files of imports. */
  readonly folder: string;
}

/** Number of responses by status; `failed` counts requests without a response. */
export type Counts = Map<string, number>;

/** `atOnce` is the number of simultaneous requests. */
interface Load {
  readonly name: string;
  readonly atOnce: number;
  readonly pauseMs: number;
  readonly send: (visit: Visit, turn: number) => Promise<number>;
}

const PLACE = new URLSearchParams({ ...SAMPLE_PLACE }).toString();
const VECTORS = ['mws:mws_nirmalgarh_jalsrota', 'panchayat_boundaries:nirmalgarh_jalsrota'] as const;
const RASTERS = [1, 2, 3].map((level) => `LULC_level_${level}:LULC_22_23_nirmalgarh_jalsrota_level_${level}`);
const [LON, LAT] = [78.519, 17.5] as const;

const PUBLIC = [
  `/api/v1/get_tehsil_data/?${PLACE}`,
  `/api/v1/get_generated_layer_urls/?${PLACE}`,
  `/api/v1/get_mws_geometries/?${PLACE}`,
  `/api/v1/get_village_geometries/?${PLACE}`,
  `/api/v1/download_kyl_data/?${PLACE}&file_type=json`,
  `/api/v1/get_mwsid_by_latlon/?latitude=${LAT}&longitude=${LON}`,
  '/api/v1/get_active_locations/',
  '/api/v1/stac/',
  '/api/v1/stac-api/search?limit=10',
  '/api/v1/stac-api/collections',
  '/',
  '/places/',
  '/api/health',
] as const;

const LOADS: readonly Load[] = [
  {
    name: 'public GETs',
    atOnce: 6,
    pauseMs: 0,
    send: (visit, turn) => get(visit, PUBLIC[turn % PUBLIC.length] ?? '/'),
  },
  // Each of these addresses is new and adds an entry to the caches, whose size must stay bounded.
  { name: 'maps', atOnce: 4, pauseMs: 0, send: (visit, turn) => get(visit, mapPath(turn)) },
  {
    name: 'computing',
    atOnce: 2,
    pauseMs: 1500,
    send: async ({ baseUrl, token }) =>
      (await requestRun(clientOf(baseUrl, token), Math.random())) === undefined ? 0 : 202,
  },
  { name: 'sign-ins', atOnce: 1, pauseMs: 400, send: signInOnce },
  { name: 'unknown names', atOnce: 1, pauseMs: 1000, send: signInAsNobody },
  { name: 'imports', atOnce: 1, pauseMs: 3000, send: (visit, turn) => importOnce(visit, turn + 1) },
];

/** Sends the requests of all loads until `isOver` returns true. */
export async function sendLoads(visit: Visit, isOver: () => boolean): Promise<ReadonlyMap<string, Counts>> {
  // The GET requests need the boundaries of the imported place.
  await importOnce(visit, 0);
  const all = new Map(LOADS.map(({ name }): [string, Counts] => [name, new Map()]));
  await Promise.all(
    LOADS.flatMap((load) => {
      const counts: Counts = all.get(load.name) ?? new Map();
      let turn = 0;
      return Array.from({ length: load.atOnce }, async () => {
        while (!isOver()) {
          const status = await load.send(visit, turn++).catch(() => 'failed');
          counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
          await pause(load.pauseMs);
        }
      });
    }),
  );
  return all;
}

/** Sends a GET and returns the status. Retries once after a 503. */
async function get(visit: Visit, path: string, again = true): Promise<number> {
  const { baseUrl, apiKey } = visit;
  const answer = await fetch(baseUrl + path, { headers: { 'x-api-key': apiKey } });
  const body = await answer.arrayBuffer();
  // With REPLACED_FILES_HOURS=0, the service may remove a replaced file while a request opens it.
  if (answer.status === 503 && again) {
    await pause(Number(answer.headers.get('retry-after') ?? 1) * 1000);
    return get(visit, path, false);
  }
  if (answer.status !== 200) console.log(`${path}: ${answer.status} ${new TextDecoder().decode(body).slice(0, 500)}`);
  return answer.status;
}

function mapPath(turn: number): string {
  const [raster = '', vector = ''] = [RASTERS[turn % RASTERS.length], VECTORS[turn % VECTORS.length]];
  const [dx, dy] = [Math.random() / 100, Math.random() / 100];
  const bbox = [LON - 0.01 + dx, LAT - 0.01 + dy, LON + dx, LAT + dy].map((value) => value.toFixed(6)).join(',');
  const tile = tileAt(12 + (turn % 5), LON + dx, LAT + dy);
  const tiles = `/geoserver/ogc/tiles/v1/collections`;
  switch (turn % 4) {
    case 0:
      return `${tiles}/${raster}/map/tiles/WebMercatorQuad/${tile}`;
    case 1:
      return `${tiles}/${vector}/tiles/WebMercatorQuad/${tile}`;
    case 2:
      return `/geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=${raster}&styles=&srs=EPSG:4326&bbox=${bbox}&width=256&height=256&format=image/png`;
    default:
      return `/geoserver/wfs?service=WFS&version=1.0.0&request=GetFeature&typeName=${vector}&outputFormat=application/json&bbox=${bbox}`;
  }
}

function tileAt(zoom: number, lon: number, lat: number): string {
  const [tiles, radians] = [2 ** zoom, (lat * Math.PI) / 180];
  const col = Math.floor(((lon + 180) / 360) * tiles);
  const row = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * tiles);
  return `${zoom}/${row}/${col}`;
}

async function post(baseUrl: string, path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function signInOnce({ baseUrl, username, password }: Visit): Promise<number> {
  const answer = await post(baseUrl, '/api/v1/auth/login/', { username, password });
  await answer.arrayBuffer();
  return answer.status;
}

async function signInAsNobody({ baseUrl }: Visit, turn: number): Promise<number> {
  const answer = await post(baseUrl, '/api/v1/auth/login/', { username: `unknown_${turn}`, password: 'tall-river' });
  await answer.arrayBuffer();
  return answer.status;
}

/** Imports boundaries in turn 0, later workbook, series and layer. */
async function importOnce(visit: Visit, turn: number): Promise<number> {
  const files = await writeDataFiles(visit.folder, 1 + turn);
  const kinds = turn === 0 ? (['places', 'mws'] as const) : (['workbook', 'series', 'layer'] as const);
  let status = 200;
  for (const kind of kinds) {
    const body = new FormData();
    body.append('file', new Blob([await readFile(files[kind])]), basename(files[kind]));
    if (kind === 'layer') body.append('options', JSON.stringify(LAYER_OPTIONS));
    const headers = { authorization: `Bearer ${visit.token}` };
    const answer = await fetch(`${visit.baseUrl}/api/v1/import/${kind}/`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status !== 200) {
      console.log(`import of ${kind} for ${NAMES.tehsil}: ${answer.status} ${text}`);
      ({ status } = answer);
    }
  }
  return status;
}
