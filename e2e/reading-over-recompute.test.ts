import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn, type Client } from './client.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

// GDAL has a raster open while the year of this raster is computed again with other scenes.

const GDAL_PYTHON = '/usr/bin/python3';
const PASSWORD = 'tall-river-42';
const missing = (() => {
  if ((process.env['HEADWATER_PEERS_PYTHON'] ?? '') === '') return 'it runs with `npm run test:peers`';
  try {
    execFileSync(GDAL_PYTHON, ['-c', 'from osgeo import gdal']);
    return undefined;
  } catch {
    return "install Debian's gdal-bin and python3-gdal";
  }
})();
if (missing !== undefined) console.log(`skipped: GDAL reads a raster while it is computed again: ${missing}`);

/** Opens each URL, waits for a line, then prints a checksum or an error for each URL. */
const READ_IN_TWO_STEPS = `
import sys, zlib
from osgeo import gdal
gdal.UseExceptions()
rasters = [gdal.Open("/vsicurl/" + url) for url in sys.argv[1:]]
print("open", flush=True)
sys.stdin.readline()
for raster in rasters:
    try: print(zlib.crc32(raster.ReadAsArray().tobytes()), flush=True)
    except RuntimeError as error: print("error", str(error).replace("\\n", " "), flush=True)`;
/** Settings for small requests, so that GDAL reads only the header when it opens a raster. */
const IN_PIECES = {
  CPL_VSIL_CURL_CHUNK_SIZE: '1024',
  GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
  GDAL_HTTP_MULTIRANGE: 'SERIAL',
};

interface StacItem {
  readonly id: string;
  readonly assets: Readonly<Record<string, { readonly href: string }>>;
}

/** Opens rasters in a process of GDAL. `rest` reads their pixels and returns the printed lines. */
async function openRasters(urls: readonly string[]): Promise<{ rest(): Promise<string[]> }> {
  const env = { ...process.env, ...IN_PIECES };
  const child = spawn(GDAL_PYTHON, ['-c', READ_IN_TWO_STEPS, ...urls], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const opened = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'open') opened.resolve();
    else lines.push(line);
  });
  const closed = once(child, 'close');
  await Promise.race([
    opened.promise,
    closed.then(([code]) => Promise.reject(new Error(`the reader ended with ${code}`))),
  ]);
  return {
    async rest() {
      child.stdin.end('go\n');
      await closed;
      return lines;
    },
  };
}

describe.skipIf(missing !== undefined)('GDAL reads a raster while it is computed again', () => {
  let dataDir: string;
  let server: ServerProcess;
  let client: Client;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-reading-'));
    server = await startServerProcess({ dataDir, env: { SUPERUSER_PASSWORD: PASSWORD } });
    await server.printed(/\n {2}Open http/, 300_000);
    const username = server.output().match(/superuser {8}(test_user_\d{4})/)?.[1] ?? '';
    client = await signIn(server.baseUrl, username, PASSWORD);
  }, 400_000);
  afterAll(async () => {
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  const year = SAMPLE_YEARS[0];
  async function compute(): Promise<StacItem> {
    const { state, district, tehsil: block } = SAMPLE_PLACE;
    const request = { state, district, block, start_year: year, end_year: year, eo_account_id: 1, wait: true };
    const { status, body } = await client.post<{ stac_items: StacItem[] }>('/api/v1/lulc_for_tehsil/', request);
    const item = body.stac_items?.find(({ id }) => id.endsWith(`_raster_${year}`));
    if (item === undefined) throw new Error(`no raster came back: ${status} ${JSON.stringify(body)}`);
    return item;
  }
  const hrefs = ({ assets }: StacItem): string[] => ['data', 'cog'].map((name) => assets[name]?.href ?? 'missing');

  async function thinScenes(): Promise<void> {
    const path = join(dataDir, 'eo', 'headwater-sample', 'collection.json');
    const catalog = JSON.parse(await readFile(path, 'utf8')) as { links: { rel: string }[] };
    let at = 0;
    const links = catalog.links.filter(({ rel }) => rel !== 'item' || at++ % 2 === 0);
    expect(links.length).toBeLessThan(catalog.links.length);
    await writeFile(path, JSON.stringify({ ...catalog, links }));
  }

  it('GDAL gets the version that it opened; a client that opens the new URL gets the new version', async () => {
    const before = await compute();
    const old = await (await openRasters(hrefs(before))).rest();
    expect(
      old.every((line) => /^\d+$/.test(line)),
      old.join('; '),
    ).toBe(true);
    const held = await openRasters(hrefs(before));
    // Without `run`, the URL returns the newest version, whose pixels must differ from the old ones.
    const loose = await openRasters([hrefs(before)[0]?.replace(/&run=[^&]*/, '') ?? '']);
    await thinScenes();
    const after = await compute();
    expect(hrefs(after)).not.toEqual(hrefs(before));
    expect(await held.rest()).toEqual(old);
    expect(await loose.rest()).not.toEqual([old[0]]);
    const fresh = await (await openRasters(hrefs(after))).rest();
    expect(
      fresh.every((line, i) => /^\d+$/.test(line) && line !== old[i]),
      fresh.join('; '),
    ).toBe(true);
    expect(await (await openRasters(hrefs(before))).rest()).toEqual(old);
  }, 300_000);
});
