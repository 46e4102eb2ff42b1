import { join } from 'node:path';
import type { RepairedRow } from '@headwater/core/ports';
import type { Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import type { BadFeature, RawFeature } from '../features/raw-feature.ts';
import { featureReader } from '../formats/open-features.ts';
import { dbf, features, importBench, type Sample, shapefileZip, shp, writeGpkg, zip } from './import-files.fixture.ts';

const bench = importBench();
const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
const EVEREST = 'SPHEROID["Everest 1830 (1975 Definition)",6377299.151,300.8017255]';
const DEGREES = 'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]';
const KALIANPUR = `GEOGCS["Kalianpur 1975",DATUM["Kalianpur_1975",${EVEREST},TOWGS84[295,736,257,0,0,0,0]],${DEGREES}]`;
const BARE = `GEOGCS["GCS_Kalianpur_1975",DATUM["D_Kalianpur_1975",${EVEREST}],${DEGREES}]`;
/** The square from 78, 17 to 78.1, 17.1 on WGS 84, converted by ogr2ogr to `KALIANPUR`. */
const ON_KALIANPUR: Position[] = [
  [78.0012729195382, 16.9989175395416],
  [78.101285724074, 16.9989169113876],
  [78.1012864083355, 17.0989250963991],
  [78.0012735969851, 17.0989257281325],
  [78.0012729195382, 16.9989175395416],
];
const SAMPLES: readonly Sample[] = [{ properties: NAMES, rings: [ON_KALIANPUR] }];

async function read(fileName: string) {
  const [found, repaired]: [(RawFeature | BadFeature)[], RepairedRow[]] = [[], []];
  const reader = featureReader(fileName);
  const repair = (row: RepairedRow): void => void repaired.push(row);
  const reading = { path: join(bench.dir, fileName), fileName, layers: [], repair, progress: () => {} };
  for await (const feature of reader?.(reading) ?? []) found.push(feature);
  return { found, repaired };
}

function gpkg(definition: string, { organization = 'NONE', code = 100_000, more = '' } = {}): void {
  writeGpkg(join(bench.dir, 'in.gpkg'), SAMPLES, {
    srs: 7,
    more: `insert into gpkg_spatial_ref_sys values (7, '${organization}', ${code}, '${definition}'); ${more}`,
  });
}

describe('boundaries on another datum', () => {
  it.each(['in.gpkg', 'in.zip'])(
    'in %s with parameters are converted to WGS 84, and the conversion is reported',
    async (name) => {
      if (name === 'in.zip') await bench.put(name, shapefileZip(SAMPLES, KALIANPUR));
      else gpkg(KALIANPUR);
      const { found, repaired } = await read(name);
      const lonLat = [expect.closeTo(78, 8), expect.closeTo(17, 8)];
      const rings = name === 'in.zip' ? [[expect.arrayContaining([lonLat])]] : [expect.arrayContaining([lonLat])];
      expect(found).toMatchObject([{ row: 1, geometry: { coordinates: rings } }]);
      expect(repaired).toMatchObject([{ row: 1, repair: expect.stringContaining('"Kalianpur_1975"') }]);
    },
  );

  it.each(['in.gpkg', 'in.zip'])(
    'in %s without parameters are refused, and the message names the datum',
    async (name) => {
      if (name === 'in.zip') await bench.put(name, shapefileZip(SAMPLES, BARE));
      else gpkg(BARE, { organization: 'EPSG', code: 4146 });
      await expect(read(name)).rejects.toThrow(
        /its CRS is "GCS_Kalianpur_1975" on the datum "D_Kalianpur_1975", and the file has no parameters .*: ogr2ogr -t_srs EPSG:4326/,
      );
    },
  );

  it('in a GeoJSON that names the datum are refused, at any position of the name in the file', async () => {
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4146' } };
    const [feature] = features(SAMPLES);
    const geometry = { type: 'Polygon', coordinates: [ON_KALIANPUR], crs };
    await bench.put('whole.geojson', JSON.stringify({ type: 'FeatureCollection', crs, features: [feature] }));
    await expect(read('whole.geojson')).rejects.toThrow(/crs is "urn:ogc:def:crs:EPSG::4146"/);
    // PostGIS (ST_AsGeoJSON) writes the CRS in each geometry.
    for (const [name, one] of [
      ['each.geojson', { ...feature, geometry }],
      ['feature.geojson', { ...feature, crs }],
    ] as const) {
      await bench.put(name, JSON.stringify({ type: 'FeatureCollection', features: [one] }));
      await bench.put(`${name}l`, JSON.stringify(one));
      for (const each of [name, `${name}l`]) {
        expect((await read(each)).found).toMatchObject([
          { problem: expect.stringContaining('crs is "urn:ogc:def:crs:EPSG::4146"') },
        ]);
      }
    }
  });
});

it.each(['in.gpkg', 'in.zip'])(
  'boundaries in %s without a CRS are read as WGS 84, and this is reported',
  async (name) => {
    if (name === 'in.zip') {
      const members = { shp: shp(SAMPLES), dbf: dbf(SAMPLES) };
      await bench.put(name, zip(Object.entries(members).map(([end, content]) => ({ name: `in.${end}`, content }))));
    } else writeGpkg(join(bench.dir, name), SAMPLES, { srs: 0 });
    const { found, repaired } = await read(name);
    expect(found).toMatchObject([{ row: 1, geometry: {} }]);
    expect(repaired).toMatchObject([{ row: 1, repair: expect.stringContaining('names no CRS') }]);
  },
);

describe('a GeoPackage with heights', () => {
  it('is recognised by its code, EPSG:4979', async () => {
    gpkg('undefined', { organization: 'EPSG', code: 4979 });
    expect((await read('in.gpkg')).found).toMatchObject([{ geometry: { type: 'Polygon' } }]);
  });

  it('is recognised by its definition in WKT 2, which GDAL writes if WKT 1 cannot express a CRS', async () => {
    const wgs84 =
      'GEODCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],CS[ellipsoidal,2],AXIS["geodetic latitude (Lat)",north,ORDER[1],ANGLEUNIT["degree",0.0174532925199433]],AXIS["geodetic longitude (Lon)",east,ORDER[2],ANGLEUNIT["degree",0.0174532925199433]]]';
    const wkt2 = `COMPOUNDCRS["WGS 84 + EGM96 height",${wgs84},VERTCRS["EGM96 height",VDATUM["EGM96 geoid"],CS[vertical,1],AXIS["gravity-related height (H)",up,LENGTHUNIT["metre",1]]],AREA["${'World. '.repeat(700)}"],ID["EPSG",9707]]`;
    gpkg('undefined', {
      organization: 'EPSG',
      code: 9707,
      more: `alter table gpkg_spatial_ref_sys add column definition_12_063 text; update gpkg_spatial_ref_sys set definition_12_063 = '${wkt2}' where srs_id = 7;`,
    });
    expect((await read('in.gpkg')).found).toMatchObject([{ geometry: { type: 'Polygon' } }]);
  });
});
