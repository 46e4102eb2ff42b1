import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeatureTable } from '../features/feature-table.ts';
import { asLayerType } from './coordinates.ts';
import { describeFeatureType, encodeFeatures, type FeatureFormat, type FeatureSrs } from './index.ts';
import { cellText } from './request.ts';
import { GEOMETRIES, layer, responseOf, tableOf, URL_OF_SERVER } from './world.fixture.ts';
import { xmlName } from './xml-names.ts';

const hasGdal = spawnSync('ogr2ogr', ['--version']).status === 0;
let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'encodings-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function readByGdal(path: string, ...options: readonly string[]): readonly Feature<Geometry | null>[] {
  const out = `${path}.json`;
  execFileSync('ogr2ogr', ['-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=15', ...options, out, path]);
  return (JSON.parse(readFileSync(out, 'utf8')) as FeatureCollection<Geometry | null>).features;
}

const FORMS = [
  { format: 'gml2', version: '1.0.0', srs: 'EPSG:4326', axis: 'xy' },
  { format: 'gml31', version: '1.1.0', srs: 'EPSG:4326', axis: 'yx' },
  { format: 'gml31', version: '1.1.0', srs: 'EPSG:4326', axis: 'xy' },
  { format: 'gml32', version: '2.0.0', srs: 'EPSG:4326', axis: 'yx' },
  { format: 'gml32', version: '2.0.0', srs: 'EPSG:4326', axis: 'xy' },
  { format: 'gml32', version: '2.0.0', srs: 'CRS:84', axis: 'xy' },
  { format: 'gml32', version: '2.0.0', srs: 'EPSG:3857', axis: 'xy' },
  { format: 'gml2', version: '1.0.0', srs: 'EPSG:3857', axis: 'xy' },
] as const satisfies readonly { format: FeatureFormat; version: string; srs: FeatureSrs; axis: 'xy' | 'yx' }[];

describe.skipIf(!hasGdal)('GML as GDAL reads it with its schema', () => {
  const kinds = [
    ...Object.entries(GEOMETRIES).map(([kind, geometry]) => ({ kind, geometries: [geometry, null, geometry] })),
    { kind: 'single and multiple polygons', geometries: [GEOMETRIES['Polygon']!, GEOMETRIES['MultiPolygon']!, null] },
    { kind: 'mixed', geometries: [...Object.values(GEOMETRIES), null] },
  ];
  for (const { kind, geometries } of kinds) {
    it.each(FORMS)(`keeps ${kind} and values: $format $srs $axis`, async (form) => {
      const { format, ...response } = form;
      const table = tableOf(geometries);
      const { body } = encodeFeatures(format, responseOf(table, response));
      const path = join(dir, `${kind}-${format}-${response.srs.replace(':', '')}-${response.axis}.gml`);
      writeFileSync(path, await new Response(body).text());
      writeFileSync(
        path.replace(/gml$/, 'xsd'),
        describeFeatureType(response.version, [{ layer, table }], URL_OF_SERVER),
      );

      // GDAL 3.6 does not read `srsName` of GML 2 if there is a schema, so the CRS is passed to GDAL.
      const source =
        format === 'gml2' ? ['-s_srs', response.srs, '--config', 'OGR_CT_FORCE_TRADITIONAL_GIS_ORDER', 'YES'] : [];
      const read = readByGdal(path, ...source, '-t_srs', 'EPSG:4326');

      expect(read).toHaveLength(table.features.length);
      for (const [at, feature] of table.features.entries()) {
        const { geometry: stored } = feature;
        expectSame(read[at]!.geometry, stored === null ? null : asLayerType(stored, table.geometryType));
        const { gml_id: gmlId, fid, ...values } = read[at]!.properties ?? {};
        expect(gmlId ?? fid).toBe(feature.id);
        const isPresent = ([, value]: [string, unknown]): boolean => value !== null && value !== undefined;
        const expected = table.columns.map(({ name, type }): [string, unknown] => {
          const value = feature.properties[name];
          return [xmlName(name), type === 'string' && isPresent([name, value]) ? cellText(value) : value];
        });
        // GML leaves out the element of a missing value, because XML has no null.
        const textOf = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : value);
        expect(
          Object.entries(values)
            .filter(isPresent)
            .map(([name, value]) => [name, textOf(value)]),
        ).toEqual(expected.filter(isPresent));
      }
    });
  }
});

describe.skipIf(!hasGdal)('CSV as GDAL reads it', () => {
  it('keeps geometries and values', async () => {
    const table = tableOf([...Object.values(GEOMETRIES), null, null]);
    const path = join(dir, 'sample.csv');
    writeFileSync(path, await new Response(encodeFeatures('csv', responseOf(table)).body).text());

    const read = readByGdal(path, '-oo', 'GEOM_POSSIBLE_NAMES=the_geom', '-oo', 'KEEP_GEOM_COLUMNS=NO');

    expect(read).toHaveLength(table.features.length);
    for (const [at, { id, geometry, properties }] of table.features.entries()) {
      expectSame(read[at]!.geometry, geometry);
      const expected = table.columns.map(({ name }) => [name, cellText(Reflect.get(properties, name) ?? '')]);
      const values = Object.entries(read[at]!.properties ?? {}).map(([name, value]) => [name, cellText(value)]);
      expect(Object.fromEntries(values)).toEqual({ FID: id, ...Object.fromEntries(expected) });
    }
  });
});

