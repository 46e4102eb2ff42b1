import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { openRaster } from './open-raster.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-side-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'a.tif');
const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: 4, rows: 3 };
const data = new Float32Array(grid.cols * grid.rows);
beforeAll(() => writeGeoTiff(path, { grid, overviews: 'none', tileSize: 16, predictor: 1, data, nodata: -9999.9 }));

const side = (band: string, number = 1): void =>
  writeFileSync(`${path}.aux.xml`, `<PAMDataset><PAMRasterBand band="${number}">${band}</PAMRasterBand></PAMDataset>`);

it.each([
  ['<Scale>0.1</Scale>', 'scale 0.1'],
  ['<Offset>-5</Offset><Scale>1</Scale>', 'offset -5'],
  ['<NoDataValue>-3.27680000000000E+04</NoDataValue>', 'nodata -3.27680000000000E+04'],
  ['<NoDataValue le_hex_equiv="0000000000000080">0</NoDataValue><Scale>2</Scale>', 'scale 2, nodata 0'],
  ['<Scale>ten</Scale>', 'scale ten'],
])('refuses a file whose .aux.xml has values that differ from the tags: %s', async (band, problem) => {
  side(band);
  await expect(openRaster(path)).rejects.toThrow(
    `a.tif: a.tif.aux.xml next to it has ${problem}, which differs from the file's own tags and is not used; include it in the file with ` +
      '`gdal_translate -of COG`, or remove a.tif.aux.xml if it is wrong',
  );
});

it.each([
  '<Metadata><MDI key="STATISTICS_MEAN">0.1</MDI></Metadata><Histograms/>',
  '<Scale>1</Scale><Offset>0</Offset><NoDataValue>-9.99990000000000E+03</NoDataValue>',
  '<Scale></Scale><NoDataValue/>',
])('accepts an .aux.xml with values that do not differ from the tags: %s', async (band) => {
  side(band);
  (await openRaster(path)).close();
  // The file has no band 2.
  side('<Scale>0.1</Scale>', 2);
  (await openRaster(path)).close();
});

it('refuses an .aux.xml that is too large', async () => {
  side('');
  truncateSync(`${path}.aux.xml`, 17 * 1024 * 1024);
  await expect(openRaster(path)).rejects.toThrow(/a\.tif: a\.tif\.aux\.xml next to it has 17825792 bytes, more than/);
});
