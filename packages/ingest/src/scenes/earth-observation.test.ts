import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createEarthObservation } from './earth-observation.ts';
import type { ReadJson } from './static-catalog.ts';

const QUERY = { bbox: [75, 23, 76, 24], start: '2023-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' } as const;

const item = (id: string, change: object = {}, properties: object = {}) => ({
  type: 'Feature',
  id,
  collection: 'sentinel-2-l2a',
  bbox: [75.2, 23.2, 75.8, 23.8],
  properties: { datetime: '2023-06-01T05:30:00Z', 'proj:code': 'EPSG:32643', ...properties },
  assets: { B04: { href: './B04.tif', type: 'image/tiff' } },
  links: [],
  ...change,
});
const catalog = (...links: readonly (readonly [string, string])[]) => ({
  type: 'Catalog',
  id: 'c',
  links: [{ rel: 'root', href: './catalog.json' }, ...links.map(([rel, href]) => ({ rel, href }))],
});

/** One request, and that is it. */
const IMPATIENT = { settings: { tries: 1, patienceMs: 0 } };

/** Reads documents kept by path; counts the reads. */
function library(documents: Readonly<Record<string, unknown>>, reads: string[] = []): ReadJson {
  return (href) => {
    reads.push(href);
    return href in documents ? Promise.resolve(documents[href]) : Promise.reject(new Error('no such file'));
  };
}

