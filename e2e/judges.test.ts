import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LULC_CLASSES } from '@headwater/land-cover';
import { openRaster } from '@headwater/raster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_YEARS } from '@headwater/sample-world';
import {
  crawl,
  GDAL_PYTHON,
  judgeFile,
  noGdal,
  noJudges,
  type StacDocument,
  storedFile,
  validCogs,
  validDocuments,
} from './judges.fixture.ts';
import { exportSuite } from './export-suite.fixture.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

if (noJudges !== undefined) console.log(`skipped: checks of the sample by independent programs: ${noJudges}`);
if (noGdal !== undefined) console.log(`skipped: GDAL's checks of the sample: ${noGdal}`);

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
describe.skipIf(noJudges !== undefined)('the sample in independent programs', () => {
  let dataDir: string;
  let server: ServerProcess;
  let documents: Map<string, StacDocument>;
  let items: readonly StacDocument[];
  const stored = (href: string): string => storedFile(dataDir, href);
  const cogs = (): string[] =>
    items.flatMap(({ assets }) =>
      [assets?.['cog'], assets?.['quality'], assets?.['confidence']].flatMap((asset) =>
        asset === undefined ? [] : [stored(asset.href)],
      ),
    );

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-judges-'));
    server = await startServerProcess({ dataDir });
    await server.printed(/\n {2}Open http/, 300_000);
    documents = await crawl(`${server.baseUrl}/api/v1/stac/`);
    items = [...documents.values()].filter(({ type }) => type === 'Feature');
  }, 400_000);
  afterAll(async () => {
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('the catalogue has a root, three Collections, four Items of land cover, two of boundaries and three of NDVI', () => {
    expect(documents.size).toBe(13);
    expect(items).toHaveLength(9);
    for (const { id, links } of items) {
      const maps = ['wms', 'xyz', 'tilejson'].filter((rel) => links.some((link) => link.rel === rel));
      expect([id, maps]).toEqual([id, ['wms', 'xyz', 'tilejson']]);
    }
  });

  it('pystac and stac-validator accept every document', async () => {
    expect(await validDocuments([...documents.values()], dataDir)).toBe(documents.size);
  }, 120_000);

  it('an independent exact method gives equal class areas within 1e-6', async () => {
    const vector = items.find(({ id }) => id.endsWith('land_use_land_cover_vector'));
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
      const answer = judgeFile('exact_areas.py', [cog, geojson, '--judge', csv]);
      expect(JSON.parse(answer), answer).toMatchObject({ compared: features.length * 12, bad: 0 });
    }
  }, 120_000);

  it.skipIf(noGdal !== undefined)(
    "GDAL's validator accepts every COG, and GDAL reads the same pixels as our reader",
    async () => {
      const files = cogs();
      expect(files).toHaveLength(9);
      expect(validCogs(files)).toBe(9);
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

  it.skipIf(noGdal !== undefined)(
    'GDAL opens the data URLs of a raster and the vector Item from the running server',
    () => {
      const raster = items.find(({ id }) => id.includes('_raster_'))?.assets?.['data']?.href ?? '';
      const vector = items.find(({ id }) => id.endsWith('land_use_land_cover_vector'))?.assets?.['data']?.href ?? '';
      const [cols, rows, count] = execFileSync(GDAL_PYTHON, ['-c', OPEN_REMOTE, raster, vector], { encoding: 'utf8' })
        .trim()
        .split(' ')
        .map(Number);
      expect(cols).toBeGreaterThan(300);
      expect(rows).toBeGreaterThan(300);
      expect(count).toBeGreaterThanOrEqual(20);
    },
  );

  exportSuite(() => ({ dataDir, server, documents: [...documents.values()] }));
});
