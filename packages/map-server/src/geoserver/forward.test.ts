import { existsSync, readFileSync } from 'node:fs';
import type { MapLayer, MapRequest } from '@headwater/core/ports';
import { describe, expect, test } from 'vitest';
import { forward } from './forward.ts';

const LAYER: MapLayer = {
  workspace: 'mws',
  name: 'mws_demo',
  title: 'Micro-watersheds',
  abstract: '',
  kind: 'vector',
  version: '1',
  isLasting: false,
  box: null,
  interval: null,
  assetKey: 'a/1/b',
  sldKey: null,
  qmlKey: null,
  columns: [{ name: 'uid', type: 'string' }],
  geometryName: 'geom',
  itemHref: null,
};

function upstream(answer: () => Response): {
  readonly seen: { url: string; init: RequestInit }[];
  readonly ask: typeof ask;
} {
  const seen: { url: string; init: RequestInit }[] = [];
  const ask = async (
    query: Record<string, string>,
    segments: readonly string[] = ['mws', 'ows'],
    headers: MapRequest['headers'] = {},
  ) =>
    await forward(
      {
        root: 'http://10.0.0.5:8080/geoserver',
        url: 'https://example.org/geoserver',
        fetch: async (url, init) => {
          seen.push({ url: new Request(url).url, init: init ?? {} });
          return answer();
        },
        layers: {
          workspaces: async () => ['mws'],
          list: () => ReadableStream.from([LAYER]),
          find: async (workspace, name) => (workspace === 'mws' && name === 'mws_demo' ? LAYER : undefined),
          version: async () => '1',
        },
      },
      { method: 'GET', segments, query, headers, signal: new AbortController().signal },
    );
  return { seen, ask };
}

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const MAP = {
  service: 'WMS',
  version: '1.1.1',
  request: 'GetMap',
  layers: 'mws:mws_demo',
  format: 'image/png',
};

