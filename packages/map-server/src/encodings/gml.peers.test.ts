import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Feature, FeatureCollection, Geometry } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Features that GDAL reads from a file, in degrees. */
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

      // GDAL 3.6 does not read `srsName` of GML 2 if there is a schema.
      const source =
        format === 'gml2' ? ['-s_srs', response.srs, '--config', 'OGR_CT_FORCE_TRADITIONAL_GIS_ORDER', 'YES'] : [];
      const read = readByGdal(path, ...source, '-t_srs', 'EPSG:4326');

      expect(read).toHaveLength(table.features.length);
      for (const [at, feature] of table.features.entries()) {
        expectSame(read[at]!.geometry, feature.geometry);
        const { gml_id: gmlId, fid, ...values } = read[at]!.properties ?? {};
        expect(gmlId ?? fid).toBe(feature.id);
        const isPresent = ([, value]: [string, unknown]): boolean => value !== null && value !== undefined;
        const expected = table.columns.map(({ name, type }): [string, unknown] => {
          const value = feature.properties[name];
          return [xmlName(name), type === 'string' && isPresent([name, value]) ? cellText(value) : value];
        });
        // XML has no null: the element of a null is left out.
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

function expectSame(read: Geometry | null, stored: Geometry | null): void {
  expect(read?.type).toBe(stored?.type);
  const a = numbers(read);
  const b = numbers(stored);
  expect(a).toHaveLength(b.length);
  expect(Math.max(0, ...a.map((value, at) => Math.abs(value - b[at]!)))).toBeLessThan(1e-9);
}

const numbers = (geometry: unknown): number[] =>
  (JSON.stringify(geometry).match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map(Number);
