import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Geometry } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findVenv, OWSLIB_JUDGE } from '../../scripts/peers.mjs';
import { comparable, rounded } from './compare.fixture.ts';
import { hasProgram, type MapWorld, type WorldFeature } from './map-world.fixture.ts';
import { wfsWorld, WORLD } from './wfs-world.fixture.ts';

const hasGdal = hasProgram('ogrinfo');
const owslib = findVenv(OWSLIB_JUDGE);

let world: MapWorld;
beforeAll(async () => {
  world = await wfsWorld();
});
afterAll(() => world.close());

const VERSIONS = ['1.0.0', '1.1.0', '2.0.0'] as const;
const NAMES = Object.keys(WORLD);

/** Rings with sorted positions, because Shapefiles list the positions of a ring in the opposite direction. */
function ringsOf(geometry: Geometry | null): unknown {
  if (geometry?.type !== 'Polygon' && geometry?.type !== 'MultiPolygon') return undefined;
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons.map((rings) =>
    rings.map((ring) => ring.map((position) => JSON.stringify(position, rounded)).toSorted()),
  );
}

/** Features without empty texts, which GDAL may omit. */
const comparableTexts = (features: readonly WorldFeature[]): readonly unknown[] =>
  comparable(
    features.map((feature) => ({
      ...feature,
      properties: Object.fromEntries(Object.entries(feature.properties).filter(([, value]) => value !== '')),
    })),
  );

describe.skipIf(!hasGdal)("GDAL's WFS driver", () => {
  const source = (version: string): string => `WFS:${world.url}/field/wfs?version=${version}`;

  it.each(VERSIONS)('with WFS %s lists the layers', async (version) => {
    const report = await world.run('ogrinfo', '-ro', source(version));
    for (const name of NAMES) expect(report).toContain(`field:${name}`);
  });

  it.each(VERSIONS.flatMap((version) => NAMES.map((name) => [version, name] as const)))(
    'with WFS %s reads every value and position of %s',
    async (version, name) => {
      const read = await world.read(source(version), `field:${name}`);
      expect(comparableTexts(read)).toEqual(comparableTexts(WORLD[name] ?? []));
    },
  );

  it.each(VERSIONS)('with WFS %s counts features without reading them', async (version) => {
    const report = await world.run('ogrinfo', '-ro', '-so', source(version), 'field:wells');
    expect(report).toContain('Feature Count: 230');
    expect(report).toMatch(/_x0032_021-07-01: Integer/);
    expect(report).toMatch(/wet: Integer\(Boolean\)/);
  });

  const FILTERS = [
    ["uid = '12_7'", ({ uid }: WorldFeature['properties']) => uid === '12_7'],
    [
      'count > 20 AND count <= 40',
      ({ count }: WorldFeature['properties']) => Number(count) > 20 && Number(count) <= 40,
    ],
    [
      "text LIKE 'it%' OR count = 3",
      ({ text, count }: WorldFeature['properties']) => String(text).startsWith('it') || count === 3,
    ],
    ['area_in_ha IS NULL', ({ area_in_ha: area }: WorldFeature['properties']) => area === null],
    ["NOT (text = '<b>&\"')", ({ text }: WorldFeature['properties']) => text !== null && text !== '<b>&"'],
    [
      '"_x0032_021-07-01" BETWEEN -50 AND -40',
      ({ '2021-07-01': value }: WorldFeature['properties']) => Number(value) <= -40,
    ],
    ["uid IN ('12_1', '12_200')", ({ uid }: WorldFeature['properties']) => uid === '12_1' || uid === '12_200'],
  ] as const;

  it.each(VERSIONS.flatMap((version) => FILTERS.map(([filter, isWanted]) => [version, filter, isWanted] as const)))(
    'with WFS %s filters by %s',
    async (version, filter, isWanted) => {
      const read = await world.read(source(version), 'field:wells', '-where', filter);
      const wanted = (WORLD['wells'] ?? []).filter(({ properties }) => isWanted(properties));
      expect(wanted.length).toBeGreaterThan(0);
      expect(read.map(({ properties }) => properties['uid'])).toEqual(
        wanted.map(({ properties }) => properties['uid']),
      );
    },
  );

  it.each(VERSIONS)('with WFS %s sends filters and boxes to the server', async (version) => {
    const before = world.requests.length;
    const box = ['-spat', '85.05', '24.05', '85.45', '24.35'];
    const read = await world.read(source(version), 'field:wells', ...box, '-where', 'count > 30');
    const wanted = (WORLD['wells'] ?? []).filter(({ geometry, properties }) => {
      const [x = 0, y = 0] = geometry?.type === 'Point' ? geometry.coordinates : [];
      return x >= 85.05 && x <= 85.45 && y >= 24.05 && y <= 24.35 && Number(properties['count']) > 30;
    });
    expect(read.map(({ properties }) => properties['uid'])).toEqual(wanted.map(({ properties }) => properties['uid']));
    const sent = world.requests.slice(before).filter((url) => /request=getfeature/i.test(url));
    expect(sent.some((url) => /[?&]FILTER=|[?&]BBOX=/i.test(url))).toBe(true);
  });

  it('with WFS 2.0.0 reads pages', async () => {
    const before = world.requests.length;
    const read = await world.read(
      source('2.0.0'),
      'field:streams',
      '-oo',
      'PAGE_SIZE=50',
      '--config',
      'OGR_WFS_PAGE_SIZE',
      '50',
    );
    expect(comparableTexts(read)).toEqual(comparableTexts(WORLD['streams'] ?? []));
    const pages = world.requests.slice(before).filter((url) => /[?&]STARTINDEX=/i.test(url));
    expect(pages.length).toBeGreaterThanOrEqual(4);
  });

  it.each([
    ['application/json', 'fields.json'],
    ['SHAPE-ZIP', 'fields.zip'],
  ])('reads every position of a download as %s', async (format, name) => {
    const query = 'service=WFS&version=2.0.0&request=GetFeature&typeNames=field:fields&sortBy=count';
    const answer = await fetch(`${world.url}/ows?${query}&outputFormat=${format}`);
    const path = join(world.folder, name);
    await writeFile(path, new Uint8Array(await answer.arrayBuffer()));
    const read = await world.read(name.endsWith('.zip') ? `/vsizip/${path}` : path);
    expect(read.map(({ geometry }) => ringsOf(geometry))).toEqual(
      WORLD['fields']?.map(({ geometry }) => ringsOf(geometry)),
    );
  });
});

