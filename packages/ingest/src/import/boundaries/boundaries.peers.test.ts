import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromUtm } from '@headwater/core/geo';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { box, importBench } from './import-files.fixture.ts';

const gdal = spawnSync('ogr2ogr', ['--version']).status === 0;
if (!gdal) console.warn("boundaries that GDAL wrote: skipped, ogr2ogr is missing: install Debian's gdal-bin");

const bench = importBench();
const NAMES = { state_name: 'Āland', district_name: 'Bland', tehsil_name: 'Cland' };
const HOLED = [box(78, 17, 1), box(78.2, 17.2, 0.2).toReversed(), box(78.6, 17.6, 0.2).toReversed()];
/** A polygon with a lake (hole), an island in the lake, and a lake on the island. */
const NESTED = [
  [box(84, 17, 1), box(84.1, 17.1, 0.8).toReversed()],
  [box(84.2, 17.2, 0.6), box(84.3, 17.3, 0.4).toReversed()],
];
const PARTS = [HOLED, [box(80, 17, 1)], [box(82, 17, 1), box(82.5, 17.5, 0.1).toReversed()], ...NESTED];
const SOURCE = {
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', properties: NAMES, geometry: { type: 'MultiPolygon', coordinates: PARTS } },
    {
      type: 'Feature',
      properties: { ...NAMES, tehsil_name: 'Énna' },
      geometry: { type: 'Polygon', coordinates: [box(78, 19, 1).map((position) => [...position, 250])] },
    },
  ],
};

function written(name: string, ...options: readonly string[]): string {
  const source = join(bench.dir, 'source.geojson');
  writeFileSync(source, JSON.stringify(SOURCE));
  execFileSync('ogr2ogr', [...options, join(bench.dir, name), source], { stdio: ['ignore', 'ignore', 'ignore'] });
  return name;
}

function zipped(folder: string): string {
  const [from, to] = [join(bench.dir, folder), join(bench.dir, `${folder}.zip`)];
  execFileSync('python3', ['-m', 'zipfile', '-c', to, from]);
  return `${folder}.zip`;
}

function ringsOf(geometry: Polygon | MultiPolygon | null | undefined, digits: number): readonly string[] {
  const polygons = geometry?.type === 'Polygon' ? [geometry.coordinates] : (geometry?.coordinates ?? []);
  const text = ([x = 0, y = 0]: Position): string => `${x.toFixed(digits)} ${y.toFixed(digits)}`;
  return polygons
    .map((rings) =>
      rings
        .map((ring) => [...new Set(ring.map(text))].toSorted().join())
        .toSorted()
        .join(' | '),
    )
    .toSorted();
}

async function stored(): Promise<readonly (Polygon | MultiPolygon | null)[]> {
  const [state] = await bench.stores.places.states();
  const [district] = await bench.stores.places.districts(state?.id ?? 0);
  const tehsils = await bench.stores.places.tehsils(district?.id ?? 0);
  expect([state?.name, tehsils.map(({ name }) => name)]).toEqual(['Āland', ['Cland', 'Énna']]);
  return tehsils.map(({ geometry }) => geometry);
}

const EXPECTED = [
  ringsOf({ type: 'MultiPolygon', coordinates: PARTS }, 6),
  ringsOf({ type: 'Polygon', coordinates: [box(78, 19, 1)] }, 6),
];

