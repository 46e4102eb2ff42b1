import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gdalPython, skipWithoutGdal } from '../cog/gdal-oracle.test-helper.ts';
import { openRaster } from './open-raster.ts';
import { refusalOf } from './refusal.fixture.ts';
import { gdalRewrite } from './test-samples.fixture.ts';

// The folder is created in a hook and not here: if every case is skipped, no hook runs that could remove it.
let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'headwater-values-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [COLS, ROWS] = [53, 41];
const TILED = ['TILED=YES', 'BLOCKXSIZE=16', 'BLOCKYSIZE=32'];

interface GdalFile {
  readonly name: string;
  readonly type: string;
  readonly options?: readonly string[];
  readonly bands?: number;
  readonly nodata?: number;
  readonly scale?: number;
  readonly offset?: number;
  readonly mask?: 'mask' | 'alpha';
  readonly overviews?: boolean;
  readonly band?: number;
}

const TYPES = ['uint8', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64'];
const LAYOUTS = { strips: ['BLOCKYSIZE=7'], tiles: TILED };
const PREDICTED: readonly GdalFile[] = TYPES.flatMap((type) =>
  (type.startsWith('float') ? [2, 3] : [2]).flatMap((predictor) =>
    ['LITTLE', 'BIG'].flatMap((order) =>
      Object.entries(LAYOUTS).flatMap(([layout, options]) =>
        (['BAND', 'PIXEL'] as const).map((interleave, i): GdalFile => {
          const own = ['COMPRESS=DEFLATE', `PREDICTOR=${predictor}`, `ENDIANNESS=${order}`, `INTERLEAVE=${interleave}`];
          const name = `${type}, predictor ${predictor}, ${order}, ${layout}, ${interleave}`;
          return { name, type, options: [...own, ...options], bands: 3, band: 2 + i };
        }),
      ),
    ),
  ),
);
const VALUED: readonly GdalFile[] = [
  { name: 'decimetres', type: 'int16', scale: 0.1, offset: -100, nodata: -32_768 },
  { name: 'scaled float64', type: 'float64', scale: 2, nodata: -9999.9 },
  { name: 'float32 with nodata -9999.9', type: 'float32', nodata: -9999.9 },
  { name: 'float32 whose nodata is its least number', type: 'float32', nodata: -3.4028234663852886e38 },
  { name: 'nodata NaN', type: 'float32', nodata: Number.NaN },
  { name: 'nodata that no pixel can have', type: 'uint8', nodata: -9999 },
  { name: 'mask', type: 'uint16', mask: 'mask' },
  { name: 'mask of tiles', type: 'int16', mask: 'mask', options: ['COMPRESS=DEFLATE', ...TILED] },
  {
    name: 'mask of a big-endian file, with overviews',
    type: 'float32',
    mask: 'mask',
    options: ['COMPRESS=LZW', 'ENDIANNESS=BIG'],
    overviews: true,
  },
  { name: 'mask compressed with PackBits', type: 'uint8', mask: 'mask', options: ['COMPRESS=PACKBITS'] },
  { name: 'mask and scale', type: 'uint8', mask: 'mask', scale: 0.5, offset: 3 },
  { name: 'alpha stored pixel by pixel', type: 'uint8', mask: 'alpha', bands: 2 },
  {
    name: 'alpha stored after the values, with overviews',
    type: 'uint16',
    mask: 'alpha',
    bands: 2,
    options: ['INTERLEAVE=BAND', 'COMPRESS=DEFLATE', ...TILED],
    overviews: true,
  },
];

const MAKE = `
import json, sys
import numpy as np
from osgeo import gdal, gdal_array, osr
gdal.UseExceptions()
gdal.SetConfigOption('GDAL_TIFF_INTERNAL_MASK', 'YES')
folder, cols, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
srs = osr.SpatialReference(); srs.ImportFromEPSG(32643)
rng = np.random.default_rng(7)
for i, spec in enumerate(json.loads(sys.argv[4])):
    kind = np.dtype(spec['type']); n = spec.get('bands', 1)
    options = spec.get('options', []) + (['ALPHA=YES'] if spec.get('mask') == 'alpha' else [])
    d = gdal.GetDriverByName('GTiff').Create(f'{folder}/{i}.tif', cols, rows, n, gdal_array.NumericTypeCodeToGDALTypeCode(kind.type), options)
    d.SetProjection(srs.ExportToWkt()); d.SetGeoTransform((5e5, 10, 0, 26e5, 0, -10))
    gone = rng.random((rows, cols)) < 0.2
    for b in range(1, n + 1):
        band = d.GetRasterBand(b)
        least, most = (-1e6, 1e6) if kind.kind == 'f' else (np.iinfo(kind).min, np.iinfo(kind).max)
        values = rng.uniform(least, most, (rows, cols)).astype(kind)
        nodata = spec.get('nodata')
        if nodata == 'NaN': nodata = float('nan')
        if nodata is not None:
            band.SetNoDataValue(nodata)
            if kind.kind == 'f' or nodata >= least: values[rng.random((rows, cols)) < 0.2] = nodata
        if 'scale' in spec: band.SetScale(spec['scale']); band.SetOffset(spec.get('offset', 0))
        if spec.get('mask') == 'alpha' and b == n: values = np.where(gone, 0, 255).astype(kind)
        band.WriteArray(values)
    if spec.get('mask') == 'mask':
        d.CreateMaskBand(gdal.GMF_PER_DATASET); d.GetRasterBand(1).GetMaskBand().WriteArray(np.where(gone, 0, 255).astype('uint8'))
    d = None
    if spec.get('overviews'):
        d = gdal.Open(f'{folder}/{i}.tif', gdal.GA_Update); d.BuildOverviews('nearest', [2]); d = None
    d = gdal.Open(f'{folder}/{i}.tif'); band = d.GetRasterBand(spec.get('band', 1))
    for level, own in enumerate([band] + [band.GetOverview(o) for o in range(band.GetOverviewCount())]):
        values = own.ReadAsArray().astype('float64') * (band.GetScale() or 1) + (band.GetOffset() or 0)
        values[own.GetMaskBand().ReadAsArray() == 0] = np.nan
        values.tofile(f'{folder}/{i}.{level}.raw')
`;

async function both(spec: GdalFile, index: number): Promise<{ ours: number[][]; theirs: number[][] }> {
  const { band } = spec;
  const file = await openRaster(join(folder, `${index}.tif`), band === undefined ? {} : { band });
  const [ours, theirs]: [number[][], number[][]] = [[], []];
  for (const [level, { cols, rows }] of file.levels.entries()) {
    const values = new Float64Array(cols * rows);
    await file.readValues({ col: 0, row: 0, cols, rows }, values, level);
    ours.push([...values]);
    theirs.push([...new Float64Array(new Uint8Array(readFileSync(join(folder, `${index}.${level}.raw`))).buffer)]);
  }
  file.close();
  return { ours, theirs };
}

describe.skipIf(skipWithoutGdal('comparison of values with GDAL'))(
  'values are equal to the values that GDAL reads',
  () => {
    const all = [...PREDICTED, ...VALUED];
    beforeAll(() => {
      const text = JSON.stringify(all, (_, value: unknown) => (Number.isNaN(value) ? 'NaN' : value));
      execFileSync(gdalPython ?? 'python3', ['-c', MAKE, folder, String(COLS), String(ROWS), text]);
    });

    it.each(all.map((spec, index) => ({ ...spec, index })))('$name', async ({ index, ...spec }) => {
      const { ours, theirs } = await both(spec, index);
      expect(ours).toEqual(theirs);
      expect(ours).toHaveLength(spec.overviews === true ? 2 : 1);
    });

    it('in a window that extends beyond a file with a mask, values outside of the file are NaN', async () => {
      const index = all.findIndex(({ name }) => name === 'mask of tiles');
      const file = await openRaster(join(folder, `${index}.tif`));
      const [whole, part] = [new Float64Array(COLS * ROWS), new Float32Array(20 * 20)];
      await file.readValues({ col: 0, row: 0, cols: COLS, rows: ROWS }, whole);
      await file.readValues({ col: -5, row: ROWS - 9, cols: 20, rows: 20 }, part);
      file.close();
      const expected = Array.from({ length: 400 }, (_, i) => {
        const [col, row] = [(i % 20) - 5, ROWS - 9 + Math.floor(i / 20)];
        return col >= 0 && row < ROWS ? whole[row * COLS + col] : Number.NaN;
      });
      expect([...part]).toEqual(expected);
    });

    it.each([
      ['complex integers', ['-ot', 'CInt16'], /complex numbers/],
      ['complex integers of 32 bits', ['-ot', 'CInt32'], /complex numbers/],
      ['complex floats', ['-ot', 'CFloat32'], /complex numbers/],
      ['single bits', ['-ot', 'Byte', '-co', 'NBITS=1'], /1 bit uint samples .* -ot Byte -co NBITS=8/],
      ['half bytes', ['-ot', 'Byte', '-co', 'NBITS=4'], /4 bit uint samples/],
      ['12 bits', ['-ot', 'UInt16', '-co', 'NBITS=12'], /12 bit uint samples .* -ot UInt16 -co NBITS=16/],
      ['half-precision floats', ['-ot', 'Float32', '-co', 'NBITS=16'], /16 bit float samples .* -ot Float32/],
      ['integers of 64 bits', ['-ot', 'Int64'], /64 bit int samples .* -ot Float32/],
    ])('%s are refused with a message that names the type of the samples', async (name, options, reason) => {
      const path = join(folder, `${name}.tif`);
      gdalRewrite(join(folder, '0.tif'), path, ['-b', '1', '-scale', '0', '255', '0', '1', ...options]);
      expect(await refusalOf(path)).toMatch(reason);
    });

    it('several bands are refused if no band is selected, in both storage orders', async () => {
      const [band, pixel] = [await refusalOf(join(folder, '0.tif')), await refusalOf(join(folder, '1.tif'))];
      expect([band, pixel]).toEqual([
        expect.stringMatching(/it has 3 bands, stored one after the other; .*gdal_translate -b 1/),
        expect.stringMatching(/it has 3 bands, stored pixel by pixel; .*gdal_translate -b 1/),
      ]);
    });
  },
);
