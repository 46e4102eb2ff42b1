import { existsSync, readFileSync } from 'node:fs';
import type { MapLayer, MapReply, MapServerParts } from '@headwater/core/ports';
import { describe, expect, test } from 'vitest';
import { createGeoServer } from './driver.ts';

const FOLDER = new URL('../../../../../shared/data/geoserver/recordings/ogc/', import.meta.url);
if (!existsSync(FOLDER))
  console.warn('skipped: comparison with recordings of a GeoServer: ../shared/data/geoserver is missing');

interface Recording {
  readonly file: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
}

const RECORDINGS: readonly Recording[] = existsSync(FOLDER)
  ? (JSON.parse(readFileSync(new URL('index.json', FOLDER), 'utf8')) as readonly Recording[])
  : [];

const LAYERS: readonly MapLayer[] = (['mws:mws_pg', 'lulc:lulc_2020'] as const).map((id) => {
  const [workspace = '', name = ''] = id.split(':');
  return {
    workspace,
    name,
    title: name,
    abstract: '',
    kind: workspace === 'mws' ? 'vector' : 'raster',
    version: '1',
    isLasting: false,
    box: [85.4, 25.06, 85.72, 25.3],
    interval: null,
    assetKey: `a/1/${name}`,
    sldKey: null,
    qmlKey: null,
    columns: [{ name: 'uid', type: 'string' }],
    geometryName: 'geom',
    itemHref: null,
  };
});

/**
 * Comparable form of a request: workspace, service and sorted parameters, with lower-case parameter names and one
 * spelling of layer names.
 */
function meaningOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://geoserver.example');
  const query = [...searchParams].map(
    ([name, value]) => [name.toLowerCase().replace('typenames', 'typename'), value.replace('__', ':')] as const,
  );
  const service = new Map(query).get('service')?.toLowerCase() ?? '';
  const workspace = pathname.split('/').at(-2) ?? '';
  return JSON.stringify([
    workspace,
    service,
    ...query
      .filter(([, value]) => value !== '')
      .map(([name, value]) =>
        [name, name === 'request' ? value.toLowerCase() : value.replace(/^(?!\w+:)(?=lulc_)/, 'lulc:')].join('='),
      )
      .toSorted(),
  ]);
}

async function replay({ file, path, status, contentType }: Recording, request = path): Promise<MapReply> {
  const refuse = async (): Promise<never> => {
    throw new Error('nothing else is read');
  };
  const parts: MapServerParts = {
    layers: {
      workspaces: async () => ['lulc', 'mws'],
      list: () => ReadableStream.from(LAYERS),
      find: async (workspace, name) => LAYERS.find((each) => each.workspace === workspace && each.name === name),
      version: async () => '1',
    },
    openFile: async () => ({
      bytes: 45,
      etag: 'a',
      modified: new Date(0),
      stream: () => new Blob(['{"type":"FeatureCollection","features":[]}   ']).stream(),
    }),
    localPath: refuse,
    pixels: undefined,
    url: 'https://example.org/geoserver',
    title: 'Example',
    provider: null,
  };
  const driver = createGeoServer({
    ...parts,
    settings: { url: 'http://127.0.0.1:18080/geoserver', username: 'admin', password: 'secret' },
    tools: {
      fetch: async (url) => {
        expect(meaningOf(new Request(url).url)).toBe(meaningOf(request));
        return new Response(readFileSync(new URL(file, FOLDER)), { status, headers: { 'content-type': contentType } });
      },
    },
  });
  const { pathname, searchParams } = new URL(request, 'http://geoserver.example');
  return await driver.answer({
    method: 'GET',
    segments: pathname.split('/').filter(Boolean),
    query: Object.fromEntries([...searchParams].map(([name, value]) => [name.toLowerCase(), value])),
    headers: {},
    signal: new AbortController().signal,
  });
}

const bytesOf = async (body: MapReply['body']): Promise<Buffer> =>
  Buffer.from(await new Response(body instanceof Uint8Array ? Buffer.from(body) : body).arrayBuffer());

const isError = ({ file }: Recording): boolean => /missing|bad-/.test(file);
// WFS and WCS 1.0.0 requests are not forwarded.
const forwarded = RECORDINGS.filter((each) => !isError(each) && /^(?:wcs-2|wms)/.test(each.file));

describe.skipIf(RECORDINGS.length === 0)('the driver in front of a GeoServer that answers as in the recordings', () => {
  test.each(forwarded)('$file: forwards a request of the same meaning, and the whole response', async (recording) => {
    const { status, body } = await replay(recording);
    const recorded = readFileSync(new URL(recording.file, FOLDER));
    const bytes = await bytesOf(body);
    expect(status).toBe(200);
    if (recording.file.includes('capabilities'))
      expect(bytes.toString()).toBe(recorded.toString().replaceAll('http://127.0.0.1:18080', 'https://example.org'));
    else expect(bytes.equals(recorded)).toBe(true);
  });

  test.each(RECORDINGS.filter(isError))('$file: the request is refused with 4xx', async (recording) => {
    expect([400, 404]).toContain((await replay(recording)).status);
  });

  test.each(RECORDINGS.filter(isError))(
    '$file: the response is an error without the text of the GeoServer',
    async (recording) => {
      const request =
        '/lulc/wcs?service=WCS&version=2.0.1&request=GetCoverage&CoverageId=lulc:lulc_2020&format=geotiff';
      const { status, body } = await replay(recording, request);
      const text = (await bytesOf(body)).toString();
      expect([status, text]).toEqual([400, expect.stringContaining('refuses this getcoverage request')]);
      expect(text).not.toMatch(/nope|Could not|unknown/);
    },
  );
});
