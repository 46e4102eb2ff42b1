import type { MapReply, MapServer, MapServerDrift, MapServerParts } from '@headwater/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedMapServer } from './embedded.ts';
import { differences } from './geoserver/driver.fixture.ts';
import { createGeoServer } from './geoserver/driver.ts';
import { FakeGeoServer } from './geoserver/fake-geoserver.fixture.ts';
import { fakeReads } from './geoserver/fake-reads.fixture.ts';
import { rasterWorld } from './raster-world.fixture.ts';

interface Target {
  start(): Promise<{ readonly create: (parts: MapServerParts) => MapServer; close(): Promise<void> }>;
  /** False if names may contain only letters, digits, `_`, `.` and `-`. */
  readonly takesAnyName: boolean;
}

const geoServer = (major: 2 | 3, hasPixels = true): Target => ({
  start: async () => {
    const fake = new FakeGeoServer({ major });
    fake.reads = fakeReads;
    const { url, close } = await fake.listen();
    const settings = { url, username: 'admin', password: 'geoserver' };
    return {
      create: (parts) => createGeoServer({ ...parts, settings, ...(hasPixels ? {} : { pixels: undefined }) }),
      close,
    };
  },
  takesAnyName: false,
});
const embedded = (hasPixels: boolean): Target => ({
  start: async () => ({
    create: (parts) => createEmbeddedMapServer(hasPixels ? parts : { ...parts, pixels: undefined }),
    close: async () => {},
  }),
  takesAnyName: true,
});

const TIFF = 'II*\0pixels';
const [WHOLE, VERSION] = ['image/tiff; application=geotiff', '2.0.1'];
const MAP =
  'service=WMS&version=1.1.1&request=GetMap&styles=&srs=EPSG:4326&bbox=85,25,87,26&width=4&height=2&format=image/png';
const COVERAGE = `service=WCS&version=${VERSION}&request=GetCoverage&format=geotiff`;
const FEATURES = 'service=WFS&version=2.0.0&request=GetFeature&outputFormat=application/json';
const ITEMS = '/ogc/features/v1/collections/mws:areas/items';

const readsOf = (raster: string, vector: string): readonly (readonly [path: string, type: string])[] => [
  [`/lulc/wms?${MAP}&layers=lulc:${raster}`, 'image/png'],
  [`/wms?service=WMS&version=1.3.0&request=GetLegendGraphic&layer=lulc:${raster}&format=image/png`, 'image/png'],
  [`/lulc/wcs?${COVERAGE}&CoverageId=lulc:${raster}&compression=LZW&tiling=true&tileheight=256&tilewidth=256`, WHOLE],
  [`/mws/wms?${MAP}&layers=${vector}`, 'image/png'],
  [
    `/mws/ows?service=WFS&version=1.0.0&request=GetFeature&typeName=mws:${vector}&outputFormat=application/json`,
    'application/geo+json',
  ],
  [`/ogc/features/v1/collections/mws:${vector}/items`, 'application/geo+json'],
  [`/tiles/mws/${vector}/5/23/13.mvt`, 'application/vnd.mapbox-vector-tile'],
  [`/tiles/lulc/${raster}/5/23/13.png`, 'image/png'],
  [`/styles/lulc/${raster}.sld`, 'application/vnd.ogc.sld+xml'],
  [`/styles/mws/${vector}.sld`, 'application/vnd.ogc.sld+xml'],
];

