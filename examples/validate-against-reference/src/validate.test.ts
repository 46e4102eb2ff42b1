import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import { pointTransform, writeGeoTiff } from '@headwater/raster';
import { sampleTruth } from '@headwater/sample-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../../../scripts/loopback.mjs';
import { type Options, readOptions } from './options.ts';
import { SAMPLE_POINTS, samplePoints } from './sample-points.fixture.ts';
import { validate, type Validation } from './validate.ts';

const LEGEND = resolve(import.meta.dirname, '..', 'legends', 'land-cover.json');
const quiet = { write: (): boolean => true };
const { grid, data: truth } = sampleTruth(2021);
/** The true map with two changes: some crop pixels are trees, and the first 20 rows are nodata. */
const mapped = truth.map((code, i) => (i < 20 * grid.cols ? 0 : code >= 8 && code <= 11 && i % 11 === 0 ? 6 : code));

let folder = '';
const at = (name: string): string => join(folder, name);
const options = (changes: Partial<Options>): Options => ({
  ...readOptions(['--map', at('map.tif'), '--reference', SAMPLE_POINTS, '--legend', LEGEND, '--out', at('report')]),
  ...changes,
});
const run = (changes: Partial<Options>): Promise<Validation> => validate(options(changes), quiet);
const write = (name: string, where: PixelGrid, data: Uint8Array): Promise<unknown> =>
  writeGeoTiff(at(name), { grid: where, data, nodata: 0, overviews: 'none', predictor: 1, tileSize: 128 });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'validate-'));
  await write('map.tif', grid, mapped);
  await write('truth.tif', grid, truth);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const toLonLat = pointTransform(grid.crs, 'EPSG:4326');
const place = (col: number, row: number): number[] => [
  ...toLonLat(grid.west + col * grid.pixelWidth, grid.north - row * grid.pixelHeight),
];
const polygon = (label: unknown, [left = 0, top = 0, right = 0, bottom = 0]: readonly number[]): object => ({
  type: 'Feature',
  properties: { label },
  geometry: {
    type: 'Polygon',
    coordinates: [[place(left, top), place(right, top), place(right, bottom), place(left, bottom), place(left, top)]],
  },
});

describe('a reference raster', () => {
  it('is compared pixel by pixel, with the same counts as a loop over the pixels', async () => {
    const { assessment, remarks } = await run({ reference: at('truth.tif') });
    let [known, same] = [0, 0];
    truth.forEach((code, i) => {
      if (code === 0 || mapped[i] === 0) return;
      known += 1;
      if (code === mapped[i]) same += 1;
    });
    expect(assessment).toMatchObject({ claim: 'agreement', design: 'raster', samples: known });
    expect(assessment.overall).toEqual({ value: same / known, standardError: null, low: null, high: null });
    expect(assessment.leftOut).toMatchObject({ mapNodata: 20 * grid.cols, unknownMap: [], unknownReference: [] });
    const trees = assessment.classes.find(({ name }) => name === 'trees');
    const count = (pixels: Uint8Array): number => pixels.filter((code, i) => code === 6 && mapped[i] !== 0).length;
    expect(trees?.mappedHa).toBeCloseTo((count(mapped) * 0.01) / 1.00047 ** 2, 1);
    expect((trees?.mappedHa ?? 0) / (trees?.referenceHa?.value ?? 1)).toBeCloseTo(count(mapped) / count(truth), 4);
    expect(remarks.map(({ text }) => text).join(' ')).toContain('agreement with another map, not accuracy');
  });

  it('can have another CRS and resolution, and classes that the legend merges', async () => {
    const [west, north] = toLonLat(grid.west - 100, grid.north + 100);
    const coarse = { crs: 'EPSG:4326', west, north, pixelWidth: 3e-4, pixelHeight: 3e-4, cols: 140, rows: 140 };
    const toMap = pointTransform('EPSG:4326', grid.crs);
    const worldCover = Uint8Array.from({ length: 140 * 140 }, (_, i) => {
      const [x, y] = toMap(west + ((i % 140) + 0.5) * 3e-4, north - (Math.floor(i / 140) + 0.5) * 3e-4);
      const [col, row] = [Math.floor((x - grid.west) / 10), Math.floor((grid.north - y) / 10)];
      const code = col < 0 || row < 0 || col >= grid.cols || row >= grid.rows ? 0 : (truth[row * grid.cols + col] ?? 0);
      return code === 1 ? 50 : code <= 4 ? 80 : code === 6 ? 10 : code === 7 ? 60 : code === 12 ? 100 : 40;
    });
    await write('worldcover.tif', coarse, worldCover);
    const legend = resolve(LEGEND, '..', 'worldcover.json');
    const { assessment } = await run({ reference: at('worldcover.tif'), legend });
    expect(assessment.overall?.value).toBeGreaterThan(0.85);
    expect(assessment.leftOut.unknownReference).toEqual([{ label: 100, count: expect.any(Number) }]);
    expect(assessment.leftOut.unknownReference[0]?.count).toBeGreaterThan(1000);
  });

  it('is reported as consistency if it is the true map of the synthetic sample', async () => {
    await writeFile(at('sample.json'), '{}');
    const { assessment, report } = await run({ reference: at('truth.tif') });
    await rm(at('sample.json'));
    expect(assessment.claim).toBe('consistency');
    expect(await readFile(report, 'utf8')).toMatch(/<h1>Consistency, not accuracy: map\.tif<\/h1>/);
  });
});

