// npm run bench:scene-cache [-- --json FILE]: measures bytes and requests for the scenes of six tehsils, without and
// with a cache. `cpuSeconds` includes the server of the scenes.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PixelPlan } from '@headwater/core/pixel-plan';
import { createPixelEngine, watchBlockCache, writeGeoTiff } from '@headwater/raster';
import { dumpOutputs, quiet, testBlock, wholeArea } from '../../packages/raster/src/plan/test-plans.fixture.ts';

/** Side of the scenes, in pixels of 10 m. The edges of the tehsils are not at the edges of the tiles in the files. */
const SIDE = 3000;
const TEHSIL = { cols: 900, rows: 1400 };
const TILE = 512;
const DATES = 12;
const DAY_MS = 86_400_000;
const ORIGIN = { crs: 'EPSG:32643', west: 500_000, north: 2_600_000 };
const BANDS = { red: 10, nir: 10, scl: 20 } as const;
const { values } = parseArgs({ options: { json: { type: 'string' } } });

const folder = await mkdtemp(join(tmpdir(), 'headwater-scene-cache-'));
const files = new Map<string, Uint8Array>();
let [requests, bytes] = [0, 0];

async function writeBand(name: keyof typeof BANDS): Promise<void> {
  const size = BANDS[name];
  const side = (SIDE * 10) / size;
  const path = join(folder, `${name}.tif`);
  const grid = { ...ORIGIN, pixelWidth: size, pixelHeight: size, cols: side, rows: side };
  // Returns noise for pixel `i`. Without noise, deflate would compress the pixels better than real reflectances.
  const noise = (i: number): number => {
    const mixed = Math.imul(i ^ (i >>> 15), 0x2c_1b_3c_6d);
    return Math.imul(mixed ^ (mixed >>> 12), 0x29_7a_2d_39) >>> 24;
  };
  const shared = { grid, overviews: 'none', tileSize: TILE, nodata: 0 } as const;
  if (name === 'scl') await writeGeoTiff(path, { ...shared, data: new Uint8Array(side * side).fill(4), predictor: 1 });
  else {
    const data = Uint16Array.from({ length: side * side }, (_, i) => 1200 + noise(i));
    await writeGeoTiff(path, { ...shared, data, predictor: 2 });
  }
  files.set(name, new Uint8Array(await readFile(path)));
}

/** Serves each date at its own address, so that the cache treats dates as separate files. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  const [, date = '', name = ''] = /^\/(\d+)\/(\w+)\.tif$/.exec(request.url ?? '') ?? [];
  const file = files.get(name) ?? new Uint8Array(0);
  const etag = `"${date}-${name}"`;
  requests += 1;
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
  const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
  const part = file.subarray(Number(from), Number(to) + 1);
  bytes += part.length;
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
  response.writeHead(206, { etag, 'content-range': range }).end(part);
}

function planOf(root: string, index: number): PixelPlan {
  const [col, row] = [(index % 3) * TEHSIL.cols + 50, Math.floor(index / 3) * TEHSIL.rows + 50];
  const corner = { crs: ORIGIN.crs, west: ORIGIN.west + 10 * col, north: ORIGIN.north - 10 * row };
  const grid = { ...corner, pixelWidth: 10, pixelHeight: 10, ...TEHSIL };
  const band = (date: number, name: string) => ({
    href: `${root}/${date}/${name}.tif`,
    offset: 0,
    scale: 0.0001,
    nodata: 0,
  });
  return {
    kind: 'composite',
    grid,
    area: wholeArea(grid),
    scenes: Array.from({ length: DATES }, (_, date) => ({
      id: `scene ${date}`,
      datetime: new Date(Date.UTC(2023, 6, 1) + date * 15 * DAY_MS + DAY_MS / 4).toISOString(),
      bands: Object.fromEntries(Object.keys(BANDS).map((name) => [name, band(date, name)])),
    })),
    mask: { band: 'scl', keep: [4], missing: [0], grow: [], dilate: 0 },
    steps: [{ start: '2023-07-01', end: '2024-07-01' }],
    core: [0, 1],
    indices: [{ name: 'ndvi', formula: { kind: 'ratio', plus: ['nir'], minus: ['red'] }, from: 0, to: 1 }],
    block: testBlock('dumpSeries'),
    outputs: dumpOutputs({ ndvi: 1 }),
  };
}

async function measure(root: string, maxBytes: number) {
  const blocks = maxBytes === 0 ? {} : { blocks: { folder: join(folder, `blocks-${maxBytes}`), maxBytes } };
  const waiting = Array.from({ length: 6 }, (_, index) => index).values();
  [requests, bytes] = [0, 0];
  let [hits, misses] = [0, 0];
  const end = watchBlockCache((counts) => {
    hits += counts.hits;
    misses += counts.misses;
  });
  const [started, before] = [performance.now(), process.cpuUsage()];
  const work = async (worker: number): Promise<void> => {
    const scratchDir = join(folder, `scratch-${worker}`);
    const engine = createPixelEngine({ scratchDir, threads: 1, network: { allowedOrigins: [root] }, ...blocks });
    for (const index of waiting) {
      const { outputs } = await engine.execute(planOf(root, index), quiet());
      await engine.release(Object.values(outputs));
    }
    await engine.close();
  };
  await Promise.all([work(0), work(1)]);
  end();
  const { user, system } = process.cpuUsage(before);
  return {
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: (user + system) / 1e6,
    requests,
    bytes,
    hits,
    misses,
  };
}

const server = createServer(serve);
try {
  for (const name of ['red', 'nir', 'scl'] as const) await writeBand(name);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const root = `http://127.0.0.1:${address.port}`;
  const rows = {
    'no cache': await measure(root, 0),
    'empty cache of 2 GB': await measure(root, 2e9),
    'the same cache again': await measure(root, 2e9),
    // This cache is smaller than the scenes, so blocks are removed before they are read again.
    'cache of 64 MB': await measure(root, 64e6),
  };
  console.log(`six tehsils of ${TEHSIL.cols} x ${TEHSIL.rows} pixels, ${DATES} dates, tiles of ${TILE}, two engines`);
  console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([name, { seconds, cpuSeconds, bytes: sent, ...rest }]) => [
        name,
        { MB: (sent / 1e6).toFixed(1), ...rest, cpuSeconds: cpuSeconds.toFixed(1), seconds: seconds.toFixed(1) },
      ]),
    ),
  );
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(rows, null, 2));
} finally {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
}
