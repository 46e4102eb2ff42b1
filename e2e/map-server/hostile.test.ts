import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mapWorld } from './map-world.fixture.ts';

// The server is a child process, so that its memory and processor time can be measured.
let server: ChildProcess;
let url = '';
beforeAll(async () => {
  const script = join(import.meta.dirname, 'hostile-server.ts');
  const child = spawn(process.execPath, ['--conditions=@headwater/source', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = child;
  const lines = createInterface(child.stdout);
  const [line]: unknown[] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  url = String(line);
}, 180_000);
afterAll(async () => {
  const ended = once(server, 'exit');
  if (server.kill()) await ended;
});

/** Resident memory of the server, MB; undefined on other systems than Linux. */
function memory(): { readonly now: number; readonly greatest: number } | undefined {
  if (process.platform !== 'linux') return undefined;
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1000;
  return { now: of('VmRSS'), greatest: of('VmHWM') };
}

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

const part = (more: string): string =>
  `/wcs?service=WCS&version=2.0.1&request=GetCoverage&coverageId=field__classes&format=image/geotiff&${more}`;
const GRAPHIC_OF_OTHER_HOST =
  '<StyledLayerDescriptor version="1.0.0"><NamedLayer><Name>field:wells</Name><UserStyle><FeatureTypeStyle><Rule><PointSymbolizer><Graphic><ExternalGraphic><OnlineResource href="http://169.254.169.254/a.png"/></ExternalGraphic></Graphic></PointSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>';

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
  'a style of another host': map({ sld: 'http://169.254.169.254/latest/meta-data' }),
  'a style in the request': map({ sld_body: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>' }),
  'a style with a graphic of another host': map({ sld_body: GRAPHIC_OF_OTHER_HOST }),
  'a wide map': map({ width: '2000000000', height: '1' }),
  'a high map': map({ width: '1', height: '1e9' }),
  'a map of a huge box': map({ bbox: '-1e999,-1e999,1e999,1e999' }),
  'a legend with a style of another host':
    '/wms?service=WMS&version=1.1.1&request=GetLegendGraphic&layer=field:wells&format=image/png&sld=http://169.254.169.254/a.sld',
  'a huge legend':
    '/wms?service=WMS&version=1.1.1&request=GetLegendGraphic&layer=field:wells&format=image/png&width=1000000&height=1000000',
  'a huge coverage': part('scaleSize=Long(1000000),Lat(1000000)'),
  'a coverage enlarged a million times': part('scaleFactor=1000000'),
  'a part outside of the coverage': part('subset=Long(-1e300,-1e299)&subset=Lat(0,1)'),
  'a picture of a tile outside of the grid': '/tiles/field/classes/3/9/99.png',
  'a picture of a tile of a huge zoom': '/tiles/field/classes/99999999/0/0@2x.png?size=512',
  'a tile between tiles': '/tiles/field/wells/3/1.5/-1.mvt',
  'a request of 100 kB': cql(`uid = '${'x'.repeat(100_000)}'`),
  'a huge map': map({ width: '100000', height: '100000' }),
  '10,000 layers on a map': map({ layers: names(10_000) }),
  'a tile outside of the grid': '/tiles/field/wells/3/9/99.pbf',
  'a tile of a huge zoom': '/tiles/field/wells/99999999/0/0.pbf',
  'a deep filter of the Features API': `/ogc/features/v1/collections/field:wells/items?filter=${'NOT('.repeat(200)}count=1${')'.repeat(200)}`,
};

it.each(Object.entries(HOSTILE))('%s gets a 4xx or a closed connection within two seconds', async (_name, path) => {
  const started = performance.now();
  // The server may close the connection of a request that exceeds a limit.
  const status = await fetch(url + path).then(
    async (answer) => {
      expect(await answer.text()).not.toMatch(/root:x:0|at \w+ \(|\.ts:\d/);
      return answer.status;
    },
    () => 'closed',
  );
  expect([400, 404, 414, 431, 'closed']).toContain(status);
  expect(performance.now() - started).toBeLessThan(2000);
});

it('if the stored file of a layer cannot be drawn, the error does not reveal the path of the file', async () => {
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

/** Valid requests of the same kinds as the hostile requests. */
const FAIR = [
  features({ count: '1' }),
  map({}),
  '/tiles/field/wells/3/5/3.pbf',
  '/tiles/field/classes/9/377/219.png',
  part('subset=Long(85.5,85.6)'),
];

const askFair = async (): Promise<readonly (readonly [string, number])[]> =>
  await Promise.all(FAIR.map(async (path) => [path, (await fetch(url + path)).status] as const));

it('after the hostile requests, the server still responds, and its memory has grown by at most 400 MB', async () => {
  expect((await askFair()).filter(([, status]) => status !== 200)).toEqual([]);
  const rest = memory();
  for (let time = 0; time < 5; time++)
    await Promise.all(
      Object.values(HOSTILE).map(
        async (path) =>
          await fetch(url + path).then(
            (answer) => answer.arrayBuffer(),
            () => undefined,
          ),
      ),
    );
  expect((await askFair()).filter(([, status]) => status !== 200)).toEqual([]);
  if (rest !== undefined) expect((memory()?.greatest ?? Infinity) - rest.now).toBeLessThan(400);
});

function cpuMs(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [user, system] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(' ').slice(13, 15).map(Number);
  return 10 * ((user ?? 0) + (system ?? 0));
}

it('clients that close their connection stop the work of large maps', async () => {
  const large = map({ layers: 'field:wells,field:classes', width: '2800', height: '2800' });
  const before = cpuMs();
  expect((await fetch(url + large)).status).toBe(200);
  const between = cpuMs();
  // The memory is measured after one complete map, because a part of the map's 200 MB is not released.
  const rest = memory();
  for (let time = 0; time < 30; time++) {
    const abort = new AbortController();
    const asked = fetch(url + large, { signal: abort.signal }).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await asked;
  }
  expect((await fetch(`${url}/web/`)).status).toBe(200);
  const after = cpuMs();
  if (before === undefined || between === undefined || after === undefined || rest === undefined) return;
  // The 30 aborted maps take less than half of the time of 30 complete maps, because closed connections stop the work.
  expect((after - between) / (between - before)).toBeLessThan(15);
  expect((memory()?.greatest ?? Infinity) - rest.now).toBeLessThan(400);
}, 30_000);
