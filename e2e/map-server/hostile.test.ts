import { afterAll, beforeAll, expect, it } from 'vitest';
import { mapWorld, type MapWorld } from './map-world.fixture.ts';
import { wfsWorld } from './wfs-world.fixture.ts';

let world: MapWorld;
beforeAll(async () => {
  world = await wfsWorld();
});
afterAll(() => world.close());

const names = (count: number): string => Array.from({ length: count }, (_, at) => `field:l${at}`).join(',');
const features = (more: Readonly<Record<string, string>>): string => {
  const query = { service: 'WFS', version: '2.0.0', request: 'GetFeature', typeNames: 'field:wells', ...more };
  return `/wfs?${new URLSearchParams(query).toString()}`;
};
const filter = (text: string): string => features({ FILTER: text });
const cql = (text: string): string => features({ CQL_FILTER: text });
const map = (more: Readonly<Record<string, string>>): string => {
  const query = {
    layers: 'field:wells',
    styles: '',
    srs: 'EPSG:4326',
    bbox: '85,24,86,25',
    width: '256',
    height: '256',
  };
  const all = { service: 'WMS', version: '1.1.1', request: 'GetMap', format: 'image/png', ...query, ...more };
  return `/wms?${new URLSearchParams(all).toString()}`;
};

/** Requests by what they try. */
const HOSTILE: Readonly<Record<string, string>> = {
  'SQL in a filter': cql("uid = 'x'; DROP TABLE headwater.layers; --'"),
  'a condition that is always true': cql("uid = 'x' OR 1=1"),
  'a function in a filter': cql("strReplace(uid, '1', '2', true) = 'a'"),
  'SQL in the order': features({ sortBy: 'uid; SELECT pg_sleep(10)' }),
  'a path as a column': features({ propertyName: "//*[local-name()='password']" }),
  'a path in an XML filter': filter(
    '<Filter><PropertyIsEqualTo><PropertyName>exec(java.lang.Runtime.getRuntime(),"id")</PropertyName><Literal>1</Literal></PropertyIsEqualTo></Filter>',
  ),
  'an external entity': filter(
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Filter><FeatureId fid="&x;"/></Filter>',
  ),
  'entities that grow': filter(
    '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><Filter><FeatureId fid="&b;"/></Filter>',
  ),
  'a deep XML filter': filter(`<Filter>${'<Not>'.repeat(400)}`),
  'a deep filter': cql(`${'NOT '.repeat(300)}count = 1`),
  'many conditions': cql(
    Array.from({ length: 140 }, (_, at) => `count = ${at}`)
      .join(' AND NOT ')
      .repeat(2),
  ),
  'many shapes': cql(Array.from({ length: 30 }, () => 'DWITHIN(geom, SRID=4326;POINT(85 24), 1, meters)').join(' OR ')),
  'a huge box': features({ bbox: '-1e308,-1e308,1e308,1e308' }),
  'a box of no numbers': features({ bbox: 'NaN,NaN,Infinity,0' }),
  'many layers': features({ typeNames: names(500) }),
  '10,000 layers': features({ typeNames: names(10_000) }),
  'many layers to describe': `/wfs?request=DescribeFeatureType&typeNames=${names(500)}`,
  'a prototype as a layer': features({ typeNames: 'field:__proto__' }),
  'a prototype as a service': '/ows?service=__proto__&request=constructor',
  'a path as a workspace': '/..%2f..%2fetc%2fpasswd/wfs?request=GetCapabilities',
  'a file as a style': '/styles/field/..%2f..%2f..%2fetc%2fpasswd.sld',
  'an unknown parameter of GeoServer': features({ viewparams: 'a:1', env: 'x:1' }),
  'a style of elsewhere': map({ sld: 'http://169.254.169.254/latest/meta-data' }),
  'a style in the request': map({ sld_body: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>' }),
  'a huge map': map({ width: '100000', height: '100000' }),
  '10,000 layers on a map': map({ layers: names(10_000) }),
  'a tile outside of the grid': '/tiles/field/wells/3/9/99.pbf',
  'a tile of a huge zoom': '/tiles/field/wells/99999999/0/0.pbf',
  'a deep filter of the Features API': `/ogc/features/v1/collections/field:wells/items?filter=${'NOT('.repeat(200)}count=1${')'.repeat(200)}`,
};

it.each(Object.entries(HOSTILE))('%s gets a 4xx within two seconds', async (_name, path) => {
  const started = performance.now();
  // A request above the limit of the server may get a closed connection instead of a response.
  const status = await fetch(world.url + path).then(
    async (answer) => {
      expect(await answer.text()).not.toMatch(/root:x:0|at \w+ \(|\.ts:\d/);
      return answer.status;
    },
    () => 'closed',
  );
  expect([400, 404, 414, 431, 'closed']).toContain(status);
  expect(performance.now() - started).toBeLessThan(2000);
});

it('a layer whose stored file cannot be drawn is a failure that does not reveal its path', async () => {
  const layer = { workspace: 'lulc', name: 'broken', box: [85, 24, 86, 25] } as const;
  const broken = await mapWorld([{ ...layer, tif: Buffer.from('II*\0 this is no raster') }]);
  const query = { layers: 'lulc:broken', query_layers: 'lulc:broken', x: '1', y: '1', request: 'GetFeatureInfo' };
  const paths = [
    map({ layers: 'lulc:broken' }),
    map(query),
    '/tiles/lulc/broken/3/5/3.png',
    '/wcs?service=WCS&version=2.0.1&request=DescribeCoverage&coverageId=lulc__broken',
    '/wcs?service=WCS&version=1.0.0&request=DescribeCoverage&coverage=lulc:broken',
  ];
  for (const path of paths) {
    const response = await fetch(broken.url + path);
    expect([path, response.status]).toEqual([path, 500]);
    expect(await response.text()).not.toContain(broken.folder);
  }
  await broken.close();
});

it('the server still answers, and has not kept memory', async () => {
  const before = process.memoryUsage().rss;
  for (const path of Object.values(HOSTILE))
    await fetch(world.url + path).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
  expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(400);
  // The same requests without their hostile parts are answered.
  const fair = [features({ count: '1' }), map({}), '/tiles/field/wells/3/5/3.pbf'];
  for (const path of fair) expect([path, (await fetch(world.url + path)).status]).toEqual([path, 200]);
});
