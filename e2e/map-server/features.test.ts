import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OgcApiEndpoint } from '@camptocamp/ogc-client';
import type { Geometry } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findVenv, OWSLIB_JUDGE, PMTILES_JUDGE } from '../../scripts/peers.mjs';
import { hasProgram, type MapWorld, type WorldFeature } from './map-world.fixture.ts';
import { wfsWorld } from './wfs-world.fixture.ts';

const hasGdal = hasProgram('ogrinfo');
const owslib = findVenv(OWSLIB_JUDGE);
const pmtiles = findVenv(PMTILES_JUDGE);
/** The 13th micro-watershed has two parts, and the last has no geometry. */
const areas: readonly WorldFeature[] = Array.from({ length: 25 }, (_, at) => ({
  type: 'Feature',
  geometry: areaAt(at),
  properties: {
    uid: `12_${100 + at}`,
    name: at % 2 === 0 ? `जल ${at} & <"x">` : null,
    area_in_ha: 500 + at / 8,
    count: at === 20 ? 5_000_000_000 : at,
    is_wet: at % 3 === 0,
    '2021-07-01': at === 0 ? null : at / 4,
  },
}));

function areaAt(at: number): Geometry | null {
  if (at === 24) return null;
  const west = 85 + at / 64;
  const ring = (left: number, south: number, side: number): number[][] => [
    [left, south],
    [left + side, south],
    [left + side, south + side],
    [left, south + side],
    [left, south],
  ];
  const polygon = [ring(west, 24.5, 1 / 128), ring(west + 1 / 512, 24.501_953_125, 1 / 512).toReversed()];
  return at === 12
    ? { type: 'MultiPolygon', coordinates: [polygon, [ring(west, 24.6, 1 / 128)]] }
    : { type: 'Polygon', coordinates: polygon };
}

const wells: readonly WorldFeature[] = Array.from({ length: 12 }, (_, at) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [85 + at / 128, 24.5 + at / 1024] },
  properties: { depth: at * 1.5, kind: at % 2 === 0 ? 'open' : 'bore' },
}));

const STORED: Readonly<Record<'areas' | 'wells', readonly WorldFeature[]>> = { areas, wells };

let world: MapWorld;
let api = '';
beforeAll(async () => {
  world = await wfsWorld(STORED);
  api = `${world.url}/ogc/features/v1`;
});
afterAll(() => world.close());

describe.skipIf(!hasGdal)("GDAL's OAPIF driver", () => {
  it.each(['areas', 'wells'] as const)('reads %s in pages, equal to the stored features', async (name) => {
    const read = await world.read(`OAPIF:${api}`, `field:${name}`);
    expect(read.map(({ geometry, properties }) => ({ geometry, properties }))).toEqual(
      STORED[name].map(({ geometry, properties }, at) => ({
        geometry,
        properties: { id: `${name}.${at + 1}`, ...properties },
      })),
    );
  });

  it('takes the types of columns from the schema', async () => {
    const report = await world.run('ogrinfo', '-ro', '-so', `OAPIF:${api}`, 'field:areas');
    expect(report).toMatch(/^area_in_ha: Real /m);
    expect(report).toMatch(/^is_wet: Integer\(Boolean\)/m);
    // GDAL chooses column types before it reads the third page with the large number.
    expect(report).toMatch(/^count: Real /m);
    expect(report).toContain('Feature Count: 25');
  });

  it('selects by box and by column', async () => {
    const read = await world.read(
      `OAPIF:${api}`,
      'field:areas',
      '-spat',
      '85.05',
      '24.5',
      '85.1',
      '24.51',
      '-where',
      'is_wet = 1',
    );
    expect(read.map(({ properties }) => properties?.['uid'])).toEqual(['12_103', '12_106']);
  });
});

describe.skipIf(!hasGdal)("GDAL's MVT driver", () => {
  it('reads a tile of a layer, with the columns of the layer', async () => {
    const metadata = join(world.folder, 'wells.json');
    writeFileSync(metadata, await (await fetch(`${world.url}/tiles/field/wells.json`)).text());
    const tile = `MVT:${world.url}/tiles/field/wells/8/188/110`;
    const found = await world.read(
      `${tile}.mvt`,
      undefined,
      '-oo',
      'X=188',
      '-oo',
      'Y=110',
      '-oo',
      'Z=8',
      '-oo',
      `METADATA_FILE=${metadata}`,
      '-t_srs',
      'EPSG:4326',
    );
    expect(found.map(({ properties }) => properties)).toEqual(
      STORED.wells.map(({ properties }, at) => ({ mvt_id: at + 1, ...properties })),
    );
    for (const [at, { geometry }] of found.entries()) {
      const [read, stored] = [geometry, STORED.wells[at]!.geometry];
      if (read?.type !== 'Point' || stored?.type !== 'Point') throw new Error('a well is no point');
      // Positions may differ by one of the 4096 coordinates of a tile (1.4 degrees).
      for (const axis of [0, 1])
        expect(Math.abs(read.coordinates[axis]! - stored.coordinates[axis]!)).toBeLessThan(0.000_36);
    }
  });

  it('reads a layer at one zoom level', async () => {
    const metadata = join(world.folder, 'areas.json');
    writeFileSync(metadata, await (await fetch(`${world.url}/tiles/field/areas.json`)).text());
    const options = ['-oo', `METADATA_FILE=${metadata}`, '-oo', 'TILE_EXTENSION=mvt'];
    const box = ['-spat', '9400000', '2800000', '9600000', '2900000'];
    const found = await world.read(`MVT:${world.url}/tiles/field/areas/9`, undefined, ...options, ...box);
    const expected = STORED.areas.flatMap(({ geometry, properties }) =>
      geometry === null ? [] : [properties?.['uid']],
    );
    expect(new Set(found.map(({ properties }) => properties['uid']))).toEqual(new Set(expected));
  });

  it('reads an MBTiles file', async () => {
    const path = join(world.folder, 'areas.mbtiles');
    writeFileSync(path, await (await fetch(`${world.url}/tiles/field/areas.mbtiles`)).bytes());
    const report = await world.run('ogrinfo', '-ro', '-al', path);
    const uids = new Set(report.match(/12_1\d\d/g));
    expect(uids).toEqual(
      new Set(STORED.areas.filter(({ geometry }) => geometry !== null).map(({ properties }) => properties?.['uid'])),
    );
  });
});

