import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OgcApiEndpoint, WfsEndpoint, WmsEndpoint } from '@camptocamp/ogc-client';
import { openRaster } from '@headwater/raster';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Position } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findVenv, OWSLIB_JUDGE, PMTILES_JUDGE } from '../../scripts/peers.mjs';
import { sized } from '../../scripts/test-length.mjs';
import { type Color, colorDistance, polygonColor, rasterColor } from './colors.fixture.ts';
import { comparable, rounded, toXmlName } from './compare.fixture.ts';
import { storedRasters, type StoredRaster, type StyledLayer, VECTORS } from './every-layer.fixture.ts';
import { hasProgram, mapWorld, type MapWorld, positionsOf, titleOf, type WorldFeature } from './map-world.fixture.ts';

const hasGdal = hasProgram('ogrinfo');
const owslib = findVenv(OWSLIB_JUDGE);
const pmtiles = findVenv(PMTILES_JUDGE);
const WFS_VERSIONS = ['1.0.0', '1.1.0', '2.0.0'] as const;

let world: MapWorld;
let rasters: readonly StoredRaster[] = [];
beforeAll(async () => {
  rasters = await storedRasters();
  world = await mapWorld([...VECTORS, ...rasters]);
});
afterAll(() => world.close());

type Layer = StyledLayer | StoredRaster;
const idOf = ({ workspace, name }: Pick<Layer, 'workspace' | 'name'>): string => `${workspace}:${name}`;
const xmlIdOf = ({ workspace, name }: Pick<Layer, 'workspace' | 'name'>): string => `${workspace}:${toXmlName(name)}`;
/** Returns the layers that this run reads in a format: all in `npm run test:long`, otherwise a third of them. */
const chosen = <T>(layers: readonly T[], form: number): readonly T[] =>
  layers.filter((_layer, at) => (at + form) % sized(3, 1) === 0);

/** True for a name without characters to escape. GDAL's drivers of WCS and OGC API Features do not escape names. */
const isPlain = ({ name }: Layer): boolean => /^[\w-]+$/.test(name);

const withoutIds = (features: readonly WorldFeature[]): readonly unknown[] =>
  features.map(({ geometry, properties }) => ({ geometry, properties }));

async function wrongColors(
  layer: Layer,
  picture: Uint8Array,
  [west, south, east, north] = layer.box,
): Promise<readonly unknown[]> {
  const image = await loadImage(picture);
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const margin = (2 * (east - west)) / width;
  return Array.from({ length: 500 }, (_, i) => [(37 * i) % width, Math.floor((37 * i) / width)]).flatMap(
    ([col = 0, row = 0]) => {
      const place: Position = [
        west + ((col + 0.5) * (east - west)) / width,
        north - ((row + 0.5) * (north - south)) / height,
      ];
      const expected = 'bands' in layer ? rasterColor(layer, place, 2) : polygonColor(layer, place, margin);
      const [r = 0, g = 0, b = 0, a = 0] = data.subarray(4 * (row * width + col));
      const drawn: Color = [r, g, b, a];
      return expected === undefined || colorDistance(drawn, expected) <= 1 ? [] : [{ place, drawn, expected }];
    },
  );
}

const areaLayers = (): readonly Layer[] => [...rasters, ...VECTORS.filter(({ style }) => style.geometry === 'polygon')];

