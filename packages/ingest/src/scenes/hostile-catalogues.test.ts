import type { IncomingMessage, RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SceneQuery } from '@headwater/core';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';
import { stillClock } from '../../../../scripts/still-clock.mjs';
import { loopbackSpellings } from './loopback.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openScenes, type SceneSources } from './catalogues.ts';
import { cpuTime } from '../../../../scripts/cpu-time.mjs';

const QUERY: SceneQuery = { bbox: [75, 23, 76, 24], start: '2023-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' };
const open: Loopback[] = [];
let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'scenes-'))));
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
  await rm(folder, { recursive: true, force: true });
});

async function listen(answer: RequestListener): Promise<Loopback> {
  const listener = await listenOnLoopback(answer);
  open.push(listener);
  return listener;
}
const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify(value));

const item = (id: string, change: object = {}) => ({
  type: 'Feature',
  id,
  bbox: [75.2, 23.2, 75.8, 23.8],
  properties: { datetime: '2023-06-01T05:30:00Z', 'proj:code': 'EPSG:32643' },
  assets: { B04: { href: './B04.tif', type: 'image/tiff' } },
  links: [],
  ...change,
});
const page = (features: readonly object[], ...links: readonly object[]) => ({
  type: 'FeatureCollection',
  features,
  links,
});
const self = (href: string) => ({ links: [{ rel: 'self', href }] });

/** Resolves all names to this machine, so that tests do not use the system's resolver. */
const toLoopback: LookupFunction = (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);

function retryingSearch(sources: Omit<SceneSources, 'folder' | 'network'>, allowedOrigins: readonly string[] = []) {
  const { pauses, tools: still } = stillClock();
  const tools = { ...still, lookup: toLoopback };
  const scenes = openScenes({ folder, ...sources, network: { settings: { allowedOrigins }, tools } });
  return { pauses, search: (query: Partial<SceneQuery> = {}) => scenes.search({ ...QUERY, ...query }) };
}
const api = (url: string) => ({ api: { url, collections: ['sentinel-2-l2a'] } });