describe.skipIf(!hasGdal)('Shapefiles as GDAL reads them', () => {
  const write = async (geometries: readonly (Geometry | null)[], srs: FeatureSrs): Promise<FeatureTable> => {
    const table = tableOf(geometries);
    const bytes = await new Response(encodeFeatures('shapefile', responseOf(table, { srs })).body).bytes();
    for (const [name, file] of Object.entries(unzipSync(bytes))) writeFileSync(join(dir, name), file);
    return table;
  };
  const ORIGINAL: Readonly<Record<string, string>> = {
    drought_we: 'drought_weeks_2021',
    drought__1: 'drought_weeks_2022',
  };

  it.each([
    ['Point', 'EPSG:4326'],
    ['LineString', 'EPSG:4326'],
    ['Polygon', 'CRS:84'],
    ['MultiPoint', 'EPSG:4326'],
    ['MultiLineString', 'EPSG:4326'],
    ['MultiPolygon', 'EPSG:4326'],
    ['MultiPolygon', 'EPSG:3857'],
  ] as const)('keep %s and values: %s', async (kind, srs) => {
    const geometry = GEOMETRIES[kind]!;
    const { features } = await write([geometry, null, geometry, geometry], srs);

    const read = readByGdal(join(dir, `${layer.name}.shp`), '-t_srs', 'EPSG:4326');

    expect(read).toHaveLength(4);
    const columns = readFileSync(join(dir, 'columns.csv'), 'utf8')
      .split('\r\n')
      .map((line) => line.split(','));
    for (const [at, feature] of features.entries()) {
      expectSame(inOrder(read[at]!.geometry), inOrder(feature.geometry));
      const values = Object.entries(read[at]!.properties ?? {}).flatMap(([name, value]) =>
        value === null || value === '?' ? [] : [[columns.find(([cut]) => cut === name)?.[1], value]],
      );
      const { is_wet: isWet, list, ...stored } = feature.properties;
      expect(Object.fromEntries(values)).toEqual({
        ...Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== null)),
        ...(isWet === undefined ? {} : { is_wet: isWet === true ? 'T' : 'F' }),
        ...(list === undefined ? {} : { list }),
      });
    }
    expect(
      columns
        .slice(1, -1)
        .filter(([cut, name]) => cut !== name)
        .map(([cut, name]) => [cut, name]),
    ).toEqual(expect.arrayContaining(Object.entries(ORIGINAL)));
  });

  it('contain one kind of geometry each', async () => {
    const { Point, Polygon, MultiPolygon } = GEOMETRIES;
    await write([Point!, Polygon!, null, MultiPolygon!], 'EPSG:4326');
    expect(readByGdal(join(dir, `${layer.name}_point.shp`)).map(({ geometry }) => geometry?.type)).toEqual([
      'Point',
      undefined,
    ]);
    expect(readByGdal(join(dir, `${layer.name}_polygon.shp`))).toHaveLength(2);
  });

  it('without geometries or without features can be read', async () => {
    await write([null, null], 'EPSG:4326');
    expect(readByGdal(join(dir, `${layer.name}.shp`)).map(({ geometry }) => geometry)).toEqual([null, null]);
    await write([], 'EPSG:4326');
    expect(readByGdal(join(dir, `${layer.name}.shp`))).toEqual([]);
  });
});

const byFirst = ([[[a = 0] = []] = [[]]]: Position[][], [[[b = 0] = []] = [[]]]: Position[][]): number => a - b;

/** A multi-geometry with sorted corners and polygons, so that different programs give equal results. */
function inOrder(geometry: Geometry | null): Geometry | null {
  if (geometry === null || geometry.type === 'GeometryCollection') return geometry;
  const multiple = asLayerType(geometry, `Multi${geometry.type.replace('Multi', '')}`);
  const ring = (positions: readonly Position[]): Position[] =>
    positions.slice(1).toSorted(([ax = 0, ay = 0], [bx = 0, by = 0]) => (Math.abs(ax - bx) > 1e-9 ? ax - bx : ay - by));
  return multiple.type === 'MultiPolygon'
    ? { type: 'MultiPolygon', coordinates: multiple.coordinates.map((rings) => rings.map(ring)).toSorted(byFirst) }
    : multiple;
}

function expectSame(read: Geometry | null, stored: Geometry | null): void {
  expect(read?.type).toBe(stored?.type);
  const a = numbers(read);
  const b = numbers(stored);
  expect(a).toHaveLength(b.length);
  expect(Math.max(0, ...a.map((value, at) => Math.abs(value - b[at]!)))).toBeLessThan(1e-9);
}

const numbers = (geometry: unknown): number[] =>
  (JSON.stringify(geometry).match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map(Number);
