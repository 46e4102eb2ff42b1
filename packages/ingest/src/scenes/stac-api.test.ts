import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { SceneQuery } from '@headwater/core';
import { createEarthObservation } from './earth-observation.ts';
import { IMPATIENT, QUERY, item, library } from './searches.fixture.ts';

describe('a STAC API', () => {
  const closers: (() => void)[] = [];
  afterEach(() => closers.splice(0).forEach((close) => close()));

  async function api(respond: (request: { method: string; url: string; body: unknown }) => readonly [number, unknown]) {
    const requests: { method: string; url: string; body: unknown }[] = [];
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
        requests.push(one);
        const [status, json] = respond(one);
        response.writeHead(status, { 'content-type': 'application/geo+json' }).end(JSON.stringify(json));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closers.push(
      () => server.closeAllConnections(),
      () => void server.close(),
    );
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
    const search = (query: SceneQuery = QUERY) =>
      createEarthObservation({
        roots: [],
        readJson: library({}),
        api: { url },
        network: IMPATIENT,
      }).search(query);
    return { requests, search, url };
  }
  const page = (features: readonly object[], next?: object) => ({
    type: 'FeatureCollection',
    features,
    links: next === undefined ? [] : [{ rel: 'next', ...next }],
  });

  it('is searched by box, period and collection', async () => {
    const { requests, search } = await api(() => [200, page([item('a')])]);
    expect((await search()).scenes.map((s) => s.id)).toEqual(['a']);
    expect(requests).toEqual([
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

  it('is searched with longitudes from -180 to 180, also if a box extends beyond them', async () => {
    const { requests, search } = await api(() => [200, page([item('a', { bbox: [-180, 23.2, -179.5, 23.8] })])]);
    expect((await search({ ...QUERY, bbox: [179.5, 23, 180.25, 24] })).scenes.map((s) => s.id)).toEqual(['a']);
    expect(requests).toEqual([
      expect.objectContaining({ body: expect.objectContaining({ bbox: [179.5, 23, -179.75, 24] }) }),
    ]);
  });

  it('is read page by page, by POST with merge and by GET', async () => {
    const { requests, search } = await api(({ method, url, body }) => {
      if (method === 'GET') return [200, page([item('c')])];
      const token = (body as { token?: string }).token;
      if (token === 'two') return [200, page([item('b')], { href: '/v1/search?page=3' })];
      return [200, page([item('a')], { href: url, method: 'POST', merge: true, body: { token: 'two' } })];
    });
    expect((await search()).scenes.map((s) => s.id)).toEqual(['a', 'b', 'c']);
    expect(requests[1]?.body).toMatchObject({ token: 'two', collections: ['sentinel-2-l2a'] });
    expect(requests[2]).toMatchObject({ method: 'GET', url: '/v1/search?page=3' });
  });

  it('that is overloaded gets the request again within the time limit, and the wait is reported', async () => {
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
    expect(notes[0]).toMatch(
      /^waiting for 127\.0\.0\.1:\d+ \(it responded with HTTP 503 to POST .*\); next try in 1 s$/,
    );
    expect(notes.at(-1)).toBeNull();
    await expect(searchWith({ tries: 2, patienceMs: 0 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('it responded with HTTP 429'),
    });
  });

  it('has Items that are named by their self links', async () => {
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
    ['an error', () => [500, {}] as const, 'it responded with HTTP 500'],
    ['another document', () => [200, { hello: 1 }] as const, 'its response is not a FeatureCollection'],
  ])('counts as unavailable if it responds with %s', async (_, answer, text) => {
    const { search } = await api(answer);
    await expect(search()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(text) });
  });

  it('counts as unavailable if it cannot be reached; the message does not contain its credentials', async () => {
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

  it('gets the user name and password in its address as a header', async () => {
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