describe('reads that are forwarded to a GeoServer', () => {
  test('are built again from their parameters, without credentials of the client', async () => {
    const { seen, ask } = upstream(() => new Response('{"type":"FeatureCollection"}', JSON_TYPE));
    const reply = await ask({ ...MAP, width: '007', bbox: ' 1,2 ,3,4' }, ['mws', 'ows'], {
      authorization: 'Bearer secret',
      cookie: 'a=b',
      range: 'bytes=0-9',
    });
    expect(await new Response(reply.body).text()).toBe('{"type":"FeatureCollection"}');
    const url = new URL(seen[0]!.url);
    expect(url.pathname).toBe('/geoserver/mws/wms');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      service: 'WMS',
      version: '1.1.1',
      request: 'getmap',
      layers: 'mws:mws_demo',
      format: 'image/png',
      width: '7',
      bbox: '1,2,3,4',
    });
    expect(seen[0]!.init.headers).toEqual({ range: 'bytes=0-9' });
    expect(seen[0]!.init.redirect).toBe('manual');
  });

  test.each([
    ['sld', 'http://evil.example/x.sld', /sld: this parameter is not offered/],
    ['sld_body', '<x/>', /not offered/],
    ['viewparams', 'a:1', /not offered/],
    ['env', 'a:1', /not offered/],
    ['filter', '<Filter/>', /not offered/],
    ['format_options', 'callback:x', /not offered/],
    ['featureid', 'mws_demo.1', /not offered/],
    ['query_layers', 'mws:mws_demo', /not offered/],
    ['height', '4097', /whole number/],
    ['remote_ows_url', 'http://evil.example', /not offered/],
    ['cql_filter', 'exec(java.lang.Runtime.getRuntime())', /cql_filter/],
    ['propertyname', "exec(java.lang.Runtime.getRuntime(),'id')", /not offered/],
    ['sortby', 'uid; drop table x', /not offered/],
    ['styles', '../evil', /default style/],
    ['service', 'WFS', /send WCS or WMS/],
    ['bbox', '1,2,3,4,EPSG:4326 OR 1=1', /four numbers/],
    ['width', '99999999999', /whole number/],
    ['format', 'text/javascript', /format/],
    ['layers', 'mws:other', /no layer "mws:other"/],
    ['version', '9.9.9', /send 1\.1\.1/],
    ['request', 'Transaction', /not offered/],
    ['request', 'constructor', /request: .* not offered/],
    ['request', '__proto__', /request: .* not offered/],
    ['__proto__', 'x', /not offered/],
  ])('%s = %s is refused, and nothing is sent', async (name, value, message) => {
    const { seen, ask } = upstream(() => new Response('{}', JSON_TYPE));
    const query = Object.fromEntries([...Object.entries(MAP), [name, value]]);
    await expect(ask(query)).rejects.toThrow(message);
    expect(seen).toEqual([]);
  });

  test('an exception report with status 200 is an error without the text of the server', async () => {
    const report =
      '<?xml version="1.0"?><ServiceExceptionReport>SELECT * FROM secret at org.geoserver.Wfs</ServiceExceptionReport>';
    for (const type of ['text/xml', 'application/vnd.ogc.se_xml', 'application/json']) {
      const { ask } = upstream(() => new Response(report, { headers: { 'content-type': type } }));
      const error = await ask(MAP).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(/refuses this getmap request/);
      expect(String(error)).not.toMatch(/secret|org\.geoserver/);
    }
  });

  test('a page instead of a map is not forwarded to the client', async () => {
    const { ask } = upstream(
      () => new Response('<html><script>x</script></html>', { headers: { 'content-type': 'text/html' } }),
    );
    await expect(ask(MAP)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(ask({ service: 'WMS', request: 'GetCapabilities' })).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('redirects, refused credentials and failures of the server are reported as an unavailable map server', async () => {
    for (const status of [302, 401, 500, 503]) {
      const { ask } = upstream(
        () =>
          new Response('java.lang.NullPointerException', {
            status,
            headers: status === 302 ? { location: 'http://evil.example' } : {},
          }),
      );
      await expect(ask(MAP)).rejects.toMatchObject({ code: 'unavailable' });
    }
  });

  test('capabilities name the public address instead of the internal one', async () => {
    const { ask } = upstream(
      () =>
        new Response('<WMS_Capabilities><a href="http://10.0.0.5:8080/geoserver/ows"/></WMS_Capabilities>', {
          headers: { 'content-type': 'text/xml' },
        }),
    );
    const reply = await ask({ service: 'WMS', request: 'GetCapabilities' }, ['wms']);
    expect(reply.body).toBe('<WMS_Capabilities><a href="https://example.org/geoserver/ows"/></WMS_Capabilities>');
  });

  test('the media type `geotiff` is corrected', async () => {
    const { ask } = upstream(() => new Response('II*', { headers: { 'content-type': 'geotiff' } }));
    const reply = await ask({ service: 'WCS', version: '2.0.1', request: 'GetCoverage', coverageid: 'mws__mws_demo' }, [
      'mws',
      'wcs',
    ]);
    expect(reply.headers['content-type']).toBe('image/tiff; application=geotiff');
  });

  test('administration is not reachable', async () => {
    const { seen, ask } = upstream(() => new Response('', JSON_TYPE));
    for (const segments of [['rest'], ['gwc', 'rest'], ['wps'], ['TestWfsPost'], ['web']])
      await expect(ask({ request: 'GetCapabilities' }, segments)).rejects.toThrow(/service/);
    await expect(ask(MAP, ['absent', 'wms'])).rejects.toThrow(/workspace: "absent" is unknown/);
    expect(seen).toEqual([]);
  });
});

const OGC = new URL('../../../../../shared/data/geoserver/recordings/ogc/', import.meta.url);
if (!existsSync(OGC)) console.warn('skipped: recorded OGC responses: ../shared/data/geoserver is missing');

describe.skipIf(!existsSync(OGC))('recorded responses of GeoServer 2.26.2', () => {
  const recorded = (file: string, type: string, status = 200) =>
    upstream(() => new Response(readFileSync(new URL(file, OGC)), { status, headers: { 'content-type': type } }));
  const COVERAGE = { service: 'WCS', version: '2.0.1', request: 'GetCoverage', coverageid: 'mws__mws_demo' };

  test.each([
    ['wms-1.1.1-missing.xml', 'application/vnd.ogc.se_xml;charset=utf-8', 200, MAP],
    ['wcs-2.0.1-missing.xml', 'application/xml', 404, COVERAGE],
    ['wcs-2.0.1-bad-format.xml', 'application/xml', 400, COVERAGE],
    ['wfs-1.0.0-bad-cql.xml', 'text/xml;charset=utf-8', 200, MAP],
  ])('%s is an error of the request without the text of the server', async (...[file, type, status, query]) => {
    const error = await recorded(file, type, status)
      .ask(query)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'validation', message: expect.stringMatching(/^the map server refuses/) });
  });

  test.each([
    ['wms-1.1.1-map.png', 'image/png', MAP, 'image/png'],
    ['wms-1.1.1-legend.json', 'application/json', MAP, 'application/json'],
    ['wcs-2.0.1-upstream-link.tif', 'geotiff', COVERAGE, 'image/tiff; application=geotiff'],
  ])('%s is forwarded unchanged', async (...[file, type, query, sent]) => {
    const reply = await recorded(file, type).ask(query);
    expect(reply.headers['content-type']).toBe(sent);
    const { body } = reply;
    const bytes = await new Response(body instanceof Uint8Array ? new Uint8Array(body) : body).bytes();
    expect(Buffer.from(bytes).equals(readFileSync(new URL(file, OGC)))).toBe(true);
  });
});
