import { loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { readXml, type XmlElement } from '../protocol/read-xml.ts';
import { layer as plain } from '../encodings/world.fixture.ts';
import { rasterWorld } from '../raster-world.fixture.ts';
import { legendSizeOf } from './legend.ts';

const BLUE = '0000ffff';
const GREEN = '00ff00ff';
const CLEAR = '00000000';
const { send, content, text, drawn } = rasterWorld();

function mapOf(more: Readonly<Record<string, string>> = {}): string {
  const query = {
    service: 'WMS',
    version: '1.3.0',
    request: 'GetMap',
    layers: 'lulc:classes',
    styles: '',
    crs: 'CRS:84',
    bbox: '85,25,87,26',
    width: '4',
    height: '2',
    format: 'image/png',
    transparent: 'TRUE',
    ...more,
  };
  return `/wms?${new URLSearchParams(query).toString()}`;
}

const EXPECTED = [BLUE, GREEN, CLEAR, CLEAR, GREEN, GREEN, BLUE, BLUE];

describe('LegendURL', () => {
  it.each(['1.1.1', '1.3.0'])('has the size of the legend picture in %s', async (version) => {
    const document = await content(`/wms?service=WMS&request=GetCapabilities&version=${version}`);
    const found = [...document.matchAll(/<LegendURL width="(\d+)" height="(\d+)">.*?href="([^"]*)"/gs)];
    expect(found).toHaveLength(2);
    for (const [, width, height, href = ''] of found) {
      const { pathname, search } = new URL(href.replaceAll('&amp;', '&'));
      const picture = await send(pathname.replace('/geoserver', '') + search);
      const image = await loadImage(Buffer.from(picture.body as Uint8Array));
      expect([image.width, image.height]).toEqual([Number(width), Number(height)]);
      expect(image.height).toBeGreaterThan(25);
    }
  });
});

describe('the size of a legend', () => {
  it('is computed again after a style could not be read', async () => {
    let isAway = true;
    const rule = { title: 'one', filter: null, isElse: false, minScale: 0, maxScale: Infinity, symbols: [] };
    const styles = {
      of: async () => {
        if (isAway) throw new Error('the file is not readable at the moment');
        return { title: 'A title that is wider than the others', rules: [rule] };
      },
    };
    const failed = await legendSizeOf({ styles }, plain);
    isAway = false;
    const size = await legendSizeOf({ styles }, plain);
    expect(size).not.toEqual(failed);
    isAway = true;
    expect(await legendSizeOf({ styles }, plain)).toEqual(size);
  });
});

describe('GetMap', () => {
  it('draws the classes in the axis order of each version and CRS', async () => {
    expect(await drawn(mapOf())).toEqual(EXPECTED);
    expect(await drawn(mapOf({ crs: 'EPSG:4326', bbox: '25,85,26,87' }))).toEqual(EXPECTED);
    expect(await drawn(mapOf({ version: '1.1.1', srs: 'EPSG:4326', crs: '' }))).toEqual(EXPECTED);
    const mercator = '9462156.717428,2875744.624352,9684795.698308,2999080.94347';
    expect(await drawn(mapOf({ crs: 'EPSG:3857', bbox: mercator }))).toEqual(EXPECTED);
  });

  it('draws vector layers in a UTM zone, and advertises the zone of the layer', async () => {
    // The box is slightly larger than the square of the layer, so only the middle pixel is certainly covered.
    const bbox = '298000,2765000,401000,2878000';
    const [first, ...pixels] = await drawn(
      mapOf({ layers: 'mws:areas', crs: 'EPSG:32645', bbox, width: '3', height: '3' }),
    );
    expect(pixels[3]).toBe('ff0000ff');
    expect(first).not.toBe(undefined);
    const far = await drawn(
      mapOf({ layers: 'mws:areas', crs: 'EPSG:32645', bbox: '600000,2765000,703000,2878000', width: '2', height: '2' }),
    );
    expect(far).toEqual([CLEAR, CLEAR, CLEAR, CLEAR]);
    for (const version of ['1.1.1', '1.3.0'])
      expect(await content(`/wms?service=WMS&request=GetCapabilities&version=${version}`)).toContain('>EPSG:32645<');
    const info = mapOf({
      request: 'GetFeatureInfo',
      layers: 'mws:areas',
      query_layers: 'mws:areas',
      info_format: 'application/json',
      crs: 'EPSG:32645',
      bbox,
      width: '3',
      height: '3',
      i: '1',
      j: '1',
    });
    expect(await content(info)).toContain('"uid":"12_1"');
  });

  it('draws several layers over each other, and a background', async () => {
    const white = 'ffffffff';
    const opaque = EXPECTED.map((color) => (color === CLEAR ? white : color));
    expect(await drawn(mapOf({ transparent: 'FALSE' }))).toEqual(opaque);
    expect(
      await drawn(mapOf({ transparent: 'false', bgcolor: '0x102030', layers: 'lulc:classes,lulc:classes' })),
    ).toEqual(EXPECTED.map((color) => (color === CLEAR ? '102030ff' : color)));
  });

  it('draws the features of a vector layer in its style, alone and above a raster', async () => {
    const red = 'ff0000ff';
    const only = [red, red, CLEAR, CLEAR, red, red, CLEAR, CLEAR];
    expect(await drawn(mapOf({ layers: 'mws:areas' }))).toEqual(only);
    const both = EXPECTED.map((color, index) => (only[index] === red ? red : color));
    expect(await drawn(mapOf({ layers: 'lulc:classes,mws:areas' }))).toEqual(both);
  });

  it.each(['image/jpeg', 'image/webp', 'image/png8'])('sends %s', async (format) => {
    const { status, headers, body } = await send(mapOf({ layers: 'mws:areas', format }));
    expect([status, headers['content-type']]).toEqual([200, format.replace('8', '')]);
    expect((body as Uint8Array).byteLength).toBeGreaterThan(50);
  });

  it('accepts default styles, times that overlap the interval, and names without the workspace of the path', async () => {
    for (const time of ['2021', '2021-07', '2022-06-30', '2021-12-01T10:00:00Z', '2020-01-01/2021-08-01', 'current'])
      expect(await drawn(mapOf({ time }))).toEqual(EXPECTED);
    expect(await drawn(mapOf({ layers: 'classes', styles: 'classes' }).replace('/wms', '/lulc/wms'))).toEqual(EXPECTED);
    expect(await drawn(mapOf({ format_options: 'dpi:96', dpi: '96', tiled: 'true' }))).toEqual(EXPECTED);
  });

  it('has an ETag that depends on the parameters; may be cached without expiry only if the request has `run`', async () => {
    const first = await send(mapOf());
    expect(first).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' }, isLasting: false });
    expect((await send(mapOf())).etag).toBe(first.etag);
    expect((await send(mapOf({ width: '5' }))).etag).not.toBe(first.etag);
    expect(await send(`${mapOf()}&run=r1`)).toMatchObject({ isLasting: true });
  });

  it.each([
    [{ layers: 'lulc:none' }, [404, 'LayerNotDefined', 'layers']],
    [{ layers: Array.from({ length: 21 }, () => 'lulc:classes').join() }, [400, 'OperationNotSupported', 'layers']],
    [{ styles: 'other' }, [400, 'StyleNotDefined', 'styles']],
    [{ styles: ',' }, [400, 'InvalidParameterValue', 'styles']],
    [{ crs: 'EPSG:27700' }, [400, 'InvalidCRS', 'crs']],
    [{ version: '1.1.1', srs: 'EPSG:27700', crs: '' }, [400, 'InvalidSRS', 'srs']],
    [{ bbox: '87,25,85,26' }, [400, 'InvalidParameterValue', 'bbox']],
    [{ bbox: '85,25,1e300,26' }, [400, 'InvalidParameterValue', 'bbox']],
    [{ bbox: '85,25,87,NaN' }, [400, 'InvalidParameterValue', 'bbox']],
    [{ width: '5000' }, [400, 'InvalidParameterValue', 'width']],
    [{ width: '4096', height: '4096', layers: 'lulc:classes,lulc:classes' }, [400, 'InvalidParameterValue', 'width']],
    [{ height: '0' }, [400, 'InvalidParameterValue', 'height']],
    [{ format: 'image/tiff' }, [400, 'InvalidFormat', 'format']],
    [{ time: '2023-01-01' }, [400, 'InvalidDimensionValue', 'time']],
    [{ time: 'yesterday' }, [400, 'InvalidDimensionValue', 'time']],
    [{ sld: 'http://example.org/a.sld' }, [400, 'OperationNotSupported', 'sld']],
    [{ sld_body: '<a/>' }, [400, 'OperationNotSupported', 'sld_body']],
    [{ cql_filter: '1=1' }, [400, 'OperationNotSupported', 'cql_filter']],
    [{ filter: '<Filter/>' }, [400, 'OperationNotSupported', 'filter']],
    [{ featureid: 'a.1' }, [400, 'OperationNotSupported', 'featureid']],
    [{ viewparams: 'a:1' }, [400, 'OperationNotSupported', 'viewparams']],
    [{ env: 'a:1' }, [400, 'OperationNotSupported', 'env']],
    [{ remote_ows_url: 'http://example.org' }, [400, 'OperationNotSupported', 'remote_ows_url']],
    [{ format_options: 'layout:legend' }, [400, 'OperationNotSupported', 'format_options']],
    [{ version: '2.0.0' }, [400, 'InvalidParameterValue', 'version']],
    [{ request: 'constructor' }, [400, 'OperationNotSupported', 'request']],
    [{ bgcolor: 'red', transparent: 'FALSE' }, [400, 'InvalidParameterValue', 'bgcolor']],
  ] as const)('refuses %j with %j', async (more, [status, code, locator]) => {
    const answer = await text(mapOf(more));
    expect(answer).toMatch(new RegExp(`^${status} `));
    expect(answer).toContain(`code="${code}" locator="${locator}"`);
    expect(answer).toContain(`>${locator}: `);
  });
});

describe('GetFeatureInfo', () => {
  const infoOf = (more: Readonly<Record<string, string>>): string =>
    mapOf({
      request: 'GetFeatureInfo',
      query_layers: 'lulc:classes',
      info_format: 'application/json',
      i: '1',
      j: '0',
      ...more,
    });

  it('returns the value and its label', async () => {
    expect(JSON.parse(await content(infoOf({})))).toMatchObject({
      type: 'FeatureCollection',
      features: [{ id: 'classes', geometry: null, properties: { value: 2, label: 'crop' } }],
    });
    expect(await text(infoOf({ info_format: 'text/plain', i: '2' }))).toBe('200 classes: 3\n');
    expect(await text(infoOf({ info_format: 'text/plain', i: '3' }))).toBe('200 classes: no data\n');
    expect(JSON.parse(await content(infoOf({ i: '3' })))).toMatchObject({ features: [] });
    expect(
      await text(
        infoOf({ version: '1.1.1', srs: 'EPSG:4326', info_format: 'text/plain', x: '0', y: '0', i: '', j: '' }),
      ),
    ).toBe('200 classes: 1 (water)\n');
  });

  it('returns the features of a vector layer under a pixel, and points near the pixel', async () => {
    const ofAreas = { query_layers: 'mws:areas', layers: 'mws:areas' };
    expect(JSON.parse(await content(infoOf({ ...ofAreas, i: '0' })))).toMatchObject({
      features: [{ id: 'areas.1', geometry: { type: 'Polygon' }, properties: { uid: '12_1', size: 5 } }],
    });
    const fine = { ...ofAreas, width: '400', height: '200', info_format: 'text/plain' };
    expect(await text(infoOf({ ...fine, i: '353', j: '50' }))).toBe('200 areas.2\n  uid: 12_2\n  size: 50\n');
    expect(await text(infoOf({ ...fine, i: '300', j: '150' }))).toBe('200 areas: no feature\n');
  });

  it('refuses a point outside of the map, and response formats that are not offered', async () => {
    expect(await text(infoOf({ i: '4', exceptions: 'XML' }))).toContain('locator="i"');
    expect(await text(infoOf({ info_format: 'text/html' }))).toContain('code="InvalidFormat" locator="info_format"');
  });
});

describe('GetLegendGraphic', () => {
  it('is a picture with a row for each class', async () => {
    const path = '/wms?request=GetLegendGraphic&layer=lulc:classes&format=image/png&width=10&height=10';
    expect(await send(path)).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
    const colors = await drawn(path);
    expect(colors).toContain('0000ffff');
    expect(colors).toContain('00ff00ff');
    expect(await drawn('/wms?request=GetLegendGraphic&layer=mws:areas')).toContain('ff0000ff');
    expect(await text(`${path}&width=9999`)).toMatch(/^400 /);
  });

  it('has the JSON form of GeoServer on request', async () => {
    const legend = await content('/wms?request=GetLegendGraphic&layer=lulc:classes&format=application/json');
    expect(JSON.parse(legend)).toEqual({
      Legend: [
        {
          layerName: 'classes',
          title: 'Land',
          rules: [
            {
              symbolizers: [
                {
                  Raster: {
                    colormap: {
                      type: 'values',
                      entries: [
                        { label: 'water', quantity: '1', color: '#0000FF' },
                        { label: 'crop', quantity: '2', color: '#00FF00' },
                      ],
                    },
                    opacity: '1',
                  },
                },
              ],
            },
          ],
        },
      ],
    });
  });
});

describe('GetCapabilities', () => {
  const find = (element: XmlElement, name: string): readonly XmlElement[] =>
    element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...find(child, name)]);

  it.each(['1.3.0', '1.1.1'])('of %s lists the layers with style, legend, time and boxes', async (version) => {
    const path = `/ows?service=WMS&request=GetCapabilities&version=${version}`;
    const root = readXml(await content(path));
    expect(root.attributes['version']).toBe(version);
    const names = find(root, 'Layer').flatMap((layer) => layer.children.filter(({ name }) => name === 'Name'));
    expect(names.map((name) => name.text)).toEqual(['lulc:classes', 'mws:areas']);
    expect(find(root, version === '1.3.0' ? 'Dimension' : 'Extent').map((time) => time.text)).toEqual([
      '2021-07-01T00:00:00Z/2022-06-30T23:59:59Z/PT1S',
      '2021-07-01T00:00:00Z/2022-06-30T23:59:59Z/PT1S',
    ]);
    expect(find(root, version === '1.3.0' ? 'CRS' : 'SRS').map((crs) => crs.text)).toContain('EPSG:3857');
    const addresses = find(root, 'OnlineResource').map(({ attributes }) => attributes['href'] ?? '');
    expect(addresses).toContain('https://example.org/geoserver/wms?');
    expect(addresses.find((href) => href.includes('GetLegendGraphic'))).toContain('layer=lulc%3Aclasses');
    expect((await send(path)).etag).toContain('state');
  });

  it('in the path of a workspace names the layers without the workspace', async () => {
    const document = await content('/lulc/wms?request=GetCapabilities');
    expect(document).toContain('<Name>classes</Name>');
    expect(document).toContain('https://example.org/geoserver/lulc/wms?');
  });
});