const OWSLIB = `
import json, sys
from owslib.wfs import WebFeatureService
from owslib.fes import PropertyIsEqualTo
from owslib.etree import etree
url, version = sys.argv[1], sys.argv[2]
wfs = WebFeatureService(url + '/field/wfs', version=version)
layer = wfs['field:wells']
bbox = (85.05, 24.05, 85.45, 24.35)
names = ['field:wells']
found = json.loads(wfs.getfeature(typename=names, bbox=bbox, outputFormat='application/json').read())
named = json.loads(wfs.getfeature(typename=names, propertyname=['uid', 'count'], maxfeatures=3, outputFormat='application/json').read())
schema = wfs.get_schema('field:wells')
print(json.dumps({
  'contents': sorted(name for name in wfs.contents if name.startswith('field:')),
  'title': layer.title,
  'box': layer.boundingBoxWGS84,
  'operations': sorted(each.name for each in wfs.operations),
  'uids': [each['properties']['uid'] for each in found['features']],
  'named': [each['properties'] for each in named['features']],
  'geometry': schema['geometry'],
  'columns': schema['properties'],
}))
`;

it.skipIf('reason' in owslib).each(VERSIONS)(
  'OWSLib reads capabilities, schema and features of WFS %s',
  async (version) => {
    const read = JSON.parse(await world.run('python' in owslib ? owslib.python : '', '-c', OWSLIB, world.url, version));
    const inBox = (WORLD['wells'] ?? []).filter(({ geometry }) => {
      const [x = 0, y = 0] = geometry?.type === 'Point' ? geometry.coordinates : [];
      return x >= 85.05 && x <= 85.45 && y >= 24.05 && y <= 24.35;
    });
    expect(read).toMatchObject({
      contents: NAMES.map((name) => `field:${name}`).toSorted(),
      title: 'Layer <wells>',
      operations: expect.arrayContaining(['DescribeFeatureType', 'GetCapabilities', 'GetFeature']),
      uids: inBox.map(({ properties }) => properties['uid']),
      named: [0, 1, 2].map((count) => ({ uid: `12_${count}`, count })),
      geometry: 'Point',
      columns: { uid: 'string', '_x0032_021-07-01': 'long', wet: 'boolean' },
    });
  },
);

it('the layer at a WFS address as in an Item equals the stored file', async () => {
  const query = 'service=WFS&version=1.0.0&request=GetFeature&typeName=field:fields&outputFormat=application/json';
  const { features } = (await (await fetch(`${world.url}/field/ows?${query}`)).json()) as {
    features: readonly WorldFeature[];
  };
  expect(features.map(({ properties, geometry }) => ({ properties, geometry }))).toEqual(
    WORLD['fields']?.map(({ properties, geometry }) => ({ properties, geometry })),
  );
});

it('a WFS address as in an Item, but with an unknown layer, is refused in the requested format', async () => {
  const query = 'service=WFS&version=1.0.0&request=GetFeature&typeName=field:none&outputFormat=application/json';
  const response = await fetch(`${world.url}/field/ows?${query}`);
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'InvalidParameterValue' }]);
});