describe('a STAC API', () => {
  it('fails, without a request, if its next link is an address that is not public', async () => {
    const hidden = await listen(json(page([])));
    for (const root of loopbackSpellings(hidden.port)) {
      const front = await listen(json(page([item('a')], { rel: 'next', href: `${root}/search?token=s3cret` })));
      const { search, pauses } = retryingSearch(api(front.origin));
      const failure: unknown = await search().catch((error: unknown) => error);
      expect(failure, root).toMatchObject({
        code: 'input_data',
        message: expect.stringMatching(/^The STAC API http:.* cannot be searched: http:.*\/search: it leads to a /),
      });
      expect(String(failure)).not.toContain('s3cret');
      expect([front.asked.length, pauses]).toEqual([1, []]);
    }
    expect(hidden.asked).toEqual([]);
  });

  it.each(['file:///etc/passwd', 'c:/etc/passwd', 'ftp://127.0.0.1/', 'x:y'])(
    'fails if its next link is %j: the page does not count as the last page',
    async (href) => {
      const front = await listen(json(page([item('a')], { rel: 'next', href })));
      await expect(retryingSearch(api(front.origin)).search()).rejects.toMatchObject({
        code: 'input_data',
        message: expect.stringContaining('one of its next links is not an http(s) address'),
      });
    },
  );

  it('is not followed if it redirects to an address that is not public', async () => {
    const hidden = await listen(json(page([])));
    const location = `http://127.1:${hidden.port}/search`;
    const front = await listen((_, response) => void response.writeHead(307, { location }).end());
    const { search, pauses } = retryingSearch(api(front.origin));
    await expect(search()).rejects.toMatchObject({ code: 'input_data', message: expect.stringContaining('loopback') });
    expect([hidden.asked, pauses]).toEqual([[], []]);
  });

  it.each([
    ['repeat', () => '/search?x=1'],
    ['go on for ever', (request: IncomingMessage) => `${request.url ?? ''}1`],
  ])('fails if its next links %s', async (_, next) => {
    const front = await listen((request, response) => {
      response.end(JSON.stringify(page([], { rel: 'next', href: next(request) })));
    });
    const { search, pauses } = retryingSearch(api(front.origin));
    await expect(search()).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringContaining('its next links do not end'),
    });
    expect(front.asked.length).toBeLessThanOrEqual(500);
    expect(pauses).toEqual([]);
  });

  it('fails if its page is endless', async () => {
    const front = await listen((_, response) => {
      const more = (): void => {
        while (response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const { search, pauses } = retryingSearch(api(front.origin));
    await expect(search()).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringContaining('larger than'),
    });
    expect([front.asked.length, pauses]).toEqual([1, []]);
  });

  it.each([
    ['nested', `{"a":${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}}`],
    ['in many pieces', `[${'{},'.repeat(3_000_000)}{}]`],
    ['with many members', `{${Array.from({ length: 700_000 }, (_, i) => `"${i}":1`).join(',')}}`],
  ])('fails before its page is parsed, because parsing would take seconds (%s)', async (_, text) => {
    const front = await listen((__, response) => void response.end(text));
    await expect(retryingSearch(api(front.origin)).search()).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringMatching(/its response has more than (1000000|150000) values/),
    });
  });

  it('does not block the event loop while its Items are added; Items with too many assets are left out', async () => {
    const assets = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, { href: 'B04.tif' }]));
    const features = Array.from({ length: 150 }, (_, i) => item(`a${i}`, { assets: assets(i === 0 ? 301 : 300) }));
    const front = await listen(json(page(features)));
    // CPU time is measured, because elapsed time includes waits for a CPU.
    let [longest, last] = [0, process.cpuUsage()];
    const measure = (): void => {
      const { user, system } = process.cpuUsage(last);
      longest = Math.max(longest, (user + system) / 1000);
      last = process.cpuUsage();
    };
    const watch = setInterval(measure, 1);
    const { result, ms } = await cpuTime(() => retryingSearch(api(front.origin)).search());
    measure();
    clearInterval(watch);
    const { rejected, scenes } = result;
    expect([rejected.length, rejected[0]?.reason, scenes.length]).toEqual([
      1,
      'has more than 300 assets; remove some',
      149,
    ]);
    expect(longest).toBeLessThan(ms / 2);
  });

  it.each([
    'file:///etc/x.json',
    'c:/etc/x.json',
    '/etc/x.json',
    '\\\\etc\\x.json',
    's3://b/x.json',
    'x:y',
    '//',
    ' ',
    'data:,x',
    'http://me:pw@h.example.org/x.json',
    'http://[::1/x.json',
  ])('cannot name a file of this machine by the self link %j of an Item', async (href) => {
    const front = await listen(json(page([item('a', self(href))])));
    const [scene] = (await retryingSearch(api(front.origin)).search()).scenes;
    for (const address of [scene?.itemHref, scene?.bands['red']?.href]) expect(address).toMatch(/^http:\/\/(127|etc)/);
  });

  it.each(['/etc/B04.tif', '\\etc\\B04.tif', '../../../../etc/B04.tif', 'B04.tif'])(
    'cannot name a file of this machine by the href %j of an asset',
    async (href) => {
      const front = await listen(json(page([item('a', { assets: { B04: { href, type: 'image/tiff' } } })])));
      const [scene] = (await retryingSearch(api(front.origin)).search()).scenes;
      expect(scene?.bands['red']?.href).toMatch(new RegExp(`^${front.origin}/`));
    },
  );

  it.each(['file:///etc/B04.tif', 'c:/B04.tif', 's3://me:s3cret@b/B04.tif?sig=s3cret'])(
    'is read, but an Item with the asset href %j is left out; the reason contains no secret',
    async (href) => {
      const front = await listen(json(page([item('a', { assets: { B04: { href, type: 'image/tiff' } } })])));
      const { scenes, rejected } = await retryingSearch(api(`${front.origin}/?key=s3cret`)).search();
      expect(scenes).toEqual([]);
      expect(rejected).toEqual([
        {
          itemHref: `${front.origin}/search`,
          reason: expect.stringContaining('is not an http(s) address or a readable file'),
        },
      ]);
      expect(JSON.stringify(rejected)).not.toContain('s3cret');
    },
  );

  it('gets requests with the query of its address; the query is not copied to scenes', async () => {
    const front = await listen(json(page([item('a'), item('b', self('/items/b?key=s3cret'))])));
    const { scenes } = await retryingSearch(api(`${front.origin}/v1?key=s3cret`)).search();
    expect(front.asked).toEqual(['POST /v1/search?key=s3cret']);
    expect(scenes.map(({ itemHref }) => itemHref)).toEqual([`${front.origin}/v1/search`, `${front.origin}/items/b`]);
  });

  it('keeps the signature in the address of an asset for the reader of pixels', async () => {
    const href = 'https://store.example.org/B04.tif?X-Amz-Signature=abc%2Fd';
    const front = await listen(json(page([item('a', { assets: { B04: { href, type: 'image/tiff' } } })])));
    expect((await retryingSearch(api(front.origin)).search()).scenes[0]?.bands['red']?.href).toBe(href);
  });

  it('fails at the time limit of a search; an aborted search throws the reason of its signal', async () => {
    const front = await listen((_, response) => void response.writeHead(200).write('{'));
    const scenes = (searchMs: number) =>
      openScenes({ folder, ...api(front.origin), network: { settings: { searchMs } } });
    await expect(scenes(30).search(QUERY)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('the search for scenes did not end within'),
    });
    const signal = AbortSignal.abort(new Error('cancelled by its owner'));
    await expect(scenes(60_000).search({ ...QUERY, signal })).rejects.toThrow('cancelled by its owner');
  });

  it('cannot be searched with an invalid allowed origin: the creation of the search throws', () => {
    expect(() => retryingSearch({}, ['10.0.0.5'])).toThrow(/^allowedOrigins: "10.0.0.5" is not an origin/);
  });
});