describe('static catalogues', () => {
  const search = (documents: Readonly<Record<string, unknown>>, reads?: string[], roots = ['/eo/catalog.json']) =>
    createEarthObservation({ roots, readJson: library(documents, reads) }).search(QUERY);

  it('are walked over child and item links, scenes in order of time', async () => {
    const found = await search({
      '/eo/catalog.json': catalog(['child', './s2/collection.json'], ['item', './late.json']),
      '/eo/s2/collection.json': { ...catalog(['item', './a/a.json']), type: 'Collection' },
      '/eo/s2/a/a.json': item('a'),
      '/eo/late.json': item('late', {}, { datetime: '2023-07-01T05:30:00Z' }),
    });
    expect(found.scenes.map((s) => [s.id, s.itemHref, s.bands['red']?.href])).toEqual([
      ['a', '/eo/s2/a/a.json', '/eo/s2/a/B04.tif'],
      ['late', '/eo/late.json', '/eo/B04.tif'],
    ]);
    expect(found.rejected).toEqual([]);
  });

  it('are found from a relative root, which is taken from the working directory, and from a file: URL', async () => {
    const documents = (folder: string) => ({
      [`${folder}/catalog.json`]: catalog(['item', './a.json']),
      [`${folder}/a.json`]: item('a'),
    });
    const here = await search(documents(`${process.cwd()}/eo`), [], ['eo/catalog.json']);
    expect(here.rejected).toEqual([]);
    expect(here.scenes.map(({ bands }) => bands['red']?.href)).toEqual([`${process.cwd()}/eo/B04.tif`]);
    const byUrl = await search(documents('/my eo'), [], ['file:///my%20eo/catalog.json']);
    expect(byUrl.rejected).toEqual([]);
    expect(byUrl.scenes.map(({ bands }) => bands['red']?.href)).toEqual(['/my eo/B04.tif']);
  });

  it('are filtered by box and half-open period', async () => {
    const when = (datetime: string) => ({ datetime });
    const found = await search({
      '/eo/catalog.json': catalog(
        ...['far', 'early', 'end', 'start', 'touch'].map((n) => ['item', `./${n}.json`] as const),
      ),
      '/eo/far.json': item('far', { bbox: [80, 23, 81, 24] }),
      '/eo/early.json': item('early', {}, when('2022-12-31T23:59:59Z')),
      '/eo/end.json': item('end', {}, when('2024-01-01T00:00:00Z')),
      '/eo/start.json': item('start', {}, when('2023-01-01T00:00:00Z')),
      '/eo/touch.json': item('touch', { bbox: [76, 22, 77, 23] }),
    });
    expect(found.scenes.map((s) => s.id)).toEqual(['start', 'touch']);
  });

  it('keep going past broken, foreign and missing documents, with reasons', async () => {
    const found = await search({
      '/eo/catalog.json': catalog(
        ['item', './gone.json'],
        ['item', './odd.json'],
        ['child', './list.json'],
        ['item', './ok.json'],
      ),
      '/eo/odd.json': { ...item('odd'), assets: {} },
      '/eo/list.json': [1, 2],
      '/eo/ok.json': item('ok'),
    });
    expect(found.scenes.map((s) => s.id)).toEqual(['ok']);
    expect(found.rejected.map((r) => r.itemHref).toSorted()).toEqual([
      '/eo/gone.json',
      '/eo/list.json',
      '/eo/odd.json',
    ]);
    expect(found.rejected.find((r) => r.itemHref === '/eo/gone.json')?.reason).toContain('no such file');
  });

  it('end in spite of cycles, and read each document once', async () => {
    const reads: string[] = [];
    const found = await search(
      {
        '/eo/catalog.json': catalog(['child', './b.json'], ['child', './catalog.json']),
        '/eo/b.json': catalog(['child', './catalog.json'], ['item', './a.json']),
        '/eo/a.json': item('a'),
      },
      reads,
    );
    expect(found.scenes).toHaveLength(1);
    expect(reads.toSorted()).toEqual(['/eo/a.json', '/eo/b.json', '/eo/catalog.json']);
  });

  it('give a scene once, the first catalogue winning, and find folders dropped in later', async () => {
    const documents = {
      '/one/catalog.json': catalog(['item', './a.json']),
      '/one/a.json': item('a'),
      '/two/catalog.json': catalog(['item', './a.json']),
      '/two/a.json': item('a'),
    };
    const later: string[] = [];
    const eo = createEarthObservation({
      roots: ['/one/catalog.json'],
      listRoots: () => Promise.resolve(later),
      readJson: library(documents),
    });
    later.push('/two/catalog.json', '/one/catalog.json');
    expect((await eo.search(QUERY)).scenes.map((s) => s.itemHref)).toEqual(['/one/a.json']);
  });

  it('cut a tree that is too deep', async () => {
    const documents = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`/eo/${i}.json`, catalog(['child', `./${i + 1}.json`])]),
    );
    const found = await search(documents, [], ['/eo/0.json']);
    expect(found.rejected[0]?.reason).toContain('levels deep');
  });

  it('with more links than are followed are left out', async () => {
    const links = Array.from({ length: 100_001 }, () => ['item', './a.json'] as const);
    const found = await search({ '/eo/catalog.json': catalog(...links), '/eo/a.json': item('a') });
    expect(found.scenes).toEqual([]);
    expect(found.rejected[0]?.reason).toContain('has more than 100000 links');
  });

  it('stop when the search is aborted', async () => {
    const eo = createEarthObservation({
      roots: ['/eo/catalog.json'],
      readJson: library({ '/eo/catalog.json': catalog() }),
    });
    await expect(eo.search({ ...QUERY, signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  });
});

describe('a STAC API', () => {
  const closers: (() => void)[] = [];
  afterEach(() => closers.splice(0).forEach((close) => close()));

  /** A listening API: `answer` gets method, URL and body, and gives status and JSON. */
  async function api(answer: (asked: { method: string; url: string; body: unknown }) => readonly [number, unknown]) {
    const asked: { method: string; url: string; body: unknown }[] = [];
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const one = {
          method: request.method ?? '',
          url: request.url ?? '',
          body: text === '' ? undefined : (JSON.parse(text) as unknown),
        };
        asked.push(one);
        const [status, json] = answer(one);
        response.writeHead(status, { 'content-type': 'application/geo+json' }).end(JSON.stringify(json));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closers.push(
      () => server.closeAllConnections(),
      () => void server.close(),
    );
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
    const search = () =>
      createEarthObservation({
        roots: [],
        readJson: library({}),
        api: { url },
        network: IMPATIENT,
      }).search(QUERY);
    return { asked, search, url };
  }
  const page = (features: readonly object[], next?: object) => ({
    type: 'FeatureCollection',
    features,
    links: next === undefined ? [] : [{ rel: 'next', ...next }],
  });

  it('is asked for box, period and collection', async () => {
    const { asked, search } = await api(() => [200, page([item('a')])]);
    expect((await search()).scenes.map((s) => s.id)).toEqual(['a']);
    expect(asked).toEqual([
      {
        method: 'POST',
        url: '/v1/search',
        body: {
          collections: ['sentinel-2-l2a'],
          bbox: [75, 23, 76, 24],
          datetime: '2023-01-01T00:00:00.000Z/2024-01-01T00:00:00.000Z',
          limit: 200,
        },
      },
    ]);
  });

  it('is paged by POST with merge and by GET', async () => {
    const { asked, search } = await api(({ method, url, body }) => {
      if (method === 'GET') return [200, page([item('c')])];
      const token = (body as { token?: string }).token;
      if (token === 'two') return [200, page([item('b')], { href: '/v1/search?page=3' })];
      return [200, page([item('a')], { href: url, method: 'POST', merge: true, body: { token: 'two' } })];
    });
    expect((await search()).scenes.map((s) => s.id)).toEqual(['a', 'b', 'c']);
    expect(asked[1]?.body).toMatchObject({ token: 'two', collections: ['sentinel-2-l2a'] });
    expect(asked[2]).toMatchObject({ method: 'GET', url: '/v1/search?page=3' });
  });

  it('is asked again where it is busy, as long as patience lasts, and says that it waits', async () => {
    let asks = 0;
    const { url } = await api(() =>
      ++asks % 4 === 0
        ? [200, page([item('a')])]
        : ([
            [503, {}],
            [429, {}],
            [502, {}],
          ][(asks % 4) - 1] as [number, object]),
    );
    const notes: (string | null)[] = [];
    const searchWith = (settings: object) =>
      createEarthObservation({
        roots: [],
        readJson: library({}),
        api: { url },
        network: { settings: { firstPauseMs: 1, ...settings } },
      }).search({ ...QUERY, onWait: (note) => void notes.push(note) });
    expect((await searchWith({ tries: 1 })).scenes.map((s) => s.id)).toEqual(['a']);
    expect(notes[0]).toMatch(/^waiting for 127\.0\.0\.1:\d+ \(it answered 503 to POST .*\); next try in 1 s$/);
    expect(notes.at(-1)).toBeNull();
    await expect(searchWith({ tries: 2, patienceMs: 0 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('it answered 429'),
    });
  });

  it('names an Item by its self link', async () => {
    const { search } = await api(() => [
      200,
      page([item('a', { links: [{ rel: 'self', href: 'https://api.example.org/items/a' }] })]),
    ]);
    const [scene] = (await search()).scenes;
    expect([scene?.itemHref, scene?.bands['red']?.href]).toEqual([
      'https://api.example.org/items/a',
      'https://api.example.org/items/B04.tif',
    ]);
  });

  it.each([
    ['an error', () => [500, {}] as const, 'it answered 500'],
    ['no FeatureCollection', () => [200, { hello: 1 }] as const, 'no FeatureCollection'],
  ])('that answers %s is unavailable', async (_, answer, text) => {
    const { search } = await api(answer);
    await expect(search()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(text) });
  });

  it('that cannot be reached is unavailable, and its credentials stay secret', async () => {
    const eo = createEarthObservation({
      roots: [],
      readJson: library({}),
      api: { url: 'http://user:secret@127.0.0.1:9/v1?key=secret' },
      network: IMPATIENT,
    });
    const failure = await eo.search(QUERY).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(String(failure)).not.toContain('secret');
  });

  it('gets user name and password of its address as a header', async () => {
    const headers: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      headers.push(request.headers.authorization);
      response.end(JSON.stringify(page([])));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closers.push(
      () => server.closeAllConnections(),
      () => void server.close(),
    );
    const url = `http://me:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    await createEarthObservation({ roots: [], readJson: library({}), api: { url } }).search(QUERY);
    expect(headers).toEqual([`Basic ${btoa('me:p@ss')}`]);
  });
});
