import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LULC_CLASSES } from '@headwater/land-cover';
import { openRaster } from '@headwater/raster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_YEARS } from '@headwater/sample-world';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { exactAreas, expectCogs, expectStac, GDAL_PYTHON, gdalMissing, judgesMissing } from './stac-judges.fixture.ts';

if (judgesMissing !== undefined) console.log(`skipped: judges of the sample: ${judgesMissing}`);
if (gdalMissing !== undefined) console.log(`skipped: GDAL's judgement of the sample: ${gdalMissing}`);

interface Document {
  readonly type: string;
  readonly id: string;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly assets?: Readonly<Record<string, { readonly href: string }>>;
}

const PIXELS = `
import sys, zlib
from osgeo import gdal
gdal.UseExceptions()
print(zlib.crc32(gdal.Open(sys.argv[1]).ReadAsArray().tobytes()))`;
const OPEN_REMOTE = `
import sys
from osgeo import gdal, ogr
gdal.UseExceptions(); ogr.UseExceptions()
d = gdal.Open("/vsicurl/" + sys.argv[1]); v = ogr.Open(sys.argv[2])
print(d.RasterXSize, d.RasterYSize, v.GetLayer(0).GetFeatureCount())`;

/** Follows child and item links from the root; every document once. */
async function crawl(root: string): Promise<Map<string, Document>> {
  const found = new Map<string, Document>();
  const todo = [root];
  for (let href = todo.pop(); href !== undefined; href = todo.pop()) {
    if (found.has(href)) continue;
    const document = (await (await fetch(href)).json()) as Document;
    found.set(href, document);
    todo.push(...document.links.filter(({ rel }) => rel === 'child' || rel === 'item').map((link) => link.href));
  }
  return found;
}

describe.skipIf(judgesMissing !== undefined)('the sample, as others judge it', () => {
  let dataDir: string;
  let server: ServerProcess;
  let documents: Map<string, Document>;
  let items: readonly Document[];
  const stored = (href: string): string =>
    join(dataDir, 'assets', new URL(href).pathname.replace('/api/v1/assets/', ''));
  const cogs = (): string[] =>
    items.flatMap(({ assets }) =>
      [assets?.['cog'], assets?.['quality']].flatMap((asset) => (asset === undefined ? [] : [stored(asset.href)])),
    );

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-judges-'));
    server = await startServerProcess({ dataDir });
    await server.printed(/land cover of the sample is done in/, 300_000);
    documents = await crawl(`${server.baseUrl}/api/v1/stac/`);
    items = [...documents.values()].filter(({ type }) => type === 'Feature');
  }, 400_000);
  afterAll(async () => {
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('the tree holds root, three collections and four Items', () => {
    expect(documents.size).toBe(8);
    expect(items).toHaveLength(4);
  });

  it('pystac and stac-validator accept every document', async () => {
    await expectStac([...documents.values()], dataDir);
  }, 120_000);

  it('an independent exact method gives the same class areas within 1e-6', async () => {
    const vector = items.find(({ assets }) => assets?.['geojson'] !== undefined);
    const geojson = stored(vector?.assets?.['geojson']?.href ?? '');
    const { features } = JSON.parse(await readFile(geojson, 'utf8')) as {
      features: { properties: Record<string, number | string> }[];
    };
    expect(features.length).toBeGreaterThanOrEqual(20);
    for (const year of SAMPLE_YEARS) {
      const cog = stored(items.find(({ id }) => id.endsWith(`_raster_${year}`))?.assets?.['cog']?.href ?? '');
      const rows = features.flatMap(({ properties }) =>
        LULC_CLASSES.filter(({ columnPrefix }) => columnPrefix !== null).map(
          ({ code, columnPrefix }) => `${properties['uid']},${code},${properties[`${columnPrefix}${year}`]}`,
        ),
      );
      const csv = join(dataDir, `areas-${year}.csv`);
      await writeFile(csv, `uid,class,area_ha\n${rows.join('\n')}\n`);
      const answer = exactAreas([cog, geojson, '--judge', csv]);
      expect(JSON.parse(answer), answer).toMatchObject({ compared: features.length * 12, bad: 0 });
    }
  }, 120_000);

  it.skipIf(gdalMissing !== undefined)(
    "GDAL's validator accepts every COG, and GDAL reads the pixels that we read",
    async () => {
      const files = cogs();
      expect(files).toHaveLength(6);
      expectCogs(files);
      const { crc32 } = await import('node:zlib');
      for (const path of files) {
        const raster = await openRaster(path);
        const pixels = new Uint8Array(raster.grid.rows * raster.grid.cols);
        await raster.readWindow({ row: 0, col: 0, rows: raster.grid.rows, cols: raster.grid.cols }, pixels);
        raster.close();
        expect(crc32(pixels), path).toBe(Number(execFileSync(GDAL_PYTHON, ['-c', PIXELS, path], { encoding: 'utf8' })));
      }
    },
  );

  it.skipIf(gdalMissing !== undefined)(
    'GDAL opens the data addresses of a raster and the vector Item from the running server',
    () => {
      const raster = items.find(({ id }) => id.includes('_raster_'))?.assets?.['data']?.href ?? '';
      const vector = items.find(({ id }) => id.endsWith('_vector'))?.assets?.['data']?.href ?? '';
      const [cols, rows, count] = execFileSync(GDAL_PYTHON, ['-c', OPEN_REMOTE, raster, vector], { encoding: 'utf8' })
        .trim()
        .split(' ')
        .map(Number);
      expect(cols).toBeGreaterThan(300);
      expect(rows).toBeGreaterThan(300);
      expect(count).toBeGreaterThanOrEqual(20);
    },
  );
});
