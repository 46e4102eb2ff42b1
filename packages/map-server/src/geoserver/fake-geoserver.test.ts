import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { FakeGeoServer } from './fake-geoserver.fixture.ts';
import { foundLayer, ownKinds } from './ownership.ts';
import {
  ensureWorkspace,
  hasOwnStyle,
  layerNames,
  publishLayer,
  unpublishLayer,
  workspaceNames,
} from './publish-layer.ts';
import { alreadyExists, type RestAnswer, RestClient } from './rest-client.ts';

const FILE = new URL('../../../../../shared/data/geoserver/recordings/rest-2.26.2.jsonl', import.meta.url);
const Description = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

const Recording = z.object({
  note: z.string(),
  method: z.string(),
  path: z.string(),
  request: z.object({ contentType: z.string().nullable(), accept: z.string(), body: z.string().nullable() }),
  status: z.number(),
  contentType: z.string().nullable(),
  body: z.string(),
});

/** Beginnings of uploaded files; the recordings contain only their names. */
const FILES: Readonly<Record<string, string>> = {
  '@r.tif': 'II*',
  '@v.zip': 'PK',
  '@v.gpkg': 'SQLite format 3',
  '@lulc.sld': '<StyledLayerDescriptor/>',
};

if (!existsSync(FILE))
  console.warn('skipped: comparison with recordings of a GeoServer: ../shared/data/geoserver is missing');

describe.skipIf(!existsSync(FILE))('the fake GeoServer, compared with recordings of version 2.26.2', () => {
  test('answers every recorded call, in the recorded order, with the recorded status', () => {
    const fake = new FakeGeoServer();
    for (const workspace of ['lulc', 'mws', 'ts']) fake.workspaces.set(workspace, new Map());
    const lines = readFileSync(FILE, 'utf8').trim().split('\n');
    const wrong = lines.flatMap((line) => {
      const { note, method, path, request, status } = Recording.parse(JSON.parse(line));
      // These two are skipped: `rest` does not check credentials, and the web address (`ready`) is not part of REST.
      if (note === 'unauthenticated' || note === 'ready') return [];
      const body = request.body === null ? '' : (FILES[request.body] ?? request.body);
      const answer = fake.rest({
        method,
        path,
        contentType: request.contentType,
        accept: request.accept,
        body: new TextEncoder().encode(body),
      });
      return answer.status === status ? [] : [`${note}: ${method} ${path}: ${answer.status}, recorded ${status}`];
    });
    expect(wrong).toEqual([]);
    expect(lines.length).toBeGreaterThan(60);
  });
});

/**
 * Client that receives the recorded responses. A call that was recorded several times receives the last recorded
 * response each time.
 */
function recordedClient(): { readonly client: RestClient; readonly texts: ReadonlyMap<string, RestAnswer> } {
  const lines = readFileSync(FILE, 'utf8').trim().split('\n');
  const recorded = lines.map((line) => Recording.parse(JSON.parse(line)));
  const plain = (path: string): string => decodeURIComponent(path.split('?')[0] ?? '');
  const client = new RestClient(
    { url: 'http://recorded/geoserver', username: 'admin', password: 'geoserver' },
    {
      fetch: async (input, init) => {
        const { pathname } = new URL(new Request(input).url);
        const path = plain(pathname).replace('/geoserver', '');
        const found = recorded.findLast((each) => each.method === init?.method && plain(each.path) === path);
        // The recordings have no read of this workspace.
        if (path === '/rest/workspaces/mws.json') return Response.json({ workspace: { name: 'mws' } });
        if (found === undefined) throw new Error(`not recorded: ${init?.method} ${path}`);
        return new Response(found.body, { status: found.status });
      },
      sleep: async () => {},
      random: () => 0,
    },
  );
  return { client, texts: new Map(recorded.map(({ note, status, body }) => [note, { status, text: body }])) };
}

