import { describe, expect, it } from 'vitest';
import { EXTENSIONS } from '../extensions.ts';
import { instant } from '../instant.ts';
import { MEDIA } from '../media-types.ts';
import {
  RASTER_INPUT,
  sampleNumeric,
  sampleRaster,
  sampleTabular,
  sampleVector,
  VECTOR_INPUT,
} from '../samples.fixture.ts';
import { assertValid, validate } from '../validate/assert-valid.ts';
import type { RasterItemInput, VectorItemInput } from './inputs.ts';
import { rasterItem } from './raster-item.ts';
import { vectorItem } from './vector-item.ts';

describe('a built Item', () => {
  it('has the bbox of its geometry, and a closed, counter-clockwise ring', () => {
    const { bbox, geometry } = sampleRaster();
    expect(bbox).toEqual([92.9, 24.7, 93.1, 24.8]);
    expect(geometry).toMatchObject({
      type: 'Polygon',
      coordinates: [
        [
          [92.9, 24.7],
          [93.1, 24.7],
          [93.1, 24.8],
          [92.9, 24.8],
          [92.9, 24.7],
        ],
      ],
    });
  });

  it('explains the colours of its preview by classes, and declares the classification extension', () => {
    const thumbnail = { href: 'https://example.org/p.png', title: 'Thumbnail', description: 'Largest class' };
    const legend = [{ value: 6, name: 'trees', description: 'Trees', color: '#38761d', percentage: 40 }] as const;
    const item = vectorItem({
      ...VECTOR_INPUT,
      assets: { ...VECTOR_INPUT.assets, thumbnail: { ...thumbnail, legend } },
    });
    expect(item.assets['thumbnail']).toMatchObject({
      description: 'Largest class',
      'classification:classes': [{ value: 6, color_hint: '38761D', percentage: 40 }],
    });
    expect(item.stac_extensions).toContain(EXTENSIONS.classification);
    assertValid(item, 'headwater');
    const plain = vectorItem({ ...VECTOR_INPUT, assets: { ...VECTOR_INPUT.assets, thumbnail } });
    expect(plain.stac_extensions).not.toContain(EXTENSIONS.classification);
  });

  it('has links root, collection and parent as application/json with titles; collection and parent have the same target', () => {
    const byRel = Object.fromEntries(sampleVector().links.map((link) => [link.rel, link]));
    for (const rel of ['root', 'collection', 'parent']) {
      expect(byRel[rel]).toMatchObject({ type: 'application/json', title: expect.stringMatching(/./) });
    }
    expect(byRel['parent']?.href).toBe(byRel['collection']?.href);
  });

  it('has a self link of type geo+json, the media type with which it is served', () => {
    for (const item of [sampleRaster(), sampleVector()])
      expect(item.links.find(({ rel }) => rel === 'self')).toMatchObject({ type: 'application/geo+json' });
  });

  it('describes the values of an extra raster (quality), and adds no raster fields to a JSON asset', () => {
    const file = { href: 'https://example.org/q.tif', title: 'Quality', type: MEDIA.cog, roles: ['metadata'] } as const;
    const content = {
      dataType: 'uint8',
      nodata: 0,
      classes: [{ value: 1, name: 'computed', description: 'Computed', color: '66a61e' }],
    } as const;
    const plain = RASTER_INPUT.assets.others?.['quality'];
    const others = { quality: { ...file, content }, ...(plain === undefined ? {} : { report: plain }) };
    const item = rasterItem({ ...RASTER_INPUT, assets: { ...RASTER_INPUT.assets, others } });
    expect(item.assets['quality']).toMatchObject({
      roles: ['metadata'],
      data_type: 'uint8',
      nodata: 0,
      'raster:sampling': 'area',
      'raster:spatial_resolution': 10,
      'classification:classes': [{ value: 1, name: 'computed', color_hint: '66A61E' }],
    });
    expect(item.assets['report']).not.toHaveProperty('data_type');
    assertValid(item, 'headwater');
    const data = { href: 'https://example.org/wcs', title: 'Raster' };
    const bands = rasterItem({
      ...RASTER_INPUT,
      content: { bands: [{ name: 'ndvi', dataType: 'int16' }] },
      assets: { data, others },
    });
    expect(bands.stac_extensions).toContain(EXTENSIONS.classification);
    assertValid(bands, 'headwater');
  });

  it('has type, no-data value, unit and statistics of each band of measured values, and no classes', () => {
    const item = sampleNumeric();
    const bands = [
      {
        name: 'slope',
        description: 'Slope in percent of the horizontal distance',
        data_type: 'float32',
        nodata: -9999,
        unit: '%',
        statistics: { minimum: 0, maximum: 61.25, mean: 4.5, stddev: 3.25, count: 1000, valid_percent: 40.5 },
      },
      { name: 'aspect', data_type: 'float32', nodata: 'nan', unit: 'degree' },
      { name: 'landform', data_type: 'int16', nodata: -32_768 },
    ];
    for (const key of ['data', 'cog'])
      expect(item.assets[key]).toMatchObject({ bands, 'raster:sampling': 'area', 'raster:spatial_resolution': 30 });
    expect(item.assets.data).not.toHaveProperty('data_type');
    expect(item.stac_extensions).toEqual(expect.arrayContaining([EXTENSIONS.raster, EXTENSIONS.projection]));
    expect(item.stac_extensions).not.toContain(EXTENSIONS.classification);
    assertValid(item, 'headwater');
    expect(validate(item, { profile: 'headwater' }).filter(({ rule }) => rule === 'raster.values')).toEqual([]);
  });

  it('has columns, row count, grid and the table asset if it is a raster with a table of its values', () => {
    const item = sampleTabular();
    assertValid(item, 'headwater');
    expect(validate(item, { profile: 'headwater' }).filter(({ severity }) => severity === 'warning')).toEqual([]);
    expect(item.properties['table:columns'].map(({ name }) => name)).toEqual(['value', 'name', 'area_in_ha']);
    expect(item.properties).toMatchObject({ 'table:row_count': 2, 'proj:code': 'EPSG:4326' });
    expect(item.assets['table']).toMatchObject({ type: 'text/csv', roles: ['data'] });
    expect(item.stac_extensions).toEqual(expect.arrayContaining([EXTENSIONS.table, EXTENSIONS.projection]));
    const { table: _, ...assets } = item.assets;
    expect(
      validate({ ...item, assets }, { profile: 'headwater' }).map(({ rule, severity }) => `${rule} ${severity}`),
    ).toContain('table.raster warning');
  });

  it('may have a further file: GeoParquet for a vector, a cloud-optimized GeoTIFF for a raster', () => {
    const geoparquet = { href: 'https://example.org/v.parquet', title: 'GeoParquet' };
    const item = vectorItem({ ...VECTOR_INPUT, assets: { ...VECTOR_INPUT.assets, geoparquet } });
    expect(item.assets['geoparquet']).toMatchObject({ type: 'application/vnd.apache.parquet', roles: ['data'] });
    assertValid(item, 'headwater');
    expect(sampleVector().assets).not.toHaveProperty('geoparquet');
    expect(sampleRaster().assets['cog']).toMatchObject({ type: MEDIA.cog, roles: ['data'] });
    expect(sampleTabular().assets).not.toHaveProperty('cog');
  });

  it('declares only the extensions that it uses', () => {
    const { table, projection, raster, classification, file, processing, version } = EXTENSIONS;
    expect(sampleRaster().stac_extensions.sort()).toEqual(
      [projection, raster, classification, file, processing, version].sort(),
    );
    expect(sampleVector().stac_extensions.sort()).toEqual([table, file, processing, version].sort());
    const data = { href: 'https://example.org/wcs', title: 'Raster' };
    const bare = rasterItem({
      ...RASTER_INPUT,
      content: { bands: [{ name: 'ndvi', dataType: 'int16' }] },
      assets: { data },
    });
    expect(bare.stac_extensions).not.toContain(file);
    expect(bare.stac_extensions).not.toContain(classification);
    assertValid(bare, 'headwater');
  });

  it('contains no -0', () => {
    const transform = [0.0000899, -0, 92.9, -0, -0.0000899, 24.8] as const;
    const { properties } = rasterItem({
      ...RASTER_INPUT,
      grid: { ...RASTER_INPUT.grid, transform },
      extra: { 'a:b': [-0] },
    });
    expect(properties['proj:transform'].filter((value) => Object.is(value, -0))).toEqual([]);
    expect(properties['a:b']).toStrictEqual([0]);
  });

  it('is deterministic JSON, without undefined members', () => {
    const text = JSON.stringify(sampleRaster());
    expect(JSON.stringify(sampleRaster())).toBe(text);
    expect(JSON.parse(text)).toStrictEqual(sampleRaster());
  });

  it('has classes on each raster asset, with colours as RRGGBB', () => {
    const { data, ...others } = sampleRaster().assets;
    expect(data['classification:classes']?.[1]).toMatchObject({ value: 1, name: 'built_up', color_hint: 'FF0000' });
    expect(others['cog']?.['classification:classes']).toEqual(data['classification:classes']);
    expect(others['thumbnail']).not.toHaveProperty('classification:classes');
  });
});