const REFUSED: readonly string[] = [
  `/lulc/wms?${MAP}&layers=lulc:unknown`,
  `/lulc/wcs?${COVERAGE}&CoverageId=lulc:unknown`,
  `/mws/wfs?${FEATURES}&typeNames=mws:unknown`,
  '/ogc/features/v1/collections/mws:unknown/items',
  '/tiles/mws/unknown/5/23/13.mvt',
  '/styles/mws/unknown.sld',
  `/absent/wms?${MAP}&layers=areas`,
  `/mws/wms?${MAP}&layers=lulc:classes`,
  `/wms?${MAP}&layers=mws:areas&sld=http://evil.example/x.sld`,
  `/wms?${MAP}&layers=mws:areas&sld_body=<x/>`,
  `/wms?${MAP}&layers=mws:areas&env=a:1`,
  `/wms?${MAP}&layers=mws:areas&viewparams=a:1`,
  `/wms?${MAP.replace('width=4', 'width=999999')}&layers=mws:areas`,
  `/wms?${MAP.replace('85,25,87,26', '1,2,3,x')}&layers=mws:areas`,
  `/wms?${MAP}&layers=${Array.from({ length: 10_000 }, () => 'a').join(',')}`,
  `/wms?${MAP.replace('image/png', 'application/openlayers')}&layers=mws:areas`,
  `/wms?${MAP.replace('GetMap', 'constructor')}&layers=mws:areas`,
  `/wcs?${COVERAGE}&CoverageId=lulc:classes&subset=Height(1,2)`,
  `/wfs?${FEATURES}&typeNames=mws:areas&cql_filter=exec(java.lang.Runtime.getRuntime(),'id')=1`,
  `/wfs?${FEATURES}&typeNames=mws:areas&cql_filter=uid='x';drop table x`,
  `/wfs?${FEATURES}&typeNames=mws:areas&propertyName=exec(java.lang.Runtime.getRuntime(),'id')`,
  `/wfs?${FEATURES}&typeNames=mws:areas&sortBy=size;drop`,
  `${ITEMS}?filter=size>&filter-lang=cql2-text`,
  '/tiles/mws/areas/5/99/13.mvt',
  '/wps?service=WPS&request=GetCapabilities',
  '/rest/workspaces',
];

