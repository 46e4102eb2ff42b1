import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sceneFromItem } from './scene-from-item.ts';

const SAMPLES = new URL('../../../../../shared/data/eo/', import.meta.url);
const hasSamples = existsSync(SAMPLES);
if (!hasSamples) console.warn(`Skipped: no sample Items at ${SAMPLES.pathname}`);

const TIFF = 'image/tiff; application=geotiff; profile=cloud-optimized';

function item(assets: Readonly<Record<string, object>>, properties: object = {}) {
  const full = Object.entries(assets).map(([key, a]) => [key, { href: `./${key}.tif`, type: TIFF, ...a }]);
  return {
    type: 'Feature',
    id: 'S2X',
    collection: 'c',
    bbox: [75, 23, 76, 24],
    properties: { datetime: '2023-01-02T05:30:00Z', 'proj:code': 'EPSG:32643', ...properties },
    assets: Object.fromEntries(full),
  };
}

function sceneOf(value: unknown, href = '/data/eo/items/a.json') {
  const found = sceneFromItem(value, href);
  if ('reason' in found) throw new Error(found.reason);
  return found.scene;
}
const reasonOf = (value: unknown): string | undefined => {
  const found = sceneFromItem(value, '/data/eo/items/a.json');
  return 'reason' in found ? found.reason : undefined;
};

describe('bands', () => {
  const hrefs = (assets: Readonly<Record<string, object>>) =>
    Object.fromEntries(Object.entries(sceneOf(item(assets)).bands).map(([name, band]) => [name, band.href]));

  it('are found by band id, and B8A is never used for B08', () =>
    expect(hrefs({ B8A: {}, B08: {}, B04: {}, SCL: {} })).toEqual({
      red: '/data/eo/items/B04.tif',
      nir: '/data/eo/items/B08.tif',
      scl: '/data/eo/items/SCL.tif',
    }));

  it('are found by band id with resolution', () =>
    expect(Object.keys(hrefs({ B02_10m: {}, SCL_20m: {} }))).toEqual(['blue', 'scl']));

  it('are found by file name, as an asset key or at the end of an href', () => {
    expect(hrefs({ 'B04.tif': { href: 'B04.tif', type: undefined } })).toEqual({ red: '/data/eo/items/B04.tif' });
    expect(hrefs({ data_1: { href: './T43QXX_B04_10m.tif' }, data_2: { href: './T43QXX_B8A_20m.tif' } })).toEqual({
      red: '/data/eo/items/T43QXX_B04_10m.tif',
    });
  });

  it('do not affect other bands if they cannot be read', () =>
    expect(hrefs({ B12: { href: 's3://bucket/B12.tif' }, B04: {} })).toEqual({ red: '/data/eo/items/B04.tif' }));

  it("are found by Earth Search's names; JPEG 2000 copies are ignored", () =>
    expect(
      hrefs({
        'red-jp2': { type: 'image/jp2', href: './red.jp2' },
        red: {},
        nir08: {},
        nir: {},
        swir16: {},
        scl: {},
        visual: {},
      }),
    ).toEqual({
      red: '/data/eo/items/red.tif',
      nir: '/data/eo/items/nir.tif',
      swir16: '/data/eo/items/swir16.tif',
      scl: '/data/eo/items/scl.tif',
    }));

  it('are found by the common name of STAC 1.0 and 1.1; a composite of three bands is ignored', () =>
    expect(
      hrefs({
        image_a: { 'eo:bands': [{ name: 'x', common_name: 'red' }] },
        image_b: { bands: [{ 'eo:common_name': 'nir' }] },
        image_c: { bands: [{ 'eo:common_name': 'nir08' }] },
        rgb: { 'eo:bands': [{ common_name: 'red' }, { common_name: 'green' }, { common_name: 'blue' }] },
      }),
    ).toEqual({ red: '/data/eo/items/image_a.tif', nir: '/data/eo/items/image_b.tif' }));
});

