import { describe, expect, expectTypeOf, it } from 'vitest';
import { EXTENSIONS } from '../extensions.ts';
import { instant } from '../instant.ts';
import { MEDIA } from '../media-types.ts';
import {
  BASE,
  itemInput,
  RASTER_INPUT,
  sampleCollection,
  sampleNumeric,
  sampleRaster,
  sampleVector,
  VECTOR_INPUT,
} from '../samples.fixture.ts';
import { catalogSchema, itemSchema } from '../schemas.ts';
import type { ItemId } from '../ids/item-id.ts';
import { assertValid, validate } from '../validate/assert-valid.ts';
import { buildCatalog } from './catalog.ts';
import { extentOf, joinExtents } from './extent.ts';
import type { RasterContent, RasterItemInput, VectorItemInput } from './inputs.ts';
import { joinMembers, memberFields, membersOf } from './members.ts';
import { rasterItem } from './raster-item.ts';
import { columnsOf, vectorItem } from './vector-item.ts';

describe('a built Item', () => {
  it('has the bbox of its geometry, closed and counter-clockwise', () => {
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

  it('says what the colours of its preview mean, and declares the extension that says so', () => {
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
    assertValid(item);
    const plain = vectorItem({ ...VECTOR_INPUT, assets: { ...VECTOR_INPUT.assets, thumbnail } });
    expect(plain.stac_extensions).not.toContain(EXTENSIONS.classification);
  });

  it('links root, collection and parent as application/json with titles, the last two to one target', () => {
    const byRel = Object.fromEntries(sampleVector().links.map((link) => [link.rel, link]));
    for (const rel of ['root', 'collection', 'parent']) {
      expect(byRel[rel]).toMatchObject({ type: 'application/json', title: expect.stringMatching(/./) });
    }
    expect(byRel['parent']?.href).toBe(byRel['collection']?.href);
  });

  it('says geo+json of itself, which is what it is served as', () => {
    for (const item of [sampleRaster(), sampleVector()])
      expect(item.links.find(({ rel }) => rel === 'self')).toMatchObject({ type: 'application/geo+json' });
  });

  it('tells the values of a raster beside the layer, such as its quality, and keeps JSON files plain', () => {
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
    assertValid(item);
    const data = { href: 'https://example.org/wcs', title: 'Raster' };
    const bands = rasterItem({
      ...RASTER_INPUT,
      content: { bands: [{ name: 'ndvi', dataType: 'int16' }] },
      assets: { data, others },
    });
    expect(bands.stac_extensions).toContain(EXTENSIONS.classification);
    assertValid(bands);
  });

  it('tells type, no data, unit and statistics of each band of measured values, and has no classes', () => {
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
    assertValid(item);
    expect(validate(item).filter(({ rule }) => rule === 'raster.values')).toEqual([]);
  });

  it('declares the extensions that it uses and no others', () => {
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
    assertValid(bare);
  });

  it('is deterministic JSON, without undefined members', () => {
    const text = JSON.stringify(sampleRaster());
    expect(JSON.stringify(sampleRaster())).toBe(text);
    expect(JSON.parse(text)).toStrictEqual(sampleRaster());
  });

  it('carries classes on each raster asset, colours as RRGGBB', () => {
    const { data, ...others } = sampleRaster().assets;
    expect(data['classification:classes']?.[1]).toMatchObject({ value: 1, name: 'built_up', color_hint: 'FF0000' });
    expect(others['cog']?.['classification:classes']).toEqual(data['classification:classes']);
    expect(others['thumbnail']).not.toHaveProperty('classification:classes');
  });
});

describe('builders refuse, naming the field', () => {
  const asset = { title: 'x' };
  it.each<[string, Partial<RasterItemInput>]>([
    ['end:', { start: instant('2025-01-01T00:00:00Z') }],
    ['title:', { title: ' ' }],
    ['extra:', { extra: { 'proj:code': 'EPSG:4326' } }],
    ['extra:', { extra: { ':x': 1 } }],
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
      'given twice',
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
      'bands: "a" is given twice',
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
      'bands[a].nodata: no int16 can be 40000',
      { content: { bands: [{ name: 'a', dataType: 'int16', nodata: 40_000 }] } },
    ],
    [
      'bands[a].nodata: no uint8 can be NaN',
      { content: { bands: [{ name: 'a', dataType: 'uint8', nodata: Number.NaN }] } },
    ],
    [
      'bands[a].statistics: minimum 2 is above maximum 1',
      { content: { bands: [{ name: 'a', dataType: 'int16', statistics: { minimum: 2, maximum: 1 } }] } },
    ],
    [
      'bands[a].statistics.mean: NaN is no number',
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
    ['given twice', { columns: [VECTOR_INPUT.columns[0], VECTOR_INPUT.columns[0]] }],
    ['columns.x.description', { columns: [{ name: 'x', type: 'object', description: '' }] }],
    ['rowCount', { rowCount: -1 }],
    ['primaryGeometry', { primaryGeometry: 'geom' }],
  ])('%s', (message, change) => {
    expect(() => vectorItem({ ...VECTOR_INPUT, ...change })).toThrow(message);
  });
});

describe('types', () => {
  it('demand classes or bands of a raster, and a type of each', () => {
    const classes = [{ value: 1, name: 'a', description: 'a' }] as const;
    const bands = [{ name: 'a', dataType: 'float32' }] as const;
    // @ts-expect-error: neither classes nor bands
    const neither: RasterContent = {};
    // @ts-expect-error: both
    const both: RasterContent = { classes, dataType: 'uint8', bands };
    // @ts-expect-error: the type of the classes is missing
    const untyped: RasterContent = { classes };
    // @ts-expect-error: the type of the band is missing
    const typeless: RasterContent = { bands: [{ name: 'a' }] };
    // @ts-expect-error: no band
    const empty: RasterContent = { bands: [] };
    expect([neither, both, untyped, typeless, empty]).toHaveLength(5);
    expectTypeOf<{ classes: typeof classes; dataType: 'uint8' }>().toExtend<RasterContent>();
    expectTypeOf<{ bands: typeof bands }>().toExtend<RasterContent>();
  });

  it('forbid table columns on a raster, and demand them of a vector', () => {
    expectTypeOf<RasterItemInput['columns']>().toEqualTypeOf<undefined>();
    expectTypeOf<[]>().not.toExtend<VectorItemInput['columns']>();
    expectTypeOf<string>().not.toExtend<ItemId>();
    expectTypeOf<keyof RasterItemInput>().not.toEqualTypeOf<keyof RasterItemInput | 'bbox'>();
    expectTypeOf(sampleVector()).toExtend<Readonly<Record<string, unknown>>>();
  });

  it('demand a column for each property of the feature', () => {
    const make = columnsOf<{ uid: string; area?: number }>();
    // @ts-expect-error: area has no column
    const incomplete = make({ uid: { type: 'object', description: 'id' } });
    expect(incomplete.map((column) => column.name)).toEqual(['uid']);
    expect(() => columnsOf<object>()({})).toThrow('one column or more');
  });
});

describe('catalogues and Collections', () => {
  it('have the exact extent of their members', () => {
    const early = { ...sampleRaster(), bbox: [90, 20, 91, 21] };
    const extent = extentOf([early, sampleVector()]);
    expect(extent).toEqual({
      spatial: { bbox: [[90, 20, 93.1, 24.8]] },
      temporal: { interval: [['2023-07-01T00:00:00Z', '2024-06-30T00:00:00Z']] },
    });
    expect(
      joinExtents([extent, { ...extent, temporal: { interval: [[instant('2020-01-01T00:00:00Z'), null]] } }]).temporal
        .interval,
    ).toEqual([['2020-01-01T00:00:00Z', null]]);
    expect(() => extentOf([])).toThrow('no box');
    expect(() => extentOf([{ id: 'a', bbox: [1, 2] }])).toThrow('Item a has no bbox');
  });

  it('sum up the members: values and ranges of their properties, and the assets that they have', () => {
    const items = [sampleRaster(), sampleVector(), sampleRaster()];
    const collection = sampleCollection(items);
    expect(collection.summaries).toEqual({
      gsd: { minimum: 10, maximum: 10 },
      'proj:code': ['EPSG:4326'],
      'processing:version': ['1'],
    });
    expect(collection.item_assets?.['thumbnail']).toEqual({
      type: 'image/png',
      title: 'Thumbnail',
      roles: ['thumbnail'],
    });
    expect(collection.item_assets?.['data']).toEqual({
      roles: ['data'],
      description: 'application/geo+json or image/tiff; application=geotiff: Raster Layer or Vector Layer',
    });
    expect(Object.values(collection.item_assets ?? {}).some((asset) => 'href' in asset)).toBe(false);
    assertValid(collection);
  });

  it('sum up the members of their members alike, whatever the order', () => {
    const [a, b] = [membersOf([sampleRaster()]), membersOf([sampleVector(), { properties: { gsd: 30 }, assets: {} }])];
    expect(joinMembers([a, b])).toEqual(joinMembers([b, a]));
    expect(joinMembers([a, b])).toEqual(
      membersOf([sampleRaster(), sampleVector(), { properties: { gsd: 30 }, assets: {} }]),
    );
    expect(memberFields(joinMembers([a, b])).summaries?.['gsd']).toEqual({ minimum: 10, maximum: 30 });
    expect(memberFields(joinMembers([]))).toEqual({});
    expect(memberFields(membersOf([{ properties: null, assets: { x: 1, y: { href: 'z', roles: [] } } }, {}]))).toEqual(
      {},
    );
  });

  it('link to root, self, parent, children and items with types and titles', () => {
    const rels = sampleCollection().links.map(({ rel, type }) => `${rel} ${type}`);
    expect(rels).toEqual([
      'root application/json',
      'self application/json',
      'parent application/json',
      'item application/geo+json',
      'item application/geo+json',
      'license text/html',
    ]);
    const root = buildCatalog({ id: 'r', title: 'R', description: 'R', self: `${BASE}/` });
    expect(root.links.map(({ rel, href }) => `${rel} ${href}`)).toEqual([`root ${BASE}/`, `self ${BASE}/`]);
    expect(() => buildCatalog({ id: 'a/b', title: 'R', description: 'R', self: `${BASE}/` })).toThrow('not safe');
  });

  it('parse by the wire schemas, whose issues carry the path and the rule', () => {
    expect(itemSchema.safeParse(sampleRaster()).success).toBe(true);
    const broken = { ...sampleRaster(), bbox: [0, 0, 1, 1] };
    const issues = itemSchema
      .safeParse(broken)
      .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    expect(issues).toEqual([expect.stringMatching(/^bbox .*\[bbox\.matches-geometry\]$/)]);
    expect(catalogSchema.safeParse(sampleRaster()).success).toBe(false);
  });

  it('accept the same common input for both kinds of layer', () => {
    expect(itemInput('terrain_raster', 2023).id).toBe('assam_cachar_lakhipur_terrain_raster_2023');
  });
});