describe.skipIf(!gdal)('import of boundaries written by GDAL', () => {
  it.each([
    ['GeoPackage', () => written('out.gpkg')],
    ['GeoPackage of version 1.0 with its triggers', () => written('out.gpkg', '-dsco', 'VERSION=1.0')],
    ['GeoPackage without spatial index', () => written('out.gpkg', '-lco', 'SPATIAL_INDEX=NO')],
    ['GeoPackage with heights and measures', () => written('out.gpkg', '-dim', 'XYZM')],
    ['GeoPackage with heights in its CRS', () => written('out.gpkg', '-dim', 'XYZ', '-t_srs', 'EPSG:4979')],
    ['GeoPackage in UTM', () => written('out.gpkg', '-t_srs', 'EPSG:32644')],
    ['Shapefile in UTF-8', () => zipped(written('out', '-f', 'ESRI Shapefile', '-lco', 'ENCODING=UTF-8'))],
    [
      'Shapefile with heights',
      () => zipped(written('out', '-f', 'ESRI Shapefile', '-lco', 'ENCODING=UTF-8', '-dim', 'XYZ')),
    ],
    [
      'Shapefile with measures',
      () => zipped(written('out', '-f', 'ESRI Shapefile', '-lco', 'ENCODING=UTF-8', '-dim', 'XYM')),
    ],
    [
      'Shapefile in UTM',
      () => zipped(written('out', '-f', 'ESRI Shapefile', '-lco', 'ENCODING=UTF-8', '-t_srs', 'EPSG:32644')),
    ],
    ['GeoJSON with one feature per line', () => written('out.geojsonl', '-f', 'GeoJSONSeq')],
    [
      'GeoJSON with a record separator before each feature',
      () => written('out.geojsons', '-f', 'GeoJSONSeq', '-lco', 'RS=YES'),
    ],
    ['GeoJSON', () => written('out.geojson', '-lco', 'RFC7946=YES', '-lco', 'COORDINATE_PRECISION=15')],
  ])('reads %s', async (_, write) => {
    const report = await bench.run('places', write());
    expect(report).toMatchObject({ stored: 2, refusedCount: 0, repairedCount: 0 });
    expect((await stored()).map((geometry) => ringsOf(geometry, 6))).toEqual(EXPECTED);
  });

  it('reads the text of a Shapefile in Latin-1', async () => {
    const plain = JSON.stringify(SOURCE).replaceAll('Āland', 'Öland');
    writeFileSync(join(bench.dir, 'latin.geojson'), plain);
    const options = [
      '-f',
      'ESRI Shapefile',
      '-lco',
      'ENCODING=ISO-8859-1',
      join(bench.dir, 'out'),
      join(bench.dir, 'latin.geojson'),
    ];
    execFileSync('ogr2ogr', options, { stdio: 'ignore' });
    expect(await bench.run('places', zipped('out'))).toMatchObject({ stored: 2, refusedCount: 0 });
    expect((await bench.stores.places.states()).map(({ name }) => name)).toEqual(['Öland']);
  });

  it('refuses an unsupported projection with a command that converts it, and the command works', async () => {
    const web = written('web.gpkg', '-t_srs', 'EPSG:3857');
    await expect(bench.run('places', web)).rejects.toThrow('ogr2ogr -t_srs EPSG:4326 out.gpkg in.gpkg');
    execFileSync('ogr2ogr', ['-t_srs', 'EPSG:4326', join(bench.dir, 'out.gpkg'), join(bench.dir, web)]);
    expect(await bench.run('places', 'out.gpkg')).toMatchObject({ stored: 2 });
  });

  it('converts UTM to degrees like GDAL, to a tenth of a millimetre', () => {
    const points = [
      [500_000, 1_900_000],
      [212_345.678, 3_100_000.25],
      [799_999, 950_000],
    ];
    const args = ['-s_srs', 'EPSG:32644', '-t_srs', 'EPSG:4326', '-output_xy'];
    const input = points.map((point) => point.join(' ')).join('\n');
    const lines = execFileSync('gdaltransform', args, { input, encoding: 'utf8' }).trim().split('\n');
    for (const [index, line] of lines.entries()) {
      const [lon = 0, lat = 0] = line.split(' ').map(Number);
      const [x = 0, y = 0] = points[index] ?? [];
      const ours = fromUtm({ zone: 44, south: false }, x, y);
      expect(Math.abs(ours[0] - lon)).toBeLessThan(1e-9);
      expect(Math.abs(ours[1] - lat)).toBeLessThan(1e-9);
    }
  });
});
