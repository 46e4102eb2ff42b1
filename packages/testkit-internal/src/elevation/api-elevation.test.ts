import { join } from 'node:path';
import { type Box, DomainError } from '@headwater/core';
import { beforeEach, expect, it } from 'vitest';
import { COLLECTION, demItem, demWorld, writeTile } from './dem-world.fixture.ts';
import { openElevation } from '@headwater/ingest';

const { root, folder, pixels, origin, server } = await demWorld();
const api = { url: `${origin.replace('//', '//me:secret@')}/v1?key=k`, collection: COLLECTION.id };
const settings = { allowedOrigins: [origin], firstPauseMs: 1, longestPauseMs: 1, tries: 2, patienceMs: 0 };
const warnings: string[] = [];
const warn = (text: string): void => void warnings.push(text);
const source = openElevation({ folder, pixels, api, warn, network: { settings } });
const BOX: Box = [78.9, 17.2, 79.1, 17.4];

let requests: { readonly url: string; readonly authorization: string | undefined; readonly body: unknown }[] = [];
/** Responses of the API by path; other paths are files. */
let answers: Readonly<Record<string, () => unknown>> = {};

const page = (items: readonly object[], next?: string) => ({
  type: 'FeatureCollection',
  features: items,
  links: next === undefined ? [] : [{ rel: 'next', href: next }],
});

beforeEach(async () => {
  requests = [];
  answers = {
    '/v1/search': () => page([demItem([78, 17], `${origin}/web/a.tif`)], '/v1/more'),
    '/v1/more': () => page([demItem([79, 17], '/web/b.tif'), demItem([80, 17], '/web/c.tif')]),
    '/v1/collections/cop-dem-glo-30': () => COLLECTION,
  };
  await writeTile(join(root, 'web/a.tif'), [78, 17]);
  await writeTile(join(root, 'web/b.tif'), [79, 17]);
  server.answer = (request, response) => {
    const url = request.url ?? '';
    const found = answers[url.replace(/\?.*/, '')];
    if (found === undefined) return false;
    let body = '';
    request.on('data', (piece: Buffer) => void (body += piece.toString()));
    request.on('end', () => {
      requests.push({ url, authorization: request.headers.authorization, body: body === '' ? null : JSON.parse(body) });
      const answer = found();
      if (typeof answer === 'number') response.writeHead(answer).end();
      else response.end(JSON.stringify(answer));
    });
    return true;
  };
});

it('searches a Collection with the box of a place, page by page, and reads the tiles under the box', async () => {
  const found = await source.demFor(BOX);
  expect(found?.rasters.map(({ href }) => href)).toEqual([`${origin}/web/a.tif`, `${origin}/web/b.tif`]);
  expect(found).toMatchObject({ title: 'Copernicus DEM GLO-30', license: 'other' });
  const authorization = `Basic ${btoa('me:secret')}`;
  expect(requests).toEqual([
    { url: '/v1/search?key=k', authorization, body: { collections: ['cop-dem-glo-30'], bbox: [...BOX], limit: 200 } },
    { url: '/v1/more', authorization, body: null },
    { url: '/v1/collections/cop-dem-glo-30?key=k', authorization, body: null },
  ]);
});

it('the API is not requested if a folder covers the whole place', async () => {
  await writeTile(join(folder, 'a.tif'), [78, 17]);
  await writeTile(join(folder, 'b.tif'), [79, 17]);
  expect((await source.demFor(BOX))?.rasters.map(({ href }) => href)).toEqual([
    join(folder, 'a.tif'),
    join(folder, 'b.tif'),
  ]);
  expect(requests).toEqual([]);
  expect((await source.demFor([78.9, 17.2, 79.1, 17.4]))?.title).toBe('Elevation data of the folder dem');
});

it('returns undefined if a part of the place has no tile', async () => {
  answers = { ...answers, '/v1/search': () => page([demItem([78, 17], `${origin}/web/a.tif`)]) };
  expect(await source.demFor(BOX)).toBeUndefined();
  answers = { ...answers, '/v1/search': () => page([]) };
  expect(await source.demFor(BOX)).toBeUndefined();
});

it.each(['/v1/search', '/v1/more', '/v1/collections/cop-dem-glo-30'])(
  'throws unavailable while %s fails; the message does not contain the secrets of the URL',
  async (path) => {
    answers = { ...answers, [path]: () => 503 };
    const error: unknown = await source.demFor(BOX).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(new URL(origin).host) });
    expect(String(error)).not.toMatch(/secret|key=k/);
  },
);

it('throws if the pages do not end or the tiles exceed 2000', async () => {
  answers = { ...answers, '/v1/more': () => page([], '/v1/more') };
  await expect(source.demFor(BOX)).rejects.toMatchObject({
    code: 'input_data',
    message: expect.stringMatching(/next links do not end/),
  });
  const many = Array.from({ length: 2001 }, (_, i) => demItem([78, 17], `/web/${i}.tif`));
  answers = { ...answers, '/v1/search': () => page(many) };
  await expect(source.demFor(BOX)).rejects.toMatchObject({
    code: 'input_data',
    message: expect.stringMatching(/more than 2000 tiles/),
  });
});

it('never opens a local file to which an API links', async () => {
  await writeTile(join(root, 'secret.tif'), [78, 17]);
  const hrefs = [join(root, 'dem/secret.tif'), `file://${join(root, 'secret.tif')}`];
  answers = { ...answers, '/v1/search': () => page(hrefs.map((href) => demItem([78, 17], href))) };
  expect(await source.demFor([78.2, 17.2, 78.4, 17.4])).toBeUndefined();
});

it.each([
  ['the search', '/v1/search', undefined],
  ['the Collection document', '/v1/collections/cop-dem-glo-30', undefined],
  ['the version request of a tile', '/web/a.tif', 'bytes=0-0'],
  ['the header request of a tile', '/web/a.tif', 'bytes=0-16383'],
])(
  'ends %s immediately if the caller aborts, with the reason of the caller and without a warning',
  async (_, path, range) => {
    const stop = new AbortController();
    const reason = new DomainError('cancelled', 'the caller stopped waiting');
    const { answer } = server;
    let hung = 0;
    server.answer = (request, response) => {
      if (request.url?.replace(/\?.*/, '') !== path || (range !== undefined && request.headers.range !== range))
        return answer(request, response);
      hung += 1;
      stop.abort(reason);
      return true;
    };
    const warned = warnings.length;
    // A new source has no cached header, so it sends all requests.
    const fresh = openElevation({ folder, pixels, api, warn, network: { settings } });
    await expect(fresh.demFor(BOX, stop.signal)).rejects.toBe(reason);
    expect([hung, warnings.length]).toEqual([1, warned]);
  },
);