describe('a static catalogue', () => {
  async function put(...links: readonly object[]): Promise<void> {
    await mkdir(join(folder, 's2'), { recursive: true });
    await writeFile(join(folder, 's2', 'catalog.json'), JSON.stringify({ type: 'Catalog', id: 'c', links }));
  }

  it('reports and leaves out documents at addresses that are not public, and sends no request to them', async () => {
    const hidden = await listen(json(item('x')));
    const hrefs = loopbackSpellings(hidden.port).map((root) => `${root}/x.json?key=s3cret`);
    await put(...hrefs.map((href) => ({ rel: 'item', href })));
    const { search, pauses } = retryingSearch({});
    const { scenes, rejected } = await search();
    expect([scenes, hidden.asked, pauses]).toEqual([[], [], []]);
    expect(rejected).toHaveLength(hrefs.length);
    for (const { reason } of rejected)
      expect(reason).toMatch(/it leads to a .* address, to which no requests are sent/);
    expect(JSON.stringify(rejected)).not.toContain('s3cret');
  });

  it('is left out immediately, with the reason, if its response is not JSON', async () => {
    const front = await listen((_, response) => void response.end('{"type":"Catalog","links":[{]}'));
    await put({ rel: 'child', href: `${front.origin}/catalog.json` });
    const { search, pauses } = retryingSearch({}, [front.origin]);
    const { rejected } = await search();
    expect(rejected).toEqual([
      { itemHref: `${front.origin}/catalog.json`, reason: expect.stringContaining('its response is not JSON') },
    ]);
    expect([front.asked.length, pauses]).toEqual([1, []]);
  });

  it('at an http address cannot name local files', async () => {
    await writeFile(join(folder, 'own.json'), JSON.stringify(item('own')));
    const hrefs = [`file://${folder}/own.json`, `${folder}/own.json`, `\\${folder.slice(1)}/own.json`, 'c:/own.json'];
    const links = hrefs.map((href) => ({ rel: 'item', href }));
    const front = await listen((request, response) => {
      if (request.url === '/catalog.json') response.end(JSON.stringify({ type: 'Catalog', id: 'c', links }));
      else response.writeHead(404).end();
    });
    await put({ rel: 'child', href: `${front.origin}/catalog.json` });
    const { scenes, rejected } = await retryingSearch({}, [front.origin]).search();
    expect(scenes).toEqual([]);
    expect(rejected.map(({ itemHref }) => itemHref)).toEqual(
      expect.arrayContaining([`${front.origin}/catalog.json`, `${front.origin}${folder}/own.json`]),
    );
  });
});