describe.skipIf(!hasGdal)('GDAL', () => {
  it.each(WFS_VERSIONS)('reads the features of layers by WFS %s', async (version) => {
    for (const layer of chosen(VECTORS, WFS_VERSIONS.indexOf(version))) {
      const read = await world.read(`WFS:${world.url}/wfs?version=${version}`, xmlIdOf(layer));
      expect([idOf(layer), comparable(read)]).toEqual([idOf(layer), comparable(layer.features)]);
    }
  });

  it('reads the features of layers by OGC API Features', async () => {
    for (const layer of chosen(VECTORS, 0)) {
      if (!isPlain(layer)) continue;
      const read = await world.read(`OAPIF:${world.url}/ogc/features/v1`, idOf(layer));
      expect([idOf(layer), comparable(read)]).toEqual([idOf(layer), comparable(layer.features)]);
    }
  });

  it('reads the columns and positions of features from vector tiles', async () => {
    for (const layer of chosen(VECTORS, 1)) {
      if (layer.features.length === 0) continue;
      const address = `${world.url}/tiles/${layer.workspace}/${encodeURIComponent(layer.name)}`;
      const metadata = join(world.folder, 'tiles.json');
      writeFileSync(metadata, await (await fetch(`${address}.json`)).text());
      const zoom = layer.name === 'wide' ? 8 : 10;
      const metres = ([west, south, east, north]: Layer['box']): readonly string[] =>
        [mercator([west - 0.01, south - 0.01]), mercator([east + 0.01, north + 0.01])].flat().map(String);
      const options = ['-oo', `METADATA_FILE=${metadata}`, '-oo', 'TILE_EXTENSION=mvt', '-t_srs', 'EPSG:4326'];
      const read = await world.read(`MVT:${address}/${zoom}`, undefined, ...options, '-spat', ...metres(layer.box));
      const boxes = new Map<unknown, { readonly properties: unknown; readonly positions: readonly Position[] }>();
      for (const [at, { properties }] of comparable(read).entries()) {
        const positions = [...(boxes.get(properties['uid'])?.positions ?? []), ...positionsIn(read[at])];
        boxes.set(properties['uid'], { properties, positions });
      }
      const stored = layer.features.filter(({ geometry }) => geometry !== null);
      expect([idOf(layer), boxes.size]).toEqual([idOf(layer), stored.length]);
      for (const [at, { properties }] of comparable(stored).entries()) {
        const found = boxes.get(properties['uid']);
        expect([idOf(layer), found?.properties]).toEqual([idOf(layer), properties]);
        const [own, other] = [extentOf(positionsIn(stored[at])), extentOf(found?.positions ?? [])];
        // The edges of the boxes may differ by one of the 4096 coordinates of a tile.
        for (const [side, value] of own.entries())
          expect(Math.abs(value - (other[side] ?? 0))).toBeLessThan(360 / 2 ** zoom / 4096);
      }
    }
  });

  it.each(['1.0.0', '2.0.1'])('reads the samples of coverages by WCS %s', async (version) => {
    for (const layer of chosen(rasters, version === '1.0.0' ? 0 : 1)) {
      if (!isPlain(layer)) continue;
      const id = version === '1.0.0' ? idOf(layer) : `${layer.workspace}__${layer.name}`;
      const path = join(world.folder, 'coverage.raw');
      const source = `WCS:${world.url}/wcs?SERVICE=WCS&VERSION=${version}&coverage=${id}`;
      await world.run('gdal_translate', '-q', '-of', 'ENVI', source, path);
      const stored = Buffer.concat(layer.bands.map(({ buffer }) => Buffer.from(buffer)));
      expect([idOf(layer), readFileSync(path).equals(stored)]).toEqual([idOf(layer), true]);
    }
  });

  it('draws layers by WMS in the colours of their styles', async () => {
    const report = await world.run(
      'gdalinfo',
      `WMS:${world.url}/wms?service=WMS&version=1.1.1&request=GetCapabilities&FORMAT=image/png`,
    );
    const names = [...report.matchAll(/SUBDATASET_\d+_NAME=(.*)/g)].map(([, name = '']) => name);
    for (const layer of chosen(areaLayers(), 2)) {
      const name = names.find((each) => each.includes(`LAYERS=${encodeURIComponent(idOf(layer))}&`)) ?? 'missing';
      const path = join(world.folder, 'map.png');
      const [west, south, east, north] = layer.box;
      const box = ['-projwin', west, north, east, south].map(String);
      const size = ['-outsize', '512', String(Math.round((512 * (north - south)) / (east - west)))];
      await world.run(
        'gdal_translate',
        '-q',
        '-of',
        'PNG',
        '-r',
        'near',
        '-b',
        '1',
        '-b',
        '2',
        '-b',
        '3',
        ...box,
        ...size,
        name,
        path,
      );
      // The driver reads maps without transparency, so only opaque points are compared.
      const wrong = (await wrongColors(layer, readFileSync(path))) as readonly { readonly expected: Color }[];
      expect([idOf(layer), wrong.filter(({ expected }) => expected[3] === 255).slice(0, 3)]).toEqual([idOf(layer), []]);
    }
  });
});

const EARTH = 6_378_137;
const mercator = ([lon = 0, lat = 0]: Position): Position => [
  (lon * Math.PI * EARTH) / 180,
  EARTH * Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)),
];
const positionsIn = (feature: WorldFeature | undefined): readonly Position[] =>
  feature?.geometry === null || feature === undefined ? [] : positionsOf(feature.geometry);
const extentOf = (positions: readonly Position[]): readonly number[] =>
  [0, 1].flatMap((axis) => [Math.min, Math.max].map((pick) => pick(...positions.map((each) => each[axis] ?? 0))));