describe('sceneFromItem, offset and scale', () => {
  const red = (asset: object, properties: object) => sceneOf(item({ red: asset, scl: asset }, properties)).bands['red'];
  const NEW = { 's2:processing_baseline': '05.10' };
  const OLD = { 's2:processing_baseline': '02.14' };
  const WITH_OFFSET = { 'raster:bands': [{ nodata: 0, scale: 0.0001, offset: -0.1 }] };

  it.each([
    [
      'the offset is -1000 if the provider did not apply it and the baseline is 04.00 or later',
      {},
      { ...NEW, 'earthsearch:boa_offset_applied': false },
      -1000,
    ],
    ['the offset is -1000 if the baseline is 04.00 or later and the provider states nothing', {}, NEW, -1000],
    [
      'the offset is 0 if the provider applied it, even if raster:bands has another value',
      WITH_OFFSET,
      { ...NEW, 'earthsearch:boa_offset_applied': true },
      0,
    ],
    ['the offset is read from raster:bands', WITH_OFFSET, {}, -1000],
    ['the offset is 0 if the asset says so, even if the baseline is 04.00 or later', { 'raster:offset': 0 }, NEW, 0],
    [
      'the offset is read from bands of STAC 1.1',
      { bands: [{ 'raster:offset': -0.1, 'raster:scale': 0.0001 }] },
      {},
      -1000,
    ],
    ['the offset is 0 if the baseline is older than 04.00', {}, OLD, 0],
    ['the offset is -1000 if processing:version is 04.00', {}, { 'processing:version': '04.00' }, -1000],
    ['the offset is 0 before 25 January 2022 without a baseline', {}, {}, 0],
  ])('%s', (...[, asset, properties, offset]) =>
    expect(red(asset, properties)).toMatchObject({ offset, scale: 0.0001 }),
  );

  it('reads nodata from the Item, also if it is 0, otherwise from the file', () => {
    expect(red(WITH_OFFSET, {})?.nodata).toBe(0);
    expect(red({ nodata: 65535 }, {})?.nodata).toBe(65535);
    expect(red({}, {})?.nodata).toBeNull();
  });

  it('never scales the scene classification', () =>
    expect(sceneOf(item({ scl: WITH_OFFSET }, NEW)).bands['scl']).toMatchObject({ offset: 0, scale: 1 }));
});

describe('sceneFromItem, other members of an Item', () => {
  it('reads a time without a zone as UTC', () =>
    expect(sceneOf(item({ B04: {} }, { datetime: '2023-01-02T05:30:00' })).datetime).toBe('2023-01-02T05:30:00.000Z'));

  it('reads CRS, cloud cover, synthetic flag, and start_datetime if datetime is null', () => {
    const scene = sceneOf(
      item(
        { B04: { 'proj:transform': [10, 0, 600_000, 0, -10, 2_600_040], 'proj:shape': [400, 300] } },
        {
          'proj:code': undefined,
          'proj:epsg': 32643,
          'eo:cloud_cover': 0,
          'headwater:synthetic': true,
          datetime: null,
          start_datetime: '2023-01-02T05:30:00Z',
        },
      ),
    );
    expect(scene).toMatchObject({
      crs: 'EPSG:32643',
      cloudCover: 0,
      synthetic: true,
      datetime: '2023-01-02T05:30:00.000Z',
    });
    expect(scene.grid).toEqual({
      crs: 'EPSG:32643',
      west: 600_000,
      north: 2_600_040,
      pixelWidth: 10,
      pixelHeight: 10,
      rows: 400,
      cols: 300,
    });
  });

  it('resolves hrefs also against URLs, and refuses unreadable schemes', () => {
    expect(
      sceneOf(item({ B04: { href: '../x/B04.tif' } }), 'https://h.example.org/a/b/c.json').bands['red']?.href,
    ).toBe('https://h.example.org/a/x/B04.tif');
    expect(reasonOf(item({ B04: { href: 's3://bucket/B04.tif' } }))).toContain(
      'is not an http(s) address or a readable file',
    );
  });

  it.each([
    [null, 'not a STAC Item'],
    [{ type: 'Collection' }, 'not a STAC Item'],
    [{ ...item({ B04: {} }), properties: null }, 'lacks id, properties or assets'],
    [item({ B04: {} }, { datetime: 'yesterday' }), 'neither datetime'],
    [{ ...item({ B04: {} }), bbox: [1, 2, 3, 4, 5] }, 'bbox'],
    [item({ B04: {} }, { 'proj:code': 'banana' }), 'names no CRS'],
    [item({ ndvi: {} }), 'no GeoTIFF asset of a known band'],
  ])('rejects %j', (value, reason) => expect(reasonOf(value)).toContain(reason));
});