describe.skipIf('reason' in pmtiles)("PyPI's pmtiles", () => {
  it('reads the PMTiles file by Range requests; its tiles equal the tiles at their own addresses', async () => {
    const script = `
import gzip, json, sys, urllib.request
from pmtiles.reader import Reader, all_tiles
url = sys.argv[1]
asked = []
def get_bytes(offset, length):
    asked.append(length)
    request = urllib.request.Request(url + '.pmtiles', headers={'Range': f'bytes={offset}-{offset + length - 1}'})
    with urllib.request.urlopen(request) as response:
        assert response.status == 206, response.status
        return response.read()
reader = Reader(get_bytes)
header, metadata = reader.header(), reader.metadata()
same = 0
for (z, x, y), data in all_tiles(get_bytes):
    assert reader.get(z, x, y) == data
    with urllib.request.urlopen(f'{url}/{z}/{x}/{y}.mvt') as response:
        assert response.read() == gzip.decompress(data), (z, x, y)
    same += 1
    if z > 10: break
assert reader.get(3, 0, 0) is None
print(json.dumps({'same': same, 'count': header['addressed_tiles_count'], 'zoom': header['max_zoom'], 'fields': metadata['vector_layers'][0]['fields']}))
`;
    const python = 'python' in pmtiles ? pmtiles.python : '';
    const report: unknown = JSON.parse(await world.run(python, '-c', script, `${world.url}/tiles/field/areas`));
    expect(report).toMatchObject({ zoom: 14, fields: { uid: 'String', area_in_ha: 'Number', is_wet: 'Boolean' } });
    expect(report).toHaveProperty(
      'same',
      expect.toSatisfy((same: number) => same > 10),
    );
  });
});

describe.skipIf('reason' in owslib)('OWSLib', () => {
  it('reads collections, queryables and features', async () => {
    const script = `
import json, sys
from owslib.ogcapi.features import Features
api = Features(sys.argv[1])
assert 'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core' in api.conformance()['conformsTo']
assert 'openapi' in api.api()
assert {'field:areas', 'field:wells'} <= set(api.feature_collections())
assert 'uid' in api.collection_queryables('field:areas')['properties']
page = api.collection_items('field:areas', limit=4, offset=3)
found = api.collection_items('field:areas', filter="uid = '12_107' OR count > 1000", limit=100)
box = api.collection_items('field:areas', bbox=[85.05, 24.5, 85.1, 24.51], limit=100)
one = api.collection_item('field:areas', 'areas.13')
print(json.dumps({'page': page['features'], 'matched': page['numberMatched'], 'found': [f['id'] for f in found['features']], 'box': len(box['features']), 'one': one['geometry']}))
`;
    const python = 'python' in owslib ? owslib.python : '';
    const read: unknown = JSON.parse(await world.run(python, '-c', script, api));
    expect(read).toEqual({
      page: STORED.areas.slice(3, 7).map((feature, at) => ({ ...feature, id: `areas.${at + 4}` })),
      matched: 25,
      found: ['areas.8', 'areas.21'],
      box: 4,
      one: STORED.areas[12]!.geometry,
    });
  });
});

describe('@camptocamp/ogc-client', () => {
  it('reads collections, their columns and features', async () => {
    const endpoint = new OgcApiEndpoint(api);
    expect(await endpoint.hasFeatures).toBe(true);
    expect(await endpoint.featureCollections).toEqual(expect.arrayContaining(['field:areas', 'field:wells']));
    expect(await endpoint.getCollectionInfo('field:areas')).toMatchObject({
      title: 'Layer <areas>',
      itemFormats: expect.arrayContaining(['application/geo+json']),
      bulkDownloadLinks: {},
    });
    const items = await endpoint.getCollectionItems('field:areas', 5, 10);
    expect(items.map(({ id, geometry, properties }) => ({ id, geometry, properties }))).toEqual(
      STORED.areas
        .slice(10, 15)
        .map(({ geometry, properties }, at) => ({ id: `areas.${at + 11}`, geometry, properties })),
    );
    expect(await endpoint.getCollectionItem('field:wells', 'wells.2')).toMatchObject({
      properties: STORED.wells[1]!.properties,
    });
  });

  it('finds the vector tiles', async () => {
    const endpoint = new OgcApiEndpoint(`${world.url}/ogc/tiles/v1`);
    expect(await endpoint.vectorTileCollections).toEqual(expect.arrayContaining(['field:areas', 'field:wells']));
  });
});