const OWSLIB = `
import base64, json, sys
from owslib.wfs import WebFeatureService
from owslib.wcs import WebCoverageService
from owslib.wms import WebMapService
from owslib.ogcapi.features import Features
url, tasks = sys.argv[1], json.loads(sys.argv[2])
found = {'wfs': {}, 'features': {}, 'coverages': {}, 'parts': {}, 'maps': {}}
encoded = lambda data: base64.b64encode(data).decode()
for version in ('1.0.0', '1.1.0', '2.0.0'):
    wfs = WebFeatureService(url + '/wfs', version=version)
    for name in tasks['vectors']:
        features = json.loads(wfs.getfeature(typename=[name], outputFormat='application/json').read())['features']
        found['wfs'][version + ' ' + name] = [wfs[name].title, wfs.get_schema(name)['properties'], features]
api = Features(url + '/ogc/features/v1')
for name in tasks['collections']:
    found['features'][name] = api.collection_items(name, limit=1000)['features']
wcs = WebCoverageService(url + '/wcs', version='1.0.0')
for name, box, size, crs in tasks['coverages']:
    data = wcs.getCoverage(identifier=name, bbox=box, crs=crs, format='GeoTIFF', width=size[0], height=size[1]).read()
    found['coverages'][name] = encoded(data)
wcs = WebCoverageService(url + '/wcs', version='2.0.1')
for name, axis, low, high in tasks['parts']:
    data = wcs.getCoverage(identifier=name, format='image/tiff', subsets=[(axis, low, high)]).read()
    found['parts'][name] = encoded(data)
for version in ('1.1.1', '1.3.0'):
    wms = WebMapService(url + '/wms', version=version)
    for name, box in tasks['maps']:
        image = wms.getmap(layers=[name], styles=[''], srs='EPSG:4326', bbox=box, size=(320, 240), format='image/png', transparent=True)
        found['maps'][version + ' ' + name] = encoded(image.read())
print(json.dumps(found))
`;

interface OwslibResults {
  readonly wfs: Readonly<
    Record<
      string,
      readonly [title: string, columns: Readonly<Record<string, string>>, features: readonly WorldFeature[]]
    >
  >;
  readonly features: Readonly<Record<string, readonly WorldFeature[]>>;
  readonly coverages: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, string>>;
  readonly maps: Readonly<Record<string, string>>;
}

const XSD = { string: 'string', integer: 'long', number: 'double', boolean: 'boolean' } as const;

async function samplesOf(base64: string): Promise<Float64Array> {
  const path = join(world.folder, 'owslib.tif');
  writeFileSync(path, Buffer.from(base64, 'base64'));
  const raster = await openRaster(path);
  const { cols, rows } = raster.grid;
  const samples = new Float64Array(cols * rows);
  await raster.readWindow({ col: 0, row: 0, cols, rows }, samples);
  raster.close();
  return samples;
}

it.skipIf('reason' in owslib)('OWSLib reads features, coverages and maps of every layer', async () => {
  const tasks = {
    vectors: VECTORS.map(xmlIdOf),
    collections: VECTORS.map(idOf),
    coverages: rasters.map((layer) => {
      const { crs, west, north, cols, rows, pixelWidth, pixelHeight } = layer.grid;
      const box = [west, north - rows * pixelHeight, west + cols * pixelWidth, north];
      return [idOf(layer), box, [cols, rows], crs];
    }),
    parts: rasters.map((layer) => {
      const { crs, west, cols, pixelWidth } = layer.grid;
      return [idOf(layer), crs === 'EPSG:4326' ? 'Long' : 'E', west, west + (cols / 2) * pixelWidth];
    }),
    maps: areaLayers().map((layer) => [idOf(layer), layer.box]),
  };
  const python = 'python' in owslib ? owslib.python : '';
  const read = JSON.parse(await world.run(python, '-c', OWSLIB, world.url, JSON.stringify(tasks))) as OwslibResults;
  for (const layer of VECTORS) {
    const columns = Object.fromEntries(layer.columns.map(({ name, type }) => [toXmlName(name), XSD[type]]));
    const stored = withoutIds(layer.features);
    for (const version of WFS_VERSIONS) {
      const key = `${version} ${xmlIdOf(layer)}`;
      // OWSLib does not know curves (a type of geometry), so it lists the column `geom` of such layers as a value.
      const [title, { geom: _curve, ...schema } = {}, features = []] = read.wfs[key] ?? [];
      expect([key, title, schema, withoutIds(features)]).toEqual([key, titleOf(layer), columns, stored]);
    }
    expect([idOf(layer), withoutIds(read.features[idOf(layer)] ?? [])]).toEqual([idOf(layer), stored]);
  }
  for (const layer of rasters) {
    const { cols } = layer.grid;
    const samples = Float64Array.from(layer.bands[0] ?? []);
    const west = samples.filter((_sample, at) => at % cols < cols / 2);
    const whole = await samplesOf(read.coverages[idOf(layer)] ?? '');
    const half = await samplesOf(read.parts[idOf(layer)] ?? '');
    expect([idOf(layer), whole, half]).toEqual([idOf(layer), samples, west]);
  }
  for (const layer of areaLayers()) {
    for (const version of ['1.1.1', '1.3.0']) {
      const key = `${version} ${idOf(layer)}`;
      const wrong = await wrongColors(layer, Buffer.from(read.maps[key] ?? '', 'base64'));
      expect([key, wrong.slice(0, 3)]).toEqual([key, []]);
    }
  }
});