/** Cases of the port `MapServer`. Like the publisher, they change the list of layers before they call the server. */
function suite({ start, takesAnyName }: Target): void {
  let world: ReturnType<typeof rasterWorld>;
  let close: () => Promise<void>;
  const drift = async (): Promise<readonly MapServerDrift[]> => await differences(world.server);
  const repairAll = async (): Promise<void> => {
    for (const each of await drift()) await world.server.repair(each);
  };
  const failures = async (reads: ReturnType<typeof readsOf>): Promise<readonly string[]> => {
    const replies = await Promise.all(
      reads.map(async ([path, type]) => ({ path, type, reply: await world.send(path) })),
    );
    return replies.flatMap(({ path, type, reply: { status, headers } }) =>
      status === 200 && headers['content-type']?.startsWith(type) === true
        ? []
        : [`${path}: ${status} ${headers['content-type']}`],
    );
  };
  const collection = async (path: string): Promise<{ readonly features: readonly { readonly properties: object }[] }> =>
    JSON.parse(await world.content(path));
  const uids = async (path: string): Promise<readonly unknown[]> =>
    (await collection(path)).features.map(({ properties }) => Reflect.get(properties, 'uid'));

  beforeAll(async () => {
    const { create, ...server } = await start();
    ({ close } = server);
    world = rasterWorld(create);
    world.files.set('classes.tif', TIFF);
    world.workspaces.push('swb', 'terrain');
    await repairAll();
  });
  afterAll(async () => {
    await world.server.close();
    await close();
  });

  it('is ready, and names its version', async () => {
    expect((await world.send('/web/')).status).toBe(200);
    expect(await world.server.probe()).toMatch(/^(?:embedded|GeoServer \d)/);
  });

  it('serves each published layer in each protocol; a comparison with the published layers finds no difference', async () => {
    expect(await drift()).toEqual([]);
    expect(await failures(readsOf('classes', 'areas'))).toEqual([]);
    expect(await world.content(`/wcs?${COVERAGE}&coverageid=lulc__classes`)).toBe(TIFF);
  });

  it('serves workspaces that do not contain a layer yet', async () => {
    expect((await world.send('/swb/wms?service=WMS&version=1.3.0&request=GetCapabilities')).status).toBe(200);
    expect((await world.send('/terrain/ows?service=WFS&version=2.0.0&request=GetCapabilities')).status).toBe(200);
    expect((await world.send('/absent/wms?service=WMS&version=1.3.0&request=GetCapabilities')).status).toBe(404);
  });

  it('has the common styles before a layer is published', async () => {
    expect(await world.text('/styles/terrain/landforms.sld')).toMatch(/^200 <StyledLayerDescriptor [^]*#0000ff/);
    expect((await world.send('/styles/terrain/landforms.qml')).status).toBe(404);
    expect((await world.send('/styles/swb/landforms.sld')).status).toBe(404);
  });

  it('serves the protocol versions that its capability flags declare, and refuses other versions', async () => {
    const { wfs, wcs, wms } = world.server.capabilities;
    for (const [service, versions] of Object.entries({ wfs, wcs, wms }))
      for (const version of versions) {
        const document = await world.text(`/ows?service=${service}&version=${version}&request=GetCapabilities`);
        expect([service, version, document]).toEqual([
          service,
          version,
          expect.stringMatching(/^200 [^]*(?:areas|classes)/),
        ]);
      }
    const other = [
      'wfs?request=GetFeature&typeName=mws:areas',
      'wcs?request=GetCoverage&coverageid=lulc:classes&format=geotiff',
    ];
    for (const path of other) expect((await world.send(`/${path}&version=9.9.9`)).status).toBe(400);
    expect((await world.send(`/wms?${MAP.replace('1.1.1', '9.9.9')}&layers=mws:areas`)).status).toBe(400);
  });

  it('serves or refuses requests as its other capability flags declare', async () => {
    const { features, tiles, cqlFilter, styles } = world.server.capabilities;
    const statuses = async (...paths: readonly string[]) =>
      await Promise.all(paths.map(async (path) => (await world.send(path)).status));
    const of = (isOffered: boolean) =>
      isOffered ? 200 : expect.toSatisfy((status: number) => status >= 400 && status < 500);
    expect(
      await statuses(ITEMS, '/tiles/mws/areas.json', `/wfs?${FEATURES}&typeNames=mws:areas&cql_filter=size>1`),
    ).toEqual([features, tiles, cqlFilter].map(of));
    world.files.set('areas.qml', '<qgis/>');
    world.layers[1] = { ...world.layers[1]!, qmlKey: 'areas.qml' };
    expect(await statuses('/styles/mws/areas.sld', '/styles/mws/areas.qml')).toEqual(
      (['sld', 'qml'] as const).map((form) => of(styles.includes(form))),
    );
  });

  it('sends features as GeoJSON, filtered, sorted and in pages', async () => {
    const path = `/mws/wfs?${FEATURES}&typeNames=mws:areas`;
    expect(await uids(path)).toEqual(['12_1', '12_2']);
    expect(await uids(`${path}&cql_filter=${encodeURIComponent("uid='12_2' AND size > 10")}`)).toEqual(['12_2']);
    expect(
      await uids(`${path}&cql_filter=${encodeURIComponent('INTERSECTS(geom,SRID=4326;POINT(85.5 25.5))')}`),
    ).toEqual(['12_1']);
    expect(await uids(`${path}&count=1&startIndex=1&sortBy=size`)).toEqual(['12_2']);
    expect(await uids(`${path}&bbox=86.5,25.5,87,26,EPSG:4326`)).toEqual(['12_2']);
    expect(await uids(`${ITEMS}?limit=1&filter=size%3C10`)).toEqual(['12_1']);
    expect(await uids(`${ITEMS}?bbox=86.5,25.5,87,26`)).toEqual(['12_2']);
  });

  it('sends a part of a coverage, and the description of a coverage', async () => {
    expect(
      await world.text(`/wcs?${COVERAGE}&coverageid=lulc__classes&subset=Long(85.5,86.5)&subset=Lat(25,25.5)`),
    ).toBe('200 part');
    const described = await world.text(
      '/wcs?service=WCS&version=2.0.1&request=DescribeCoverage&coverageid=lulc__classes',
    );
    expect(described).toMatch(/^200 [^]*<wcs:CoverageId>lulc__classes</);
  });

  it('sends legends, and the features and values at a pixel', async () => {
    const legend = await world.text(
      '/wms?service=WMS&version=1.1.1&request=GetLegendGraphic&layer=lulc:classes&format=application/json',
    );
    expect(legend).toMatch(/^200 .*"Legend"/);
    const info = (layer: string): string =>
      `/wms?${MAP.replace('GetMap', 'GetFeatureInfo')}&layers=${layer}&query_layers=${layer}&x=0&y=0&info_format=application/json`;
    expect(await uids(info('mws:areas'))).toEqual(['12_1']);
    expect(await world.text(info('lulc:classes'))).toContain('"water"');
  });

  it.each(REFUSED)('refuses %s', async (path) => {
    const { status, body } = await world.send(path);
    expect([400, 404]).toContain(status);
    expect(await new Response(body instanceof Uint8Array ? Buffer.from(body) : body).text()).not.toMatch(
      /java\.lang\.Secret/,
    );
  });

  it('serves layers and columns with unusual names', async () => {
    const names = { raster: '2021-07.b', vector: '_2021-07.c_-' };
    const [raster, vector] = world.layers;
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [85.5, 25.5] } };
    const properties = { '2021-07-01': 1.5, क्षेत्र: "it's", uid: '12_1', 'a very long name of a column': 7 };
    world.files.set(
      'odd.geojson',
      JSON.stringify({ type: 'FeatureCollection', features: [{ ...feature, properties }] }),
    );
    world.layers.push(
      { ...raster!, name: names.raster },
      { ...vector!, name: names.vector, assetKey: 'odd.geojson', sldKey: 'areas.sld' },
    );
    for (const { workspace, name } of world.layers.slice(2)) await world.server.publish(workspace, name);
    expect(await drift()).toEqual([]);
    expect(await failures(readsOf(names.raster, names.vector))).toEqual([]);
    const path = `/wfs?${FEATURES}&typeNames=mws:${names.vector}&cql_filter=${encodeURIComponent('"2021-07-01" > 1')}`;
    expect((await collection(path)).features).toMatchObject([{ properties }]);
    for (const { workspace, name } of world.layers.splice(2)) await world.server.unpublish(workspace, name);
  });

  it('serves a layer with other characters in its name, or refuses the layer with the reason', async () => {
    world.layers.push({ ...world.layers[0]!, name: 'क्षेत्र 1' });
    const published = world.server.publish('lulc', 'क्षेत्र 1');
    if (takesAnyName) {
      await published;
      expect((await world.send(`/wcs?${COVERAGE}&coverageid=lulc:${encodeURIComponent('क्षेत्र 1')}`)).status).toBe(200);
    } else
      await expect(published).rejects.toMatchObject({
        code: 'validation',
        message: expect.stringMatching(/^layer: "क्षेत्र 1"/),
      });
    world.layers.splice(2);
  });

  it('ends a comparison before the next layer if the client has disconnected', async () => {
    world.layers.push(...['lost', 'lost_2'].map((name) => ({ ...world.layers[1]!, name, assetKey: 'lost.geojson' })));
    world.files.set('lost.geojson', '{');
    const gone = new AbortController();
    const found: (string | null)[] = [];
    const compare = async (): Promise<void> => {
      for await (const { layer } of world.server.check({ workspace: 'mws' }, gone.signal)) {
        found.push(layer);
        gone.abort();
      }
    };
    await expect(compare()).rejects.toMatchObject({ name: 'AbortError' });
    await expect(compare()).rejects.toMatchObject({ name: 'AbortError' });
    expect(found).toHaveLength(1);
    world.layers.splice(2);
  });

  it('replaces a layer while reads of this layer succeed', async () => {
    const reads = readsOf('classes', 'areas');
    world.files.set('classes_2.tif', `${TIFF} of the next run`);
    world.files.set('areas_2.geojson', world.files.get('areas.geojson')!.replace('"12_2"', '"12_3"'));
    const [raster, vector] = world.layers;
    world.layers.splice(
      0,
      2,
      { ...raster!, version: 'v2', assetKey: 'classes_2.tif' },
      { ...vector!, version: 'v2', assetKey: 'areas_2.geojson' },
    );
    const publications = world.layers.map(async ({ workspace, name }) => await world.server.publish(workspace, name));
    const ended = new AbortController();
    const published = Promise.all(publications).finally(() => ended.abort());
    const failed: string[] = [];
    do failed.push(...(await failures(reads)));
    while (!ended.signal.aborted);
    await published;
    expect(failed).toEqual([]);
    expect(await drift()).toEqual([]);
    expect(await world.content(`/wcs?${COVERAGE}&coverageid=lulc__classes`)).toBe(`${TIFF} of the next run`);
    expect(await uids(`/wfs?${FEATURES}&typeNames=mws:areas`)).toEqual(['12_1', '12_3']);
  });

  it('removes a layer that is unpublished, and changes nothing if a publication or removal is repeated', async () => {
    const [raster, vector] = world.layers.splice(0);
    for (const { workspace, name } of [raster!, vector!, raster!]) await world.server.unpublish(workspace, name);
    expect(await drift()).toEqual([]);
    for (const [path] of readsOf('classes', 'areas'))
      expect([path, (await world.send(path)).status]).toEqual([path, 404]);
    world.layers.push(raster!, vector!);
    for (const { workspace, name } of [raster!, raster!, vector!]) await world.server.publish(workspace, name);
    expect(await failures(readsOf('classes', 'areas'))).toEqual([]);
  });
}

