import { join } from 'node:path';
import type { PixelPlan, PlanScene } from '@headwater/core/pixel-plan';
import { describe, expect, it } from 'vitest';
import { eoSamples, gdalRaw, hasGdal } from '../tiff/test-samples.fixture.ts';
import { testEngine } from './test-engine.fixture.ts';
import { band, dumpOutputs, gridOf, plan, quiet, SCL } from './test-plans.fixture.ts';

const samples = eoSamples() ?? '';
const gdal = hasGdal();
const { engine, dump } = testEngine();

/** Maximum share of pixels whose centre is so near to a border that the neighbour may be selected. */
const NEAR_A_BORDER = 0.001;

describe.skipIf(samples === '' || !gdal)('one Sentinel-2 item with 10, 20 and 60 m bands', () => {
  const file = (code: string): string => join(samples, `s2_cog_29RKH/${code}.tif`);
  const scene: PlanScene = {
    id: 'S2A_29RKH',
    datetime: '2023-10-10T11:00:00Z',
    bands: { red: band(file('B04'), 0), swir16: band(file('B11'), 0), scl: band(file('SCL')) },
  };
  const bandIndex = (name: string): PixelPlan['indices'][number] => ({
    name,
    formula: { kind: 'band', band: name },
    from: 0,
    to: 1,
  });
  const values = (raw: Buffer): Int16Array =>
    new Int16Array(new Uint8Array(raw).buffer).map((value) => (value === 0 ? -32768 : value));

  it.each([
    { col: 301, row: 403, cols: 640, rows: 500 },
    { col: 0, row: 0, cols: 1098, rows: 1098 },
    { col: 1, row: 2, cols: 1030, rows: 1031 },
  ])('20 m bands are aligned with the 10 m grid, in one pane or in several: $col $row $cols $rows', async (window) => {
    const whole = await gridOf(file('B04'));
    const { col, row, cols, rows } = window;
    const grid = { ...whole, west: whole.west + col * 100, north: whole.north - row * 100, cols, rows };
    const outcome = await engine.execute(
      plan(grid, [scene], {
        mask: null,
        indices: [bandIndex('red'), bandIndex('swir16')],
        outputs: dumpOutputs({ red: 1, swir16: 1 }),
      }),
      quiet(),
    );
    expect(outcome.contributing).toEqual(['S2A_29RKH']);
    const cut = ['-srcwin', ...[col, row, cols, rows].map(String)];
    expect(await dump(outcome, 'red:0')).toEqual(values(gdalRaw('gdal_translate', cut, file('B04'))));
    const coarse = values(gdalRaw('gdal_translate', [], file('B11')));
    const expected = Int16Array.from(
      { length: cols * rows },
      (_, i) => coarse[((row + Math.floor(i / cols)) >> 1) * 549 + ((col + (i % cols)) >> 1)] ?? 0,
    );
    expect(await dump(outcome, 'swir16:0')).toEqual(expected);
    await engine.release(Object.values(outcome.outputs));
  });

  it.each([
    ['another UTM zone', { crs: 'EPSG:32628', west: 800_000, north: 2_790_000, pixelWidth: 90, pixelHeight: 90 }],
    [
      'another UTM zone, with a tenth of the pixel size',
      { crs: 'EPSG:32628', west: 810_000, north: 2_780_000, pixelWidth: 10, pixelHeight: 10 },
    ],
    ['its own zone, with its pixels shifted', { west: 230_030, north: 2_800_010, pixelWidth: 100, pixelHeight: 100 }],
    ['longitude and latitude', { crs: 'EPSG:4326', west: -11.5, north: 25.1, pixelWidth: 0.001, pixelHeight: 0.001 }],
  ])('a scene on a grid of %s is resampled as by GDAL, in the same way for every band', async (_, corner) => {
    const grid = { crs: 'EPSG:32629', ...corner, cols: 700, rows: 600 };
    const theirs = (code: string): Buffer => {
      const east = grid.west + grid.cols * grid.pixelWidth;
      const south = grid.north - grid.rows * grid.pixelHeight;
      const extent = [grid.west, south, east, grid.north].map(String);
      const args = ['-et', '0', '-t_srs', grid.crs, '-te', ...extent, '-ts', '700', '600', '-r', 'near', '-overwrite'];
      return gdalRaw('gdalwarp', args, file(code));
    };
    const outcome = await engine.execute(
      plan(grid, [scene], {
        indices: [bandIndex('red'), bandIndex('swir16')],
        outputs: dumpOutputs({ red: 1, swir16: 1 }),
      }),
      quiet(),
    );
    const codes = new Uint8Array(theirs('SCL'));
    const clear = await dump(outcome, 'clear');
    const [red, swir16] = [values(theirs('B04')), values(theirs('B11'))];
    const isClear = (i: number): boolean => SCL.keep.includes(codes[i] ?? 0);
    for (const [name, band16] of [
      ['red', red],
      ['swir16', swir16],
    ] as const) {
      const ours = await dump(outcome, `${name}:0`);
      const compared = ours.filter((__, i) => clear[i] !== 0 && isClear(i)).length;
      const far = ours.filter((dn, i) => clear[i] !== 0 && isClear(i) && Math.abs(dn - (band16[i] ?? 0)) > 1).length;
      expect(compared).toBeGreaterThan(50_000);
      expect(far / compared).toBeLessThan(NEAR_A_BORDER);
    }
    const differ = clear.filter((count, i) => count > 0 !== (isClear(i) && red[i] !== -32768)).length;
    expect(differ / clear.length).toBeLessThan(NEAR_A_BORDER);
    await engine.release(Object.values(outcome.outputs));
  });
});