describe('@camptocamp/ogc-client', () => {
  it('reads title, columns, count and features of every layer by WFS', async () => {
    const endpoint = await new WfsEndpoint(`${world.url}/wfs`).isReady();
    for (const layer of VECTORS) {
      const id = xmlIdOf(layer);
      const full = await endpoint.getFeatureTypeFull(id);
      const types = { string: 'string', integer: 'integer', number: 'float', boolean: 'boolean' } as const;
      const columns = layer.columns.map(({ name, type }) => [toXmlName(name), types[type]]);
      expect([id, full.title, full.objectCount, full.properties]).toEqual([
        id,
        titleOf(layer),
        layer.features.length,
        Object.fromEntries(columns),
      ]);
      const url = endpoint.getFeatureUrl(id, { asJson: true });
      const { features } = (await (await fetch(url)).json()) as { readonly features: readonly WorldFeature[] };
      expect([id, withoutIds(features)]).toEqual([id, withoutIds(layer.features)]);
    }
  });

  it('reads the features of every layer by OGC API Features', async () => {
    const endpoint = new OgcApiEndpoint(`${world.url}/ogc/features/v1`);
    for (const layer of VECTORS) {
      const items = await endpoint.getCollectionItems(idOf(layer), 1000);
      const read = items.map(({ geometry, properties }) => ({ geometry, properties }));
      expect([idOf(layer), read]).toEqual([idOf(layer), withoutIds(layer.features)]);
    }
  });

  it('reads extent and style of every layer by WMS, and draws it in the colours of its style', async () => {
    const endpoint = await new WmsEndpoint(`${world.url}/wms`).isReady();
    for (const layer of areaLayers()) {
      const { title, boundingBoxes } = endpoint.getLayerByName(idOf(layer));
      // The client returns texts, although its types declare numbers.
      const sides = (boundingBoxes['CRS:84'] ?? []).join().split(',');
      const box = sides.map((side) => rounded('', Number(side)));
      expect([title, box]).toEqual([titleOf(layer), layer.box.map((side) => rounded('', side))]);
      const extent: [number, number, number, number] = [...layer.box];
      const options = { widthPx: 320, heightPx: 240, crs: 'CRS:84', extent, outputFormat: 'image/png' };
      const url = new URL(endpoint.getMapUrl([idOf(layer)], options));
      url.searchParams.set('transparent', 'true');
      const picture = await (await fetch(url)).bytes();
      expect([idOf(layer), (await wrongColors(layer, picture)).slice(0, 3)]).toEqual([idOf(layer), []]);
    }
  });
});

const PMTILES = `
import gzip, json, sys, urllib.request
from pmtiles.reader import Reader, all_tiles
found = []
for url in sys.argv[1:]:
    data = urllib.request.urlopen(url + '.pmtiles').read()
    get = lambda offset, length: data[offset:offset + length]
    header, metadata = Reader(get).header(), Reader(get).metadata()
    same = 0
    for (z, x, y), tile in all_tiles(get):
        if z <= 9:
            assert urllib.request.urlopen(f'{url}/{z}/{x}/{y}.mvt').read() == gzip.decompress(tile), (url, z, x, y)
        same += 1
    found.append([same == header['addressed_tiles_count'], same > 10, metadata['vector_layers'][0]['fields']])
print(json.dumps(found))
`;

it.skipIf('reason' in pmtiles)("PyPI's pmtiles reads the tiles of every layer", async () => {
  const python = 'python' in pmtiles ? pmtiles.python : '';
  const addresses = VECTORS.map(({ workspace, name }) => `${world.url}/tiles/${workspace}/${encodeURIComponent(name)}`);
  const types = { string: 'String', integer: 'Number', number: 'Number', boolean: 'Boolean' } as const;
  expect(JSON.parse(await world.run(python, '-c', PMTILES, ...addresses))).toEqual(
    VECTORS.map(({ columns, features }) => [
      true,
      features.length > 0,
      Object.fromEntries(columns.map(({ name, type }) => [name, types[type]])),
    ]),
  );
});
