import type { RequestListener } from 'node:http';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePlace } from '@headwater/ingest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn, type Client } from './client.ts';
import { listenOnLoopback, type Loopback } from '../scripts/loopback.mjs';
import { storeOf, spellingsOf } from './loopback.fixture.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { sceneId, scenesAround, smallPlace, writeScenes } from '../packages/server/src/small-world.fixture.ts';
import { HEALTH_BAR_MS, watching } from './watch-health.fixture.ts';

const YEAR = 2021;
const SCENES = scenesAround(YEAR);
const PASSWORD = 'tall-river-42';
/** Secret in every URL with credentials; no output may contain it. */
const SECRET = 's3cret';
const REQUEST = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Jalsrota', start_year: YEAR, end_year: YEAR };

type Asset = Record<string, unknown> & { href: string };
interface Item extends Record<string, unknown> {
  id: string;
  links: object[];
  assets: Record<string, Asset>;
}
interface Outcome {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly run_id?: string };
}

let [dataDir, world] = ['', ''];
let server: ServerProcess;
let client: Client;
let [store, api]: Loopback[] = [];
/** Listeners on 127.0.0.1 and ::1 to which the server must never connect. */
const hidden: Loopback[] = [];
let hiddenPort = 0;
let answer: RequestListener = (_, response) => void response.end();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-addresses-'));
  world = await mkdtemp(join(tmpdir(), 'headwater-world-'));
  await Promise.all([writeScenes(world, SCENES), writePlace(join(dataDir, 'places', 'p'), smallPlace('Jalsrota'))]);
  const serves: RequestListener = (_, response) => void response.end('{}');
  hidden.push(await listenOnLoopback(serves));
  hiddenPort = hidden[0]?.port ?? 0;
  const second = await listenOnLoopback(serves, '::1', hiddenPort).catch(() => undefined);
  if (second === undefined) console.log('cannot listen on ::1: requests to it are checked by the error message only');
  else hidden.push(second);
  store = await listenOnLoopback(storeOf(join(world, 'eo', 'small')));
  api = await listenOnLoopback((request, response) => answer(request, response));
  server = await startServerProcess({
    dataDir,
    env: {
      HEADWATER_SAMPLE: 'off',
      SUPERUSER_PASSWORD: PASSWORD,
      EO_STAC_API_URL: `http://me:${SECRET}@127.0.0.1:${api.port}/v1?key=${SECRET}`,
      EO_ALLOWED_ORIGINS: store.origin,
      NODE_OPTIONS: `--import ${new URL('test-resolver.fixture.ts', import.meta.url).href}`,
    },
  });
  const [, username = ''] = await server.printed(/superuser +(test_user_\d{4})/, 100_000);
  client = await signIn(server.baseUrl, username, PASSWORD);
}, 200_000);
afterAll(async () => {
  await server.stop('SIGKILL');
  for (const listener of [...hidden, store, api]) await listener?.close();
  await Promise.all([dataDir, world].map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Checks during `work` that health responds in time, no forbidden listener is reached, and no secret is printed. */
async function expectUnaffected(work: () => Promise<void>): Promise<void> {
  const { slowestMs, failures } = await watching(server, work);
  console.log(`health responded within ${slowestMs.toFixed(0)} ms (bar ${HEALTH_BAR_MS} ms)`);
  expect(failures).toEqual([]);
  expect(slowestMs).toBeLessThan(HEALTH_BAR_MS);
  expect(hidden.flatMap(({ asked }) => asked)).toEqual([]);
  expect(server.output()).not.toContain(SECRET);
}

async function items(): Promise<Item[]> {
  return Promise.all(
    SCENES.map(async (scene) => {
      const id = sceneId(scene);
      const path = join(world, 'eo', 'small', id, 'item.json');
      const item = JSON.parse(await readFile(path, 'utf8')) as Item;
      for (const [name, asset] of Object.entries(item.assets))
        asset.href = `${store?.origin ?? ''}/${id}/${name}.tif?X-Amz-Signature=${SECRET}`;
      return { ...item, links: [{ rel: 'self', href: `/items/${id}?key=${SECRET}` }] };
    }),
  );
}

const page = (features: readonly object[], ...links: readonly object[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features, links });
const sends =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text);

const compute = (): Promise<Outcome> =>
  client.post('/api/v1/lulc_for_tehsil/', { ...REQUEST, eo_account_id: 1, wait: true, overwrite: true });

async function publicText({ body }: Outcome): Promise<string> {
  const paths = ['', 'log/?format=json', 'events/'].map((part) => `/api/v1/runs/${body.run_id ?? ''}/${part}`);
  const headers = { authorization: `Bearer ${client.token}` };
  const texts = await Promise.all(
    paths.map(async (path) => (await fetch(`${server.baseUrl}${path}`, { headers })).text()),
  );
  const own = [...JSON.stringify(body).matchAll(/"rel":"self","href":"([^"]+)"/g)].map(([, href = '']) => href);
  const published = await Promise.all(own.map(async (href) => (await fetch(href)).text()));
  return [JSON.stringify(body), ...texts, ...published].join('\n');
}

async function fails(cause: RegExp): Promise<void> {
  const outcome = await compute();
  expect([outcome.status, outcome.body['code']], JSON.stringify(outcome.body)).toEqual([422, 'input_data']);
  expect(outcome.body['detail']).toMatch(cause);
  expect(await publicText(outcome)).not.toContain(SECRET);
}

describe('hostile addresses', () => {
  it('of assets: the run skips and names the scenes with such assets, and reads all other scenes from the allowed store', () =>
    expectUnaffected(async () => {
      const ways = spellingsOf(hiddenPort);
      const hrefs = [
        ...ways.map((root) => `${root}/x.tif?sig=${SECRET}`),
        ...ways
          .slice(0, 6)
          .map((root) => `${store?.origin ?? ''}/to?${encodeURIComponent(`${root}/x.tif?sig=${SECRET}`)}`),
        `http://me:${SECRET}@127.0.0.1:${hiddenPort}/x.tif`,
        `file://${world}/eo/small/${sceneId(SCENES[0] ?? { date: '', crs: '' })}/B04.tif`,
      ];
      const all = await items();
      for (const [index, href] of hrefs.entries()) {
        const asset = all[2 * index]?.assets['B04'];
        if (asset !== undefined) asset.href = href;
      }
      answer = sends(page(all));
      const outcome = await compute();
      expect(outcome.status, JSON.stringify(outcome.body)).toBe(200);
      const { properties, links } = outcome.body['stac_spec'] as {
        properties: Record<string, unknown>;
        links: { rel: string; href: string }[];
      };
      const skipped = properties['headwater:skipped_scenes'] as Record<string, string>;
      const hostile = hrefs.map((_, index) => all[2 * index]?.id ?? '');
      expect(Object.keys(skipped).toSorted()).toEqual(hostile.toSorted());
      for (const id of hostile.slice(0, ways.length))
        expect(skipped[id]).toMatch(/it leads to a .* address, to which no requests are sent/);
      expect(properties['headwater:missing_scenes']).toEqual([]);
      const sources = links.filter(({ rel }) => rel === 'derived_from').map(({ href }) => href);
      expect(sources).toHaveLength(SCENES.length - hrefs.length);
      for (const href of sources) expect(href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/items\/S2_43_\d{8}$/);
      expect(await publicText(outcome)).not.toContain(SECRET);
      expect(api?.asked.at(-1)).toBe(`POST /v1/search?key=${SECRET}`);
      expect(store?.asked.some((line) => line.endsWith(`?X-Amz-Signature=${SECRET}`))).toBe(true);
    }));

  it('of next links: the run fails with the cause', () =>
    expectUnaffected(async () => {
      const all = await items();
      for (const root of spellingsOf(hiddenPort)) {
        answer = sends(page(all, { rel: 'next', href: `${root}/search?token=${SECRET}` }));
        await fails(
          /^The STAC API http:\S+ cannot be searched: http:\S+: it leads to a .* address, to which no requests are sent/,
        );
      }
    }));

  it('of redirects: the run fails with the cause', () =>
    expectUnaffected(async () => {
      for (const location of [
        ...spellingsOf(hiddenPort),
        'file:///etc/passwd',
        `http://me:${SECRET}@127.1:${hiddenPort}/`,
      ]) {
        answer = (_, response) => void response.writeHead(308, { location }).end();
        await fails(/^The STAC API .*(to which no requests are sent|it redirects to an address that is not allowed)/);
      }
    }));

  it('that lead to endless redirects or pages: the run fails with the cause', () =>
    expectUnaffected(async () => {
      answer = (request, response) => void response.writeHead(307, { location: `${request.url ?? ''}x` }).end();
      await fails(/redirects more than 5 times/);
      answer = (request, response) => void response.end(page([], { rel: 'next', href: `${request.url ?? ''}x` }));
      await fails(/its next links do not end/);
    }));

  it('that lead to endless bodies, or to bodies that take seconds to parse: the run fails with the cause', () =>
    expectUnaffected(async () => {
      const lists = `${'['.repeat(8_000_000)}${']'.repeat(8_000_000)}`;
      answer = (_, response) => {
        const more = (): void => {
          while (response.write(' '.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      };
      await fails(/its response is larger than the \d+ bytes that may be read/);
      answer = sends(lists);
      await fails(/its response has more than \d+ values/);
    }));

  it('of unusual self links: the run reads no file of this machine', () =>
    expectUnaffected(async () => {
      const selfs = ['file:///', 'c:/', '/', '\\\\', 's3://b/', 'x:', '//[', `${dataDir}/`];
      const all = await items();
      for (const [index, item] of all.entries()) {
        const folder = join(world, 'eo', 'small', item.id);
        item.links = [{ rel: 'self', href: `${selfs[index % selfs.length] ?? ''}${folder.slice(1)}/item.json` }];
        for (const [name, asset] of Object.entries(item.assets)) asset.href = `${folder}/${name}.tif`;
      }
      answer = (request, response) =>
        void (request.method === 'POST' ? response.end(page(all)) : response.writeHead(404).end());
      const outcome = await compute();
      expect(outcome.status).toBe(422);
      expect(JSON.stringify(outcome.body)).toMatch(/none of the 48 scenes can be used .*HTTP 404/);
    }));

  it('in a static catalogue on disk: the run skips the documents with such addresses and uses all other documents', () =>
    expectUnaffected(async () => {
      answer = sends(page(await items()));
      const links = spellingsOf(hiddenPort).map((root) => ({ rel: 'item', href: `${root}/x.json?key=${SECRET}` }));
      await mkdir(join(dataDir, 'eo', 'dropped'), { recursive: true });
      await writeFile(
        join(dataDir, 'eo', 'dropped', 'catalog.json'),
        JSON.stringify({ type: 'Catalog', id: 'c', links }),
      );
      const outcome = await compute();
      expect(outcome.status, JSON.stringify(outcome.body)).toBe(200);
      const text = await publicText(outcome);
      expect(text).toMatch(
        /Left out x\.json: cannot be read: .*it leads to a loopback address, to which no requests are sent/,
      );
      expect(text).not.toContain(SECRET);
    }));
});
