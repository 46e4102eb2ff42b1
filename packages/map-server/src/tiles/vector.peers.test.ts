import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeatureCollection, Geometry } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inSrs, toMercator } from '../encodings/coordinates.ts';
import { GEOMETRIES, layer, tableOf, TURN } from '../encodings/world.fixture.ts';
import { boxOfGeometry } from '../features/feature-table.ts';
import { vectorTile } from './vector.ts';

const hasGdal = spawnSync('ogr2ogr', ['--version']).status === 0;
let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tiles-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A tile that contains the whole sample. `UNIT`: size of a tile coordinate, m. */
const address = { zoom: 5, col: 23, row: 13 };
const UNIT = (2 * Math.PI * 6378137) / 2 ** address.zoom / 4096;

describe.skipIf(!hasGdal)('vector tiles as GDAL reads them', () => {
  it.each(Object.keys(GEOMETRIES).filter((kind) => kind !== 'GeometryCollection' && kind !== 'LineString'))(
    'keep %s and the columns',
    async (kind) => {
      const table = tableOf([GEOMETRIES[kind]!, null, GEOMETRIES[kind]!]);
      const folder = join(dir, kind, String(address.zoom), String(address.col));
      mkdirSync(folder, { recursive: true });
      const path = join(folder, `${address.row}.pbf`);
      writeFileSync(path, (await vectorTile({ table, layer, turn: TURN }, address))!);
      const out = join(dir, `${kind}.json`);
      execFileSync('ogr2ogr', [
        '-f',
        'GeoJSON',
        '-s_srs',
        'EPSG:3857',
        '-t_srs',
        'EPSG:3857',
        '-oo',
        'CLIP=NO',
        out,
        path,
      ]);

      const { features } = JSON.parse(readFileSync(out, 'utf8')) as FeatureCollection<Geometry>;

      expect(features.map(({ properties }) => properties?.['mvt_id'])).toEqual([1, 3]);
      for (const { geometry, properties } of features) {
        const stored = table.features[Number(properties?.['mvt_id']) - 1]!;
        const [west, south, east, north] = boxOfGeometry(stored.geometry)!;
        const box = [...toMercator(west, south), ...toMercator(east, north)];
        expect(boxOfGeometry(geometry)!.every((value, at) => Math.abs(value - box[at]!) <= UNIT)).toBe(true);
        expect(areaOf(geometry) / areaOf(inSrs(stored.geometry, 'EPSG:3857')!)).toBeCloseTo(1, 2);
        expect(geometry.type.replace('Multi', '')).toBe(kind.replace('Multi', ''));
        const { mvt_id: _, ...values } = properties ?? {};
        const expected = Object.entries(stored.properties).filter(([, value]) => value !== null);
        const read = Object.entries(values).filter(([, value]) => value !== null);
        expect(Object.fromEntries(read)).toEqual(Object.fromEntries(expected));
      }
    },
  );

  it('have holes, and rings in the right direction', async () => {
    const table = tableOf([GEOMETRIES['MultiPolygon']!]);
    const folder = join(dir, 'rings', String(address.zoom), String(address.col));
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${address.row}.pbf`);
    writeFileSync(path, (await vectorTile({ table, layer, turn: TURN }, address))!);
    const out = join(dir, 'rings.json');
    execFileSync('ogr2ogr', ['-f', 'GeoJSON', '-s_srs', 'EPSG:3857', '-t_srs', 'EPSG:3857', out, path]);
    const { features } = JSON.parse(readFileSync(out, 'utf8')) as FeatureCollection<Geometry>;
    const [geometry] = features.map((each) => each.geometry);
    expect(geometry?.type === 'MultiPolygon' ? geometry.coordinates.map((rings) => rings.length) : geometry).toEqual([
      2, 1,
    ]);
  });
});

function areaOf(geometry: Geometry): number {
  const polygons =
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
  const ringArea = (ring: number[][]): number =>
    Math.abs(ring.slice(1).reduce((sum, [x = 0, y = 0], at) => sum + ring[at]![0]! * y - x * ring[at]![1]!, 0)) / 2;
  const total = polygons.reduce(
    (sum, [outer = [], ...holes]) => sum + ringArea(outer) - holes.reduce((cut, hole) => cut + ringArea(hole), 0),
    0,
  );
  return total === 0 ? 1 : total;
}