describe.skipIf(!existsSync(FILE))('the driver with recorded responses of version 2.26.2', () => {
  test('reads workspaces, layers, stores and styles', async () => {
    const { client } = recordedClient();
    expect(await workspaceNames(client)).toEqual(expect.arrayContaining(['lulc', 'mws']));
    expect(await layerNames(client, 'mws')).toEqual(['mws_demo', 'mws_pg', 'mws_shp']);
    const raster = { workspace: 'lulc', name: 'lulc_2020', kind: 'raster' } as const;
    expect(await foundLayer({ client, installation: 'a' }, raster)).toMatchObject({ owner: 'unknown' });
    expect(await hasOwnStyle({ client, installation: 'a' }, { workspace: 'lulc', name: 'lulc_2020' })).toBe(false);
    expect(await hasOwnStyle({ client, installation: 'a' }, { workspace: 'lulc', name: 'none' })).toBe(false);
    await ensureWorkspace(client, 'lulc');
    expect(await client.resource(['styles', 'nope'])).toBeUndefined();
    expect(await client.isReady()).toBe(true);
  });

  test('does not overwrite the recorded table of a database', async () => {
    const { client } = recordedClient();
    const layer = { workspace: 'mws', name: 'pg', title: '', abstract: '', kind: 'vector' as const, version: '1' };
    const data = { length: 0, stream: () => new Blob([]).stream() };
    await expect(
      publishLayer({ client, installation: 'a' }, { layer, data, sld: null, isStyleRefused: false }),
    ).rejects.toThrow(/in the store "pg"/);
  });

  test('recognises each recorded form of "already exists", and no other response', () => {
    const { texts } = recordedClient();
    const found = [...texts].filter(([, answer]) => alreadyExists(answer)).map(([note]) => note);
    expect(found.toSorted()).toEqual([
      'featuretype duplicate',
      'postgis store duplicate',
      'style one-shot duplicate',
      'style step1 duplicate',
      'workspace duplicate',
    ]);
  });
});

const OPENAPI = new URL('../../../../../shared/data/geoserver/openapi/', import.meta.url);

function describedOperations(): readonly (readonly [method: string, pattern: RegExp])[] {
  const files = readdirSync(OPENAPI).filter((name) => name.endsWith('.yaml'));
  return files.flatMap((name) => {
    const { paths } = Description.parse(parse(readFileSync(new URL(name, OPENAPI), 'utf8')));
    return Object.entries(paths).flatMap(([path, methods]) => {
      // Three paths of styles.yaml wrongly repeat `/rest`.
      const pattern = path.replace(/^\/rest(?=\/)/, '').replaceAll(/\{[^}]+\}/g, '[^/]+');
      return Object.keys(methods).map((method) => [method.toUpperCase(), new RegExp(`^/rest${pattern}$`)] as const);
    });
  });
}

describe.skipIf(!existsSync(OPENAPI))('the calls of the driver', () => {
  test('are operations of the OpenAPI files of GeoServer', async () => {
    const fake = new FakeGeoServer();
    const server = await fake.listen();
    const tools = { fetch, sleep: async () => {}, random: () => 0 };
    const client = new RestClient({ url: server.url, username: 'admin', password: 'geoserver' }, tools);
    const own = { client, installation: 'a' };
    try {
      for (const kind of ['raster', 'vector'] as const) {
        const layer = { workspace: 'ws', name: kind, title: '', abstract: '', kind, version: '1' };
        const file = new Blob([kind === 'raster' ? 'II*' : 'PK']);
        const data = { length: file.size, stream: () => file.stream() };
        await publishLayer(own, { layer, data, sld: '<StyledLayerDescriptor/>', isStyleRefused: false });
        await unpublishLayer(own, layer, await ownKinds(own, 'ws', kind));
      }
      for (const workspace of await workspaceNames(client)) await layerNames(client, workspace);
      expect(fake.layers).toEqual([]);
    } finally {
      await server.close();
    }
    const known = describedOperations();
    // The driver adds `.json` to GET addresses; the OpenAPI files do not contain this ending.
    const unknown = [...new Set(fake.calls)].filter((call) => {
      const [method = '', path = ''] = call.split(' ');
      return !known.some(
        ([each, pattern]) => each === method && pattern.test(decodeURIComponent(path).replace(/\.json$/, '')),
      );
    });
    expect(unknown).toEqual([]);
    expect(fake.calls.length).toBeGreaterThan(20);
  });
});
