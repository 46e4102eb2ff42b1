import { describe, expect, it } from 'vitest';
import { isStacError } from '../errors.ts';
import { sampleCatalog, sampleCollection, sampleNumeric, sampleRaster, sampleVector } from '../samples.fixture.ts';
import { assertValid, validate } from './assert-valid.ts';

type Change = readonly [rule: string, path: string, value: unknown];

function changed(document: object, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(document) as Record<string, unknown>;
  const keys = path.split('/');
  const last = keys.pop() ?? '';
  const holder = keys.reduce((node, key) => node[key] as Record<string, unknown>, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

const rulesOf = (document: unknown, severity = 'error') =>
  validate(document, { profile: 'headwater' })
    .filter((each) => each.severity === severity)
    .map((each) => each.rule);
const SHA = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const SQUARE = [
  [92.9, 24.7],
  [93.1, 24.7],
  [93.1, 24.8],
  [92.9, 24.8],
  [92.9, 24.7],
];
const ring = (...positions: readonly (readonly number[])[]) => [positions];
const LINKS = sampleRaster().links;

/**
 * Changes of the sample raster, each with the rule that reports it as a fault. The official schemas accept these
 * faults.
 */
const RASTER: readonly Change[] = [
  ['bbox.matches-geometry', 'bbox', [92.9, 24.7, 93.1, 24.9]],
  ['bbox.range', 'bbox', [92.9, 24.8, 93.1, 24.7]],
  ['bbox.shape', 'bbox', [92.9, 24.7, 0, 93.1, 24.8, 0]],
  ['geometry.ring-closed', 'geometry/coordinates', ring(...SQUARE.slice(0, 4))],
  ['geometry.ring-orientation', 'geometry/coordinates', ring(...SQUARE.toReversed())],
  [
    'geometry.ring-orientation',
    'geometry/coordinates',
    [
      SQUARE,
      [
        [93, 24.71],
        [93.05, 24.71],
        [93.05, 24.75],
        [93, 24.71],
      ],
    ],
  ],
  ['geometry.range', 'geometry/coordinates', ring(...SQUARE.map(([lon = 0, lat = 0]) => [lat, lon]))],
  ['geometry.empty', 'geometry/coordinates', []],
  ['geometry.type', 'geometry', null],
  ['id.safe', 'id', 'assam_cachar_lakhipur_a/b'],
  ['id.safe', 'id', 'assam cachar lakhipur lulc_x_y_z'],
  ['id.pattern', 'id', 'lulc_2023'],
  ['properties.title', 'properties/title', undefined],
  ['properties.description', 'properties/description', undefined],
  ['properties.keywords', 'properties/keywords', undefined],
  ['properties.datetime', 'properties/datetime', null],
  ['datetime.order', 'properties/end_datetime', '2023-06-30T23:59:59Z'],
  ['proj.code', 'properties/proj:code', 'banana'],
  ['file.checksum', 'assets/cog/file:checksum', SHA],
  ['href.local-path', 'assets/data/href', '/tmp/lulc.tif'],
  ['href.local-path', 'assets/data/href', 'C:\\data\\lulc.tif'],
  ['href.local-path', 'assets/data/href', 'file:///srv/lulc.tif'],
  ['href.local-path', 'links/0/href', '/home/me/catalog.json'],
  ['href.asset-id', 'assets/data/href', 'projects/p/assets/lulc'],
  ['href.layer-name', 'assets/data/href', 'lulc:lulc_2023_cachar_lakhipur'],
  ['href.fetchable', 'assets/data/href', 'tiles/lulc'],
  ['href.fetchable', 'assets/data/href', 'gs://bucket/lulc.tif'],
  ['assets.data-missing', 'assets', {}],
  ['assets.data-type', 'assets/data/type', 'image/tiff'],
  ['assets.data-roles', 'assets/data/roles', ['metadata']],
  ['assets.style-type', 'assets/style/type', 'text/xml'],
  ['assets.thumbnail-roles', 'assets/thumbnail/roles', ['data']],
  ['assets.title', 'assets/cog/title', undefined],
  ['assets.roles', 'assets/cog/roles', undefined],
  ['links.root-missing', 'links', LINKS.filter((link) => link.rel !== 'root')],
  ['links.parent-missing', 'links', LINKS.filter((link) => link.rel !== 'parent')],
  ['links.root-twice', 'links', [...LINKS, { ...LINKS[0], href: 'https://example.org/other/' }]],
  ['links.parent-is-collection', 'links/2/href', 'https://example.org/elsewhere/'],
  ['links.type', 'links/0/type', undefined],
  ['links.type', 'links/0/type', 'text/html'],
  ['links.title', 'links/0/title', undefined],
  ['table.raster', 'properties/table:columns', [{ name: 'a', type: 'object', description: 'a' }]],
  ['stac_version', 'stac_version', '2.0.0'],
];

const VECTOR: readonly Change[] = [
  ['table.columns-missing', 'properties/table:columns', undefined],
  ['table.columns', 'properties/table:columns', []],
  ['table.columns', 'properties/table:columns', [{ name: 'uid' }]],
  ['table.columns', 'properties/table:columns', [1, 2].map(() => ({ name: 'uid', type: 'object', description: 'id' }))],
  ['table.row_count', 'properties/table:row_count', -3],
  ['table.declared', 'stac_extensions', sampleVector().stac_extensions.filter((url) => !url.includes('/table/'))],
  ['extension.unknown-field', 'properties/table:colums', []],
];

const COLLECTION: readonly Change[] = [
  [
    'extent.bbox-count',
    'extent/spatial/bbox',
    [
      [0, 0, 1, 1],
      [0, 0, 1, 1],
    ],
  ],
  ['bbox.range', 'extent/spatial/bbox', [[0, 5, 1, 4]]],
  ['datetime.order', 'extent/temporal/interval', [['2024-01-01T00:00:00Z', '2023-01-01T00:00:00Z']]],
  ['links.root-missing', 'links', []],
  ['license', 'license', undefined],
];

const NAMED = { raster: sampleRaster(), vector: sampleVector(), collection: sampleCollection() };
const CASES = Object.entries({ raster: RASTER, vector: VECTOR, collection: COLLECTION }).flatMap(([name, changes]) =>
  changes.map((change) => [name, ...change] as const),
);

describe('faults that the official schemas do not report', () => {
  it.each(CASES)('%s: %s at %s', (...[name, rule, path, value]) => {
    const document = NAMED[name as keyof typeof NAMED];
    expect(rulesOf(document)).toEqual([]);
    expect(rulesOf(changed(document, path, value))).toContain(rule);
  });

  it('are all reported in one call, each with pointer, got, expected, fix and source', () => {
    let document: Record<string, unknown> = changed(sampleVector(), 'properties/title', undefined);
    document = changed(document, 'bbox', [0, 0, 1, 1]);
    document = changed(document, 'assets/data/href', '/tmp/x.geojson');
    const errors = validate(document, { profile: 'headwater' }).filter((finding) => finding.severity === 'error');
    expect(errors.map(({ pointer, rule }) => `${pointer} ${rule}`).sort()).toEqual([
      '/assets/data/href href.local-path',
      '/bbox bbox.matches-geometry',
      '/properties/title properties.title',
    ]);
    for (const { got, expected, fix, source } of errors)
      expect([got, expected, fix, source].every((text) => text !== '')).toBe(true);
  });

  it('are reported for a table with every declared version of its extension', () => {
    const urls = sampleVector().stac_extensions.map((url) => url.replace('table/v1.2.0', 'table/v1.0.0'));
    const older = changed(sampleVector(), 'stac_extensions', urls);
    expect(rulesOf(older)).toEqual([]);
    for (const columns of [[], [{ name: 'uid' }], 7])
      expect(rulesOf(changed(older, 'properties/table:columns', columns))).toEqual(['table.columns']);
    const foreign = changed(older, 'properties/table:columns', [{ name: 'uid' }]);
    expect(validate(foreign).map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['info extensions.unchecked']);
  });

  it('have the pointer of the element if they are in a list', () => {
    const column = { name: 'a', type: 'object', description: 'A' };
    const kind = { value: 1, name: 'a', description: 'A' };
    const pointersOf = (document: object, path: string, value: unknown): string[] =>
      validate(changed(document, path, value), { profile: 'headwater' })
        .filter(({ severity }) => severity === 'error')
        .map(({ pointer, got }) => `${pointer} ${got}`);
    const columns = [column, { name: 'b', type: 'object' }, { ...column, description: 'again' }, 7];
    expect(pointersOf(sampleVector(), 'properties/table:columns', columns)).toEqual([
      '/properties/table:columns/1 {"name":"b","type":"object"}',
      '/properties/table:columns/2 {"name":"a","type":"object","description":"again"}',
      '/properties/table:columns/3 7',
    ]);
    const classes = [kind, { ...kind, value: 2, color_hint: 'red' }, { ...kind, name: 'b' }];
    expect(pointersOf(sampleRaster(), 'assets/data/classification:classes', classes)).toEqual([
      '/assets/data/classification:classes/1 {"value":2,"name":"a","description":"A","color_hint":"red"}',
      '/assets/data/classification:classes/2 {"value":1,"name":"b","description":"A"}',
    ]);
    expect(pointersOf(sampleCollection(), 'providers', [{ name: 'A' }, { name: '' }])).toEqual([
      '/providers/1 {"name":""}',
    ]);
    expect(pointersOf(sampleVector(), 'properties/table:columns', [])).toEqual(['/properties/table:columns []']);
  });

  it('do not include a bbox across the antimeridian if the geometry crosses it', () => {
    const east = [
      [179, -1],
      [180, -1],
      [180, 1],
      [179, 1],
      [179, -1],
    ];
    const west = [
      [-180, -1],
      [-179, -1],
      [-179, 1],
      [-180, 1],
      [-180, -1],
    ];
    const item = changed(sampleVector(), 'geometry', { type: 'MultiPolygon', coordinates: [[east], [west]] });
    expect(rulesOf(changed(item, 'bbox', [179, -1, -179, 1]))).toEqual([]);
    expect(rulesOf(changed(item, 'bbox', [-180, -1, 180, 1]))).toEqual(['bbox.matches-geometry']);
  });

  it('include a finding about each part that was not checked', () => {
    const url = 'https://stac-extensions.github.io/eo/v2.0.0/schema.json';
    const item = { ...sampleRaster(), stac_extensions: [...sampleRaster().stac_extensions, url] };
    expect(rulesOf(item)).toEqual([]);
    expect(rulesOf(item, 'info')).toContain('extensions.unchecked');
  });

  it('include a warning about a grid that does not cover the bbox', () => {
    expect(rulesOf(sampleRaster(), 'warning')).toEqual([]);
    expect(rulesOf(changed(sampleRaster(), 'properties/proj:shape', [2226, 1113]), 'warning')).toContain(
      'proj.grid-covers-bbox',
    );
  });

  it.each([
    null,
    'projects/p/assets/lulc',
    7,
    [],
    {},
    { type: 'Feature' },
    { type: 'Catalog' },
    { type: 'Collection', links: [null], extent: { spatial: {} } },
  ])('never make the validator throw: %j', (value) => {
    expect(rulesOf(value)).not.toEqual([]);
  });
});

describe('rasters of values, and assertValid', () => {
  it.each<Change>([
    ['nodata.data-type', 'assets/data/bands/2/nodata', 40_000],
    ['nodata.data-type', 'assets/data/bands/2/nodata', 0.5],
    ['metadata.statistics', 'assets/data/bands/0/statistics/minimum', 62],
  ])('a raster of values has the fault %s at %s = %j', (...[rule, path, value]) => {
    expect(rulesOf(changed(sampleNumeric(), path, value))).toEqual([rule]);
  });

  it('a raster without classes or bands has a warning', () => {
    expect(rulesOf(sampleNumeric(), 'warning')).toEqual([]);
    expect(rulesOf(changed(sampleNumeric(), 'assets/data/bands', undefined), 'warning')).toEqual(['raster.values']);
    expect(rulesOf(changed(sampleNumeric(), 'assets/data/bands/1/data_type', undefined), 'warning')).toEqual([
      'raster.values',
    ]);
    const classes = changed(sampleRaster(), 'assets/data/classification:classes', undefined);
    expect(rulesOf(changed(classes, 'assets/data/data_type', undefined), 'warning')).toEqual(['raster.values']);
    expect(rulesOf(classes, 'warning')).toEqual([]);
  });

  it('assertValid accepts what our builders return', () => {
    for (const document of [sampleRaster(), sampleVector(), sampleCollection(), sampleCatalog()])
      assertValid(document, 'headwater');
  });

  it('assertValid throws one StacError that names every error', () => {
    const broken = changed(changed(sampleRaster(), 'id', 'a b'), 'assets/data', undefined);
    let thrown: unknown;
    try {
      assertValid(broken, 'headwater');
    } catch (error) {
      thrown = error;
    }
    expect(isStacError(thrown)).toBe(true);
    if (!isStacError(thrown)) return;
    expect(thrown.findings.map((finding) => finding.rule)).toEqual(
      expect.arrayContaining(['id.safe', 'assets.data-missing']),
    );
    for (const { pointer, rule } of thrown.findings) {
      expect(thrown.message).toContain(`${pointer}: got`);
      expect(thrown.message).toContain(`[${rule}]`);
    }
  });
});