describe('the embedded map server', () => {
  suite(embedded(true));
});

it('the embedded map server names the layer in each difference, also if the reason does not name it', async () => {
  const { create } = await embedded(true).start();
  const { server, files } = rasterWorld(create);
  files.set('classes.tif', TIFF);
  files.set('areas.geojson', '{"type":"FeatureCollection","features":[{"type" 1}]}');
  const [one, ...others] = await differences(server);
  expect([one, others]).toMatchObject([{ layer: 'areas', message: expect.stringMatching(/^mws:areas: .*JSON/) }, []]);
  await server.close();
});

describe.each([2, 3] as const)('the driver of GeoServer %i', (major) => {
  suite(geoServer(major));
});

describe('without a pixel engine', () => {
  const statuses = async (target: Target, paths: readonly string[]): Promise<readonly MapReply['status'][]> => {
    const { create, close } = await target.start();
    const { send, server, files } = rasterWorld(create);
    files.set('classes.tif', TIFF);
    for await (const each of server.check()) await server.repair(each);
    const replies: number[] = [];
    for (const path of paths) replies.push((await send(path)).status);
    await server.close();
    await close();
    return [...replies, server.capabilities.wms.length, server.capabilities.wcs.length];
  };
  const paths = [
    `/wms?${MAP}&layers=lulc:classes`,
    '/wcs?service=WCS&version=1.0.0&request=GetCoverage&coverage=lulc:classes&format=GeoTIFF&crs=EPSG:4326&bbox=85,25,86,26&width=2&height=2',
    `/wcs?${COVERAGE}&coverageid=lulc:classes&subset=Long(85,86)`,
  ];

  it('the embedded map server offers neither maps nor coverages, and refuses requests for them', async () => {
    expect(await statuses(embedded(false), paths)).toEqual([400, 400, 400, 0, 0]);
  });

  it('a GeoServer draws maps and cuts coverages, and does not offer WCS 1.0.0', async () => {
    expect(await statuses(geoServer(2, false), paths)).toEqual([200, 400, 200, 2, 1]);
  });
});