describe('builders refuse invalid input with a message that names the field', () => {
  const asset = { title: 'x' };
  it.each<[string, Partial<RasterItemInput>]>([
    ['end:', { start: instant('2025-01-01T00:00:00Z') }],
    ['title:', { title: ' ' }],
    // The type of `extra` excludes the next two inputs, so only callers without type checks can pass them.
    ['extra:', { extra: JSON.parse('{"proj:code":"EPSG:4326"}') }],
    ['extra:', { extra: JSON.parse('{"table:columns":[]}') }],
    ['extra:', { extra: { ':x': 1 } }],
    ['/properties/own:x/0/y: JSON cannot hold NaN', { extra: { 'own:x': [{ y: Number.NaN }] } }],
    ['links.root', { root: { href: '/tmp/catalog.json', title: 'Root' } }],
    ['links.self', { self: './item.json' }],
    ['links.via', { via: [{ href: 'https://user:secret@example.org/', title: 'x' }] }],
    ['assets.data.href', { assets: { data: { ...asset, href: 'projects/x/assets/lulc' } } }],
    ['assets.data.href', { assets: { data: { ...asset, href: 'gs://bucket/lulc.tif' } } }],
    [
      'assets.data.file.bytes',
      { assets: { data: { ...asset, href: 'https://a.b/', file: { bytes: -1, sha256: '' } } } },
    ],
    [
      'assets.cog',
      {
        assets: {
          data: { ...asset, href: 'https://a.b/' },
          others: { cog: { ...asset, href: 'https://a.b/', type: 't', roles: ['data'] } },
        },
      },
    ],
    ['grid.code', { grid: { ...RASTER_INPUT.grid, code: '4326' } }],
    ['grid.shape', { grid: { ...RASTER_INPUT.grid, shape: [0, 5] } }],
    ['grid.transform', { grid: { ...RASTER_INPUT.grid, transform: [1, 0, 0, 0, 0, 0] } }],
    [
      'is repeated',
      {
        content: {
          dataType: 'uint8',
          classes: [
            { value: 1, name: 'a', description: 'a' },
            { value: 1, name: 'b', description: 'b' },
          ],
        },
      },
    ],
    [
      'letters, digits',
      { content: { dataType: 'uint8', classes: [{ value: 1, name: 'built up', description: 'a' }] } },
    ],
    [
      'not RRGGBB',
      { content: { dataType: 'uint8', classes: [{ value: 1, name: 'a', description: 'a', color: 'red' }] } },
    ],
    [
      'bands: "a" is repeated',
      {
        content: {
          bands: [
            { name: 'a', dataType: 'int16' },
            { name: 'a', dataType: 'int16' },
          ],
        },
      },
    ],
    [
      'bands[a].nodata: 40000 is not a value of int16',
      { content: { bands: [{ name: 'a', dataType: 'int16', nodata: 40_000 }] } },
    ],
    [
      'bands[a].nodata: NaN is not a value of uint8',
      { content: { bands: [{ name: 'a', dataType: 'uint8', nodata: Number.NaN }] } },
    ],
    [
      'bands[a].statistics: minimum 2 is above maximum 1',
      { content: { bands: [{ name: 'a', dataType: 'int16', statistics: { minimum: 2, maximum: 1 } }] } },
    ],
    [
      'bands[a].statistics.mean: NaN is not a finite number',
      {
        content: {
          bands: [{ name: 'a', dataType: 'int16', statistics: { minimum: 0, maximum: 1, mean: Number.NaN } }],
        },
      },
    ],
    ['bands[a].unit', { content: { bands: [{ name: 'a', dataType: 'int16', unit: ' ' }] } }],
  ])('%s', (message, change) => {
    expect(() => rasterItem({ ...RASTER_INPUT, ...change })).toThrow(message);
  });

  it.each<[string, Partial<VectorItemInput>]>([
    ['is repeated', { columns: [VECTOR_INPUT.columns[0], VECTOR_INPUT.columns[0]] }],
    ['columns.x.description', { columns: [{ name: 'x', type: 'object', description: '' }] }],
    ['rowCount', { rowCount: -1 }],
    ['primaryGeometry', { primaryGeometry: 'geom' }],
  ])('%s', (message, change) => {
    expect(() => vectorItem({ ...VECTOR_INPUT, ...change })).toThrow(message);
  });
});