describe('reference labels', () => {
  it('at points give the accuracy of the map, and areas that agree with the true map', async () => {
    const { assessment } = await run({ synthetic: true });
    expect(assessment).toMatchObject({ claim: 'consistency', design: 'points' });
    expect(assessment.samples + assessment.leftOut.mapNodata).toBe(600);
    const wrong = assessment.samples * (1 - (assessment.overall?.value ?? 0));
    expect(wrong).toBeGreaterThan(5);
    // About 95 % of the intervals should contain the true area.
    const known = assessment.classes.filter(({ referenceHa }) => referenceHa !== null);
    const inside = known.filter(({ name, referenceHa }) => {
      const code = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12][NAMES.indexOf(name)];
      const pixels = truth.filter((value, i) => value === code && mapped[i] !== 0).length;
      const ha = (pixels * 0.01) / 1.00047 ** 2;
      return ha >= (referenceHa?.low ?? 0) && ha <= (referenceHa?.high ?? 0);
    });
    expect(known).toHaveLength(11);
    expect(inside.length).toBeGreaterThanOrEqual(10);
  });

  it('in the sample file equal the classes of the true map', async () => {
    expect(await readFile(SAMPLE_POINTS, 'utf8')).toBe(samplePoints());
  });

  it('of polygons count once per polygon, or once per pixel with a remark', async () => {
    const ones = new Uint8Array(grid.cols * grid.rows).fill(6);
    for (let row = 100; row < 110; row += 1) ones.fill(8, row * grid.cols + 100, row * grid.cols + 104);
    await write('flat.tif', grid, ones);
    const features = [
      polygon('trees', [100, 100, 110, 110]),
      polygon(8, [100, 100, 104, 110]),
      polygon(6, [200.6, 200.6, 200.9, 200.9]),
      polygon('mangrove', [300, 300, 302, 302]),
    ];
    await writeFile(at('labels.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
    const once = await run({ map: at('flat.tif'), reference: at('labels.geojson') });
    expect(once.assessment).toMatchObject({ claim: 'accuracy', design: 'polygons', samples: 2, overall: { value: 1 } });
    expect(once.assessment.leftOut.unknownReference).toEqual([{ label: 'mangrove', count: 1 }]);
    expect(once.remarks.map(({ text }) => text).join(' ')).toContain(
      '1 of the polygons, because they contain no pixel centre',
    );
    const each = await run({ map: at('flat.tif'), reference: at('labels.geojson'), polygons: 'pixels' });
    expect(each.assessment).toMatchObject({ design: 'polygon-pixels', samples: 140, overall: { value: 100 / 140 } });
    expect(each.remarks.map(({ text }) => text).join(' ')).toContain('depend on each other');
  });

  it('of other years are not used if --year is given; it is an error if no label is left', async () => {
    await writeFile(at('years.csv'), 'lon,lat,label,year\n78.52,17.51,6,2020\n78.52,17.51,6,2021\n78.52,17.51,6,\n');
    const { assessment, remarks } = await run({ reference: at('years.csv'), year: 2021 });
    expect(assessment.samples).toBe(2);
    expect(remarks.map(({ text }) => text).join(' ')).toContain('1 of the labels, because they are of other years');
    await expect(
      run({ reference: at('years.csv'), year: 1999 }).then(({ assessment: { samples } }) => samples),
    ).resolves.toBe(1);
    await writeFile(at('old.csv'), 'lon,lat,label,year\n78.52,17.51,6,2020\n');
    await expect(run({ reference: at('old.csv'), year: 2021 })).rejects.toThrow(/--year 2021: none of the 1 labels/);
  });
});

const NAMES = [
  'built_up',
  'kharif_water',
  'kharif_and_rabi_water',
  'kharif_and_rabi_and_zaid_water',
  'trees',
  'barren_land',
  'single_kharif_cropping',
  'single_non-kharif_cropping',
  'double_cropping',
  'triple_or_annual_or_perennial_cropping',
  'shrubs_and_scrubs',
];

describe('a published Item', () => {
  const item = (href: string): string =>
    JSON.stringify({
      type: 'Feature',
      id: 'a',
      properties: { title: '<b>Jalsrota</b>', 'headwater:synthetic': true },
      assets: {
        thumbnail: { href: 'x.png', type: 'image/png', roles: ['thumbnail'] },
        data: { href, type: 'image/tiff; application=geotiff; profile=cloud-optimized', roles: ['data'] },
      },
    });

  it('is read at a URL, with its GeoTIFF and its synthetic flag; secrets in the URL are not printed', async () => {
    const bytes = await readFile(at('map.tif'));
    const server = await listenOnLoopback((request, response) => {
      if (request.url?.endsWith('.tif') !== true) return void response.end(item('files/map.tif'));
      const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      const part = bytes.subarray(Number(from), Number(to) + 1);
      response.writeHead(206, { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}` });
      return void response.end(part);
    });
    try {
      const { assessment, report, result } = await run({ map: `${server.origin}/items/a/?key=s3cret` });
      const page = await readFile(report, 'utf8');
      expect(assessment.claim).toBe('consistency');
      expect(page).toContain('&lt;b&gt;Jalsrota&lt;/b&gt;');
      expect(page + (await readFile(result, 'utf8'))).not.toMatch(/s3cret|<b>J/);
      expect(server.asked).toContain('GET /items/a/files/map.tif');
    } finally {
      await server.close();
    }
  });

  it('is also read from a file, and refused if it has no raster', async () => {
    await writeFile(at('item.json'), item('map.tif'));
    expect((await run({ map: at('item.json') })).assessment.samples).toBeGreaterThan(500);
    await writeFile(at('vector.json'), '{"type":"Feature","assets":{}}');
    await expect(run({ map: at('vector.json') })).rejects.toThrow(
      /not a STAC Item with a GeoTIFF that has the role data/,
    );
  });
});

it('the report escapes texts of users: labels, titles, file names', async () => {
  const bad = '<img src=x onerror=alert(1)>';
  const legend = {
    classes: [
      { name: bad, title: `${bad}"'&`, map: [6], reference: [bad, 6] },
      { name: 'rest', map: [1, 2, 3, 4, 7, 8, 9, 10, 11, 12], reference: ['rest'] },
    ],
    nodata: { map: [0] },
  };
  await writeFile(at("l<e>g'end.json"), JSON.stringify(legend));
  await writeFile(at('bad.csv'), `lon,lat,label\n78.52,17.51,${bad}\n78.51,17.51,</li><script>x</script>\n`);
  const { report, result } = await run({ reference: at('bad.csv'), legend: at("l<e>g'end.json") });
  const page = await readFile(report, 'utf8');
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page).not.toMatch(/<img src=x|<script|l<e>g/);
  expect(JSON.parse(await readFile(result, 'utf8'))).toMatchObject({ classes: [{ name: bad }, { name: 'rest' }] });
});

describe('unreadable input', () => {
  it.each<readonly [string, Partial<Options> | string, RegExp]>([
    ['an unknown extension', { reference: 'points.shp' }, /points\.shp has the extension \.shp; use labels as/],
    ['no file', { reference: 'nowhere.csv' }, /nowhere\.csv: cannot be opened \(ENOENT/],
    ['no raster', { reference: 'nowhere.tif' }, /nowhere\.tif: the file does not exist; check the path/],
    ['no map', { map: 'nowhere.tif' }, /nowhere\.tif: the file does not exist; check the path/],
    ['no JSON', 'lon,lat', /not JSON/],
    ['a fault in a feature', '{"type":"FeatureCollection","features":[{}]}', /features\[0\]: type must be Feature/],
  ])('is reported with a message that names the fault: %s', async (_, input, message) => {
    await writeFile(at('input.json'), typeof input === 'string' ? input : '');
    await expect(run(typeof input === 'string' ? { reference: at('input.json') } : input)).rejects.toThrow(message);
  });

  it('on the command line is reported with the usage', () => {
    expect(() => readOptions([])).toThrow(/--map is required[\s\S]*usage: npm run validate/);
    expect(() => readOptions(['--mpa', 'x'])).toThrow(/'--mpa'[\s\S]*usage/);
    expect(() =>
      readOptions(['--map', 'a', '--reference', 'b', '--legend', 'c', '--out', 'd', '--year', 'now']),
    ).toThrow(/--year must be a year such as 2021, not now/);
  });
});

it('the command prints the progress in lines if the output is not a terminal', async () => {
  const lines: string[] = [];
  await validate(options({}), { isTTY: false, write: (text) => lines.push(text) });
  expect(lines.at(-1)).toBe('labels: 100 %\n');
  expect(lines).toContain('map: 100 %\n');
});