describe.skipIf(!hasSamples)('real Items', () => {
  const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, SAMPLES), 'utf8'));

  it('Earth Search: all seven bands, no offset for baseline 02.14', () => {
    const scene = sceneOf(read('s2_cog_29RKH/S2A_29RKH_20200219_0_L2A.json'));
    expect(Object.keys(scene.bands)).toEqual(['blue', 'green', 'red', 'nir', 'swir16', 'swir22', 'scl']);
    expect(scene.bands['nir']).toMatchObject({
      href: expect.stringMatching(/B08\.tif$/),
      offset: 0,
      scale: 0.0001,
      nodata: 0,
    });
    expect(scene).toMatchObject({ crs: 'EPSG:32629', grid: { west: 199_980, north: 2_800_020, cols: 10_980 } });
  });

  it('a folder of Items with band ids and relative hrefs', () => {
    const names = readdirSync(new URL('openeo_gfmap_s2/cog/', SAMPLES)).filter(
      (n) => n.endsWith('.json') && n.startsWith('S2'),
    );
    expect(names).toHaveLength(19);
    for (const name of names) {
      const scene = sceneOf(read(`openeo_gfmap_s2/cog/${name}`), `/eo/${name}`);
      expect(Object.keys(scene.bands)).toEqual(['blue', 'green', 'red', 'nir', 'scl']);
      expect(scene.bands['red']?.href).toBe(`/eo/${name.replace('.json', '_B04.tif')}`);
    }
  });
});

describe('the offset of a product (of 25 January 2022 or later, unless the title names another day)', () => {
  const since = (properties: object = {}, asset: object = {}, change: object = {}) => ({
    ...item({ B04: asset, SCL: {} }, { datetime: '2022-01-25T00:00:00Z', ...properties }),
    ...change,
  });
  const PRODUCT = 'S2B_MSIL2A_20220307T053649_N0400_R005_T43QXX_20220307T080121';

  it.each([
    ['has no fields about it', {}, {}, {}],
    ['has a scale but no offset', {}, { 'raster:scale': 0.0001 }, {}],
    ['has an invalid baseline', { 's2:processing_baseline': 'new' }, {}, {}],
  ])('is unknown if the Item %s', (...[, properties, asset, change]) =>
    expect(sceneOf(since(properties, asset, change)).offsetUnknown).toBe(true),
  );

  it.each([
    ['its baseline', { 's2:processing_baseline': '05.10' }, {}, {}, -1000],
    ['the baseline as a number', { 's2:processing_baseline': 4 }, {}, {}, -1000],
    ['an old name of the baseline', { 'sentinel:processing_baseline': '04.00' }, {}, {}, -1000],
    ['an offset of 0', {}, { 'raster:offset': 0 }, {}, 0],
    ['a property that it was applied', { 'earthsearch:boa_offset_applied': true }, {}, {}, 0],
    ['the old property that it was applied', { 'sentinel:boa_offset_applied': true }, {}, {}, 0],
    ['a property that it was not applied', { 'earthsearch:boa_offset_applied': false }, {}, {}, -1000],
    ['the name of its product', { 's2:product_uri': `${PRODUCT}.SAFE` }, {}, {}, -1000],
    ['an id that is the name of its product', {}, {}, { id: PRODUCT }, -1000],
  ] as const)('is known if the Item has %s', (...[, properties, asset, change, offset]) => {
    const scene = sceneOf(since(properties, asset, change));
    expect(scene.offsetUnknown).toBeUndefined();
    expect(scene.bands['red']?.offset).toBe(offset);
  });

  it('is 0 for a product of an earlier day, unless its baseline is 04.00 or newer', () => {
    const old = { datetime: '2022-01-24T23:59:59Z' };
    expect(sceneOf(since(old)).offsetUnknown).toBeUndefined();
    expect(sceneOf(since(old)).bands['red']?.offset).toBe(0);
    const again = sceneOf(since(old, {}, { id: 'S2A_MSIL2A_20190307T053649_N0500_R005_T43QXX_20230307T080121' }));
    expect(again.bands['red']?.offset).toBe(-1000);
  });

  it('is not needed for an Item with only the scene classification', () =>
    expect(sceneOf(item({ SCL: {} }, { datetime: '2023-01-01T00:00:00Z' })).offsetUnknown).toBeUndefined());
});
