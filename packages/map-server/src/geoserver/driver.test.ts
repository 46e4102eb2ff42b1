import type { MapLayer } from '@headwater/core/ports';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  differences,
  driverOf,
  layerOf,
  type OpenedGeoServer,
  openGeoServer,
  SLD,
  storeOf,
  STYLE,
  TIFF,
  VECTOR,
  ZIP,
} from './driver.fixture.ts';

describe.each([2, 3] as const)('the driver of GeoServer %i', (major) => {
  let published: MapLayer[];
  let fake: OpenedGeoServer['fake'];
  let server: OpenedGeoServer['server'];
  let files: OpenedGeoServer['files'];
  let create: OpenedGeoServer['create'];
  let driver: OpenedGeoServer['driver'];
  let publishAll: OpenedGeoServer['publishAll'];

  beforeEach(async () => {
    published = [layerOf(), VECTOR];
    ({ fake, server, files, create, driver, publishAll } = await openGeoServer(major, () => published));
  });
  afterEach(async () => await server.close());

  test('publishes a raster and a vector layer with their styles', async () => {
    await publishAll();
    expect(fake.layers).toEqual(['LULC_level_1:lulc_2024', 'mws:mws_demo']);
    expect(fake.workspaces.get('LULC_level_1')?.get('lulc_2024')?.bytes).toEqual(TIFF);
    const files = unzipSync(fake.workspaces.get('mws')?.get('mws_demo')?.bytes ?? new Uint8Array());
    expect(Object.keys(files).toSorted()).toEqual(
      expect.arrayContaining(['mws_demo.dbf', 'mws_demo.prj', 'mws_demo.shp']),
    );
    expect(fake.styles.get('LULC_level_1:lulc_2024')).toBe(SLD);
    expect(fake.defaults.get('LULC_level_1:lulc_2024')).toBe('LULC_level_1:lulc_2024');
    expect(await differences(driver)).toEqual([]);
    expect(await driver.probe()).toMatch(major === 3 ? /^GeoServer 3\.0\.0$/ : /^GeoServer 2\.26\.2, .*security holes/);
  });

  test('replaces a layer by an upload over its store, so the public layer exists at all times', async () => {
    await publishAll();
    published[0] = layerOf({ version: 'run_2', assetKey: 'run_2/1/lulc.tif' });
    files.set('run_2/1/lulc.tif', new TextEncoder().encode('MM\0*new'));
    const absent: string[] = [];
    fake.onCall = (call) => {
      if (!fake.layers.includes('LULC_level_1:lulc_2024')) absent.push(call);
    };
    await driver.publish('LULC_level_1', 'lulc_2024');
    expect(absent).toEqual([]);
    expect(fake.workspaces.get('LULC_level_1')?.get('lulc_2024')?.bytes).toEqual(files.get('run_2/1/lulc.tif'));
    expect(fake.calls.filter((call) => /^DELETE .*stores/.test(call))).toEqual([]);
  });

  test('a raster is uploaded as a stream, because it may be larger than the memory', async () => {
    const sent: unknown[] = [];
    const { fetch } = globalThis;
    driver = create({}, { fetch: async (url, init) => (sent.push(init?.body), await fetch(url, init)) });
    await driver.publish('LULC_level_1', 'lulc_2024');
    expect(sent.filter((body) => body instanceof ReadableStream)).toHaveLength(1);
    expect(sent.filter((body) => body instanceof ArrayBuffer || body instanceof Uint8Array)).toEqual([]);
    expect(fake.workspaces.get('LULC_level_1')?.get('lulc_2024')?.bytes).toEqual(TIFF);
  });

  test('an unchanged layer is not uploaded again', async () => {
    await publishAll();
    fake.calls.length = 0;
    await publishAll();
    expect(fake.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
  });

  test('an older version of a layer counts as outdated, and an absent layer as missing; both are repaired', async () => {
    await publishAll();
    published[0] = layerOf({ version: 'run_2' });
    published = [...published, layerOf({ name: 'lulc_2025' })];
    const found = await differences(driver);
    expect(found.map(({ layer, problem }) => [layer, problem])).toEqual([
      ['lulc_2024', 'outdated'],
      ['lulc_2025', 'missing'],
    ]);
    for (const each of found) await driver.repair(each);
    expect(await differences(driver)).toEqual([]);
  });

  test('a comparison can be limited to one workspace or one layer; workspaces are created once, and only with valid names', async () => {
    await publishAll();
    published[0] = layerOf({ version: 'run_2' });
    published = [...published, layerOf({ name: 'lulc_2025' })];
    const of = async (workspace: string, layer?: string): Promise<readonly (string | null)[]> => {
      const found: (string | null)[] = [];
      for await (const each of driver.check({ workspace, layer })) found.push(each.layer);
      return found;
    };
    expect(await of('mws')).toEqual([]);
    expect(await of('nowhere')).toEqual([null]);
    expect(await of('LULC_level_1')).toEqual(['lulc_2024', 'lulc_2025']);
    fake.calls.length = 0;
    expect(await of('LULC_level_1', 'lulc_2025')).toEqual(['lulc_2025']);
    expect(fake.calls.some((call) => call.includes('lulc_2024'))).toBe(false);
    expect([await driver.layersIn('mws'), await driver.layersIn('fields')]).toEqual([['mws_demo'], undefined]);
    expect([await driver.createWorkspace('fields'), await driver.createWorkspace('fields')]).toEqual([true, false]);
    expect(await driver.layersIn('fields')).toEqual([]);
    for (const name of ['../x', '', 'a b', 'x'.repeat(201)])
      await expect(driver.createWorkspace(name)).rejects.toMatchObject({ code: 'validation' });
  });

  test('a comparison ends before the next layer if the client has disconnected, even if no layer differs', async () => {
    published = [layerOf(), layerOf({ name: 'lulc_2025' }), VECTOR];
    await publishAll();
    fake.calls.length = 0;
    const gone = new AbortController();
    fake.onCall = (call) => {
      if (call.includes('lulc_2024')) gone.abort();
    };
    const compare = async (): Promise<void> => {
      for await (const each of driver.check(undefined, gone.signal)) expect(each).toBeUndefined();
    };
    await expect(compare()).rejects.toMatchObject({ name: 'AbortError' });
    expect(fake.calls.filter((call) => /lulc_2025|mws_demo/.test(call))).toEqual([]);
    const before = fake.calls.length;
    await expect(compare()).rejects.toMatchObject({ name: 'AbortError' });
    expect(fake.calls).toHaveLength(before);
  });

  test('a layer that is no longer published is removed; layers of other programs stay', async () => {
    await publishAll();
    fake.workspaces
      .get('mws')
      ?.set('foreign', { type: 'datastores', bytes: ZIP, isBroken: false, keywords: ['features'], title: 'x' });
    published.push({ ...VECTOR, name: 'other' });
    await publishAll();
    published = published.filter(({ name }) => name !== 'mws_demo');
    const found = await differences(driver);
    expect(found.map(({ layer, problem }) => [layer, problem])).toEqual([['mws_demo', 'unknown']]);
    for (const each of found) await driver.repair(each);
    expect(fake.layers.toSorted()).toEqual(['LULC_level_1:lulc_2024', 'mws:foreign', 'mws:other']);
  });

  test.each([
    ['with a layer', { keywords: ['WCS'] }],
    ['without a layer', { keywords: ['WCS'], isBroken: true }],
  ])(
    'a store of another program that has the name of the layer is neither replaced nor removed: %s',
    async (_, store) => {
      fake.workspaces.set('LULC_level_1', new Map([['lulc_2024', storeOf({ type: 'coveragestores', ...store })]]));
      await expect(driver.publish('LULC_level_1', 'lulc_2024')).rejects.toThrow(/in the store "lulc_2024"/);
      await driver.unpublish('LULC_level_1', 'lulc_2024');
      published = [];
      for (const each of await differences(driver)) await driver.repair(each);
      expect(fake.calls.filter((call) => /^(?:PUT|DELETE)/.test(call))).toEqual([]);
    },
  );

  test('layers of another installation are neither replaced nor removed', async () => {
    await publishAll();
    const other = driverOf(
      { url: server.url, published: () => published, files },
      {},
      { publicUrl: 'https://other.example/geoserver' },
    );
    published = [layerOf({ version: 'run_2' })];
    fake.calls.length = 0;
    const found = await differences(other);
    expect(found.map(({ layer, problem }) => [layer, problem])).toEqual([['lulc_2024', 'missing']]);
    for (const each of found) await expect(other.repair(each)).rejects.toThrow(/this installation did not publish/);
    await other.unpublish('LULC_level_1', 'lulc_2024');
    await other.unpublish('mws', 'mws_demo');
    expect(fake.calls.filter((call) => /^(?:PUT|DELETE)/.test(call))).toEqual([]);
  });

  test('a layer without the id of an installation counts as ours only if it is published here', async () => {
    await publishAll();
    const stores = [...fake.workspaces.values()].flatMap((workspace) => [...workspace.values()]);
    for (const store of stores) store.keywords = store.keywords.filter((each) => !each.includes('installation'));
    published = [layerOf()];
    const found = await differences(driver);
    expect(found.map(({ layer, problem }) => [layer, problem])).toEqual([['lulc_2024', 'outdated']]);
    for (const each of found) await driver.repair(each);
    await driver.unpublish('mws', 'mws_demo');
    expect(await differences(driver)).toEqual([]);
    expect(fake.layers).toEqual(['LULC_level_1:lulc_2024', 'mws:mws_demo']);
    await driver.unpublish('LULC_level_1', 'lulc_2024');
    expect(fake.layers).toEqual(['mws:mws_demo']);
  });

  test('a directory of Shapefiles with other layers is neither replaced nor removed', async () => {
    const format = 'Directory of spatial files (shapefiles)';
    await publishAll();
    const { keywords = [] } = fake.workspaces.get('mws')?.get('mws_demo') ?? {};
    for (const store of [storeOf({ format }), storeOf({ format, keywords, others: ['roads'] })]) {
      fake.workspaces.set('mws', new Map([['mws_demo', store]]));
      published = [{ ...VECTOR, version: 'run_2' }];
      fake.calls.length = 0;
      await expect(driver.publish('mws', 'mws_demo')).rejects.toThrow(/in the store "mws_demo"/);
      published = [];
      await driver.publish('mws', 'mws_demo');
      expect(fake.calls.filter((call) => /^(?:PUT|DELETE)/.test(call))).toEqual([]);
    }
  });

  test('the first comparison creates all workspaces, including those without a layer', async () => {
    published = [];
    driver = create({}, {}, ['LULC_level_1', 'mws', 'pan_india_asset']);
    for (const each of await differences(driver)) await driver.repair(each);
    expect([...fake.workspaces.keys()]).toEqual(['LULC_level_1', 'mws', 'pan_india_asset']);
    expect(await differences(driver)).toEqual([]);
  });

  test('an unpublished layer is found in a workspace that has no other layer', async () => {
    await publishAll();
    published = [VECTOR];
    fake.workspaces.set('other', new Map([['foreign', storeOf()]]));
    const found = await differences(driver);
    expect(found.map(({ workspace, layer, problem }) => [workspace, layer, problem])).toEqual([
      ['LULC_level_1', 'lulc_2024', 'unknown'],
    ]);
    for (const each of found) await driver.repair(each);
    expect(fake.layers.toSorted()).toEqual(['mws:mws_demo', 'other:foreign']);
    fake.calls.length = 0;
    expect(await differences(driver)).toEqual([]);
    // Layers of other programs are read only once.
    expect(fake.calls.filter((call) => call.includes('/foreign'))).toEqual([]);
  });

  test('a layer that changes between raster and vector replaces our layer of the other kind', async () => {
    await publishAll();
    published = [{ ...VECTOR, workspace: 'LULC_level_1', name: 'lulc_2024', version: 'run_2' }];
    const [found] = await differences(driver);
    expect(found).toMatchObject({ layer: 'lulc_2024', problem: 'missing' });
    await driver.publish('LULC_level_1', 'lulc_2024');
    expect(fake.workspaces.get('LULC_level_1')?.get('lulc_2024')?.type).toBe('datastores');
    published = [layerOf({ version: 'run_3' }), VECTOR];
    await publishAll();
    expect(fake.workspaces.get('LULC_level_1')?.get('lulc_2024')?.type).toBe('coveragestores');
    expect(await differences(driver)).toEqual([]);
  });

  test('a layer of the other kind from another program, and a store of another type, are not overwritten', async () => {
    fake.workspaces.set('LULC_level_1', new Map([['lulc_2024', storeOf()]]));
    fake.workspaces.set('mws', new Map([['mws_demo', storeOf({ format: 'PostGIS' })]]));
    await expect(driver.publish('LULC_level_1', 'lulc_2024')).rejects.toThrow(/in the store "lulc_2024"/);
    await expect(driver.publish('mws', 'mws_demo')).rejects.toThrow(/in the store "mws_demo"/);
    published = [];
    await driver.unpublish('mws', 'mws_demo');
    await driver.unpublish('LULC_level_1', 'lulc_2024');
    expect(fake.calls.filter((call) => /^(?:PUT|DELETE)/.test(call))).toEqual([]);
  });

  test('publish and unpublish do not remove a layer of another program if its name was never published here', async () => {
    published = [];
    fake.workspaces.set('mws', new Map([['mws_demo', storeOf()]]));
    await driver.publish('mws', 'mws_demo');
    await driver.unpublish('mws', 'mws_demo');
    expect(fake.layers).toEqual(['mws:mws_demo']);
  });

  test('a changed default style is detected and repaired without an upload', async () => {
    await publishAll();
    fake.defaults.set('LULC_level_1:lulc_2024', 'raster');
    const found = await differences(driver);
    expect(found.map(({ layer, problem }) => [layer, problem])).toEqual([['lulc_2024', 'style']]);
    fake.calls.length = 0;
    for (const each of found) await driver.repair(each);
    expect(fake.calls.filter((call) => call.includes('file.'))).toEqual([]);
    expect(await differences(driver)).toEqual([]);
  });

  test('a layer with a missing style file is drawn in the default style; its own style is written once the file exists', async () => {
    const style = files.get('run_1/1/lulc.sld')!;
    files.delete('run_1/1/lulc.sld');
    await publishAll();
    expect(fake.layers).toContain('LULC_level_1:lulc_2024');
    expect(await differences(driver)).toEqual([]);
    files.set('run_1/1/lulc.sld', style);
    const found = await differences(driver);
    expect(found.map(({ layer, problem }) => [layer, problem])).toEqual([['lulc_2024', 'style']]);
    for (const each of found) await driver.repair(each);
    expect(fake.styles.get('LULC_level_1:lulc_2024')).toBe(SLD);
    expect(await differences(driver)).toEqual([]);
  });

  test('a style from another program with the name of the layer is neither overwritten nor used nor removed', async () => {
    const foreign = '<StyledLayerDescriptor foreign="yes"/>';
    fake.workspaces.set('LULC_level_1', new Map());
    fake.styles.set('LULC_level_1:lulc_2024', foreign);
    const publication = driver.publish('LULC_level_1', 'lulc_2024');
    await expect(publication).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^LULC_level_1:lulc_2024: .* another style of this name/),
    });
    expect(fake.layers).toEqual([]);
    fake.styles.delete('LULC_level_1:lulc_2024');
    await publishAll();
    // Another program replaced the style after the publication.
    fake.styles.set('LULC_level_1:lulc_2024', foreign);
    fake.files.delete('LULC_level_1:lulc_2024');
    const [found] = await differences(driver);
    expect(found).toMatchObject({ layer: 'lulc_2024', problem: 'style' });
    await expect(driver.repair(found!)).rejects.toMatchObject({ code: 'conflict' });
    await driver.unpublish('LULC_level_1', 'lulc_2024');
    expect(fake.layers).toEqual(['mws:mws_demo']);
    expect(fake.styles.get('LULC_level_1:lulc_2024')).toBe(foreign);
  });

  test('common styles exist after the first start; changes of common styles are found and repaired', async () => {
    const withStyle = (publicUrl?: string) =>
      driverOf(
        { url: server.url, published: () => [], files, styles: [STYLE] },
        {},
        publicUrl === undefined ? {} : { publicUrl },
      );
    driver = withStyle();
    const messages = async (): Promise<readonly string[]> => (await differences(driver)).map(({ message }) => message);
    expect(await messages()).toEqual(['the style terrain:landforms does not exist']);
    for (const each of await differences(driver)) await driver.repair(each);
    expect([...fake.workspaces.keys()]).toEqual(['terrain']);
    expect(fake.styles.get('terrain:landforms')).toBe(STYLE.sld);
    expect(await messages()).toEqual([]);
    // A GeoServer may store the document with other prefixes, which is no difference.
    fake.styles.set(
      'terrain:landforms',
      STYLE.sld.replaceAll(/<(\/?)(?=[A-Z])/g, '<$1sld:').replace(' ', ' xmlns:sld="http://www.opengis.net/sld" '),
    );
    expect(await messages()).toEqual([]);
    fake.styles.set('terrain:landforms', STYLE.sld.replace('Landforms', 'Changed'));
    expect(await messages()).toEqual(['the style terrain:landforms differs from the published style']);
    for (const each of await differences(driver)) await driver.repair(each);
    expect(fake.styles.get('terrain:landforms')).toBe(STYLE.sld);
    driver = withStyle('https://other.example/geoserver');
    expect(await messages()).toEqual([
      'the style terrain:landforms belongs to another program or installation; remove or rename it',
    ]);
    fake.calls.length = 0;
    for (const each of await differences(driver))
      await expect(driver.repair(each)).rejects.toMatchObject({ code: 'conflict' });
    expect(fake.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
  });

  test('the style is uploaded after the data, because the old data may lack columns of the style', async () => {
    await publishAll();
    published[0] = layerOf({ version: 'run_2' });
    fake.calls.length = 0;
    await driver.publish('LULC_level_1', 'lulc_2024');
    expect(fake.calls.filter((call) => call.startsWith('PUT')).map((call) => call.split('/').at(-1))).toEqual([
      'file.geotiff',
      'lulc_2024',
      'LULC_level_1%3Alulc_2024',
      'lulc_2024',
    ]);
  });

  test('column names that a Shapefile shortens are listed in the abstract and shortened in the style; long texts are left out', async () => {
    const name = 'doubly_cropped_area_2024';
    const properties = { uid: '12_1', [name]: 5, doubly_cropped_area_2023: 4, series: 'x'.repeat(300) };
    const geometry = { type: 'Point', coordinates: [85, 25] };
    const features = [{ type: 'Feature', geometry, properties }];
    files.set('run_1/1/mws.geojson', new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features })));
    files.set(
      'run_1/1/mws.sld',
      new TextEncoder().encode(
        SLD.replace('/>', `><ogc:PropertyName>${name}</ogc:PropertyName></StyledLayerDescriptor>`),
      ),
    );
    const columns = Object.keys(properties).map((each) => ({
      name: each,
      type: each.includes('area') ? ('number' as const) : ('string' as const),
    }));
    published = [{ ...VECTOR, columns, sldKey: 'run_1/1/mws.sld' }];
    await publishAll();
    const store = fake.workspaces.get('mws')?.get('mws_demo');
    expect(store?.abstract).toContain(
      'Columns with shortened names: doubly_cro = doubly_cropped_area_2024, doubly_c_1 = doubly_cropped_area_2023.',
    );
    expect(fake.styles.get('mws:mws_demo')).toContain('<ogc:PropertyName>doubly_cro</ogc:PropertyName>');
    expect(new TextDecoder('latin1').decode(unzipSync(store?.bytes ?? new Uint8Array())['mws_demo.dbf'])).not.toContain(
      'series',
    );
    const reply = await driver.answer({
      method: 'GET',
      segments: ['mws', 'wfs'],
      query: { version: '2.0.0', request: 'GetFeature', typenames: 'mws:mws_demo', outputformat: 'application/json' },
      headers: {},
      signal: new AbortController().signal,
    });
    const { body = '' } = reply;
    const text = typeof body === 'string' ? body : '';
    expect(JSON.parse(text)).toMatchObject({ features: [{ properties }] });
  });

  test.each([
    '<ExternalGraphic><OnlineResource href="http://169.254.169.254/latest"/></ExternalGraphic>',
    '<Filter><PropertyIsEqualTo><Function name="env"/><Literal>1</Literal></PropertyIsEqualTo></Filter>',
    '<Transformation><Function name="ras:Jiffle"/></Transformation>',
    '<PropertyName>exec(java.lang.Runtime.getRuntime(),"id")</PropertyName>',
    '<Mark><WellKnownName>file:///etc/passwd</WellKnownName></Mark>',
    '<externalgraphic/>',
    '<ogc:function name="env"/>',
    '<ogc:propertyname>exec(java.lang.Runtime.getRuntime(),"id")</ogc:propertyname>',
    '<WellKnownName>circle<Literal>file:///etc/passwd</Literal></WellKnownName>',
    '<a>&x;</a>',
  ])('a style with %s is not uploaded; the layer is drawn in the default style', async (part) => {
    const doctype = part.includes('&') ? '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>' : '';
    const style = `${doctype}<StyledLayerDescriptor version="1.0.0">${part}</StyledLayerDescriptor>`;
    files.set('run_1/1/lulc.sld', new TextEncoder().encode(style));
    await publishAll();
    expect(fake.layers).toContain('LULC_level_1:lulc_2024');
    expect([...fake.styles.values()]).toEqual([]);
    // The refusal of the style is stored with the layer, so that comparisons find no difference.
    expect(await differences(driver)).toEqual([]);
    fake.calls.length = 0;
    await publishAll();
    expect(fake.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
  });
});
