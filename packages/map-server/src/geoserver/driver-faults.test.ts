import type { MapLayer, MapRequest } from '@headwater/core/ports';
import { setTimeout as delay } from 'node:timers/promises';
import { sized } from '../../../../scripts/test-length.mjs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { differences, layerOf, type OpenedGeoServer, openGeoServer, storeOf, TIFF, VECTOR } from './driver.fixture.ts';

describe.each([2, 3] as const)('the driver of GeoServer %i, with faults', (major) => {
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

  test.each(['cut', 'half', 503] as const)(
    'the publication succeeds if one call, at any position, fails once: %s',
    async (fault) => {
      // GET, PUT and repeatable POST requests are retried. In the first publication, the first call fails; in each
      // further publication, a later call fails.
      fake.faults = [fault];
      await publishAll();
      const calls = fake.calls.length;
      for (let at = 1; at < calls; at += sized(2, 1)) {
        fake.workspaces.clear();
        fake.styles.clear();
        fake.defaults.clear();
        fake.faults = [...Array.from({ length: at }, () => undefined as never), fault];
        await publishAll();
        expect(fake.layers).toHaveLength(2);
        expect(await differences(driver)).toEqual([]);
      }
    },
  );

  test.each([false, true])(
    'if a process ends after any call, the next process repairs the layers; replacement: %s',
    async (isReplacement) => {
      if (isReplacement) await publishAll();
      const before = fake.calls.length;
      const state = structuredClone([fake.workspaces, fake.styles, fake.defaults] as const);
      if (isReplacement) published = published.map((layer) => ({ ...layer, version: 'run_2' }));
      await publishAll();
      const calls = fake.calls.length - before;
      expect(calls).toBeGreaterThan(15);
      for (let at = 0; at < calls; at += sized(5, 1)) {
        for (const [index, map] of [fake.workspaces, fake.styles, fake.defaults].entries()) {
          map.clear();
          for (const [key, value] of structuredClone(state[index])?.entries() ?? [])
            Reflect.apply(map.set, map, [key, value]);
        }
        const absent: string[] = [];
        fake.onCall = (call) => {
          if (isReplacement && fake.layers.length < 2) absent.push(call);
        };
        driver = create({ attempts: 1 });
        fake.faults = [...Array.from({ length: at }, () => undefined as never), ...Array<503>(50).fill(503)];
        await publishAll().catch(() => undefined);
        fake.faults = [];
        driver = create();
        for (const each of await differences(driver)) await driver.repair(each);
        expect([at, await differences(driver), absent]).toEqual([at, [], []]);
        expect(fake.layers).toHaveLength(2);
      }
    },
  );

  test('if the first publication of a layer failed after the upload, the layer is removed when it is unpublished', async () => {
    fake.onCall = (call) => {
      if (call.includes('file.geotiff')) fake.faults = Array.from({ length: 30 }, () => 503);
    };
    await expect(driver.publish('LULC_level_1', 'lulc_2024')).rejects.toThrow(/status 503/);
    expect(fake.layers).toEqual(['LULC_level_1:lulc_2024']);
    fake.onCall = undefined;
    fake.faults = [];
    published = [];
    await driver.publish('LULC_level_1', 'lulc_2024');
    expect(fake.layers).toEqual([]);
  });

  test('a broken store that an earlier attempt left is removed before the upload', async () => {
    fake.onCall = (call) => {
      if (call.includes('file.geotiff')) fake.faults = Array.from({ length: 30 }, () => 503);
    };
    await expect(driver.publish('LULC_level_1', 'lulc_2024')).rejects.toThrow(/status 503/);
    fake.onCall = undefined;
    fake.faults = [];
    fake.calls.length = 0;
    fake.workspaces.set('LULC_level_1', new Map([['lulc_2024', storeOf({ type: 'coveragestores', isBroken: true })]]));
    await create().publish('LULC_level_1', 'lulc_2024');
    expect(
      fake.calls.filter((call) => /DELETE .*stores|file\.geotiff/.test(call)).map((call) => call.split(' ')[0]),
    ).toEqual(['DELETE', 'PUT']);
    expect(fake.layers).toEqual(['LULC_level_1:lulc_2024']);
  });

  test('an upload is aborted if it stalls, and not if it takes longer than the time limit of other calls', async () => {
    const pieces = 12;
    const { fetch } = globalThis;
    /** Reads a piece of the upload after each pause; stalls after `stallAt` pieces. */
    const slow =
      (pauseMs: number, stallAt: number): typeof globalThis.fetch =>
      async (url, init) => {
        if (!(init?.body instanceof ReadableStream)) return await fetch(url, init);
        const { signal } = init;
        const taken: Uint8Array[] = [];
        const source: ReadableStream<Uint8Array> = init.body;
        for await (const piece of source) {
          taken.push(piece);
          await delay(taken.length > stallAt ? 60_000 : pauseMs, undefined, { signal: signal ?? undefined });
        }
        return await fetch(url, { ...init, body: Buffer.concat(taken) });
      };
    const large = new Uint8Array(pieces * 65_536);
    large.set(TIFF);
    files.set('run_1/1/lulc.tif', large);
    await create({ timeoutMs: 200, attempts: 1 }, { fetch: slow(40, pieces) }).publish('LULC_level_1', 'lulc_2024');
    expect(fake.workspaces.get('LULC_level_1')?.get('lulc_2024')?.bytes).toHaveLength(large.length);
    published[0] = layerOf({ version: 'run_2' });
    await expect(
      create({ timeoutMs: 200, attempts: 1 }, { fetch: slow(1, 3) }).publish('LULC_level_1', 'lulc_2024'),
    ).rejects.toThrow(/does not answer .*stalled/);
  });

  test('a refused file leaves no broken store, and the error has no text of the server', async () => {
    files.set('run_1/1/lulc.tif', new TextEncoder().encode('garbage'));
    const error = await driver.publish('LULC_level_1', 'lulc_2024').catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/status 500/);
    expect(String(error)).not.toMatch(/acquire reader/);
    expect(fake.workspaces.get('LULC_level_1')?.size).toBe(0);
  });

  test('wrong credentials and a server that does not respond are reported with the setting to correct', async () => {
    await expect(create({ username: 'unknown' }).publish('mws', 'mws_demo')).rejects.toThrow(
      /user name or the password/,
    );
    fake.faults = ['hang', 'hang', 'hang'];
    await expect(create({ timeoutMs: 50 }).publish('mws', 'mws_demo')).rejects.toThrow(/its address is right/);
  });

  const mapRequest = (signal = new AbortController().signal): MapRequest => ({
    method: 'GET',
    segments: ['mws', 'wms'],
    query: { version: '1.1.1', request: 'GetMap', layers: 'mws_demo', format: 'image/png', width: '4', height: '2' },
    headers: {},
    signal,
  });

  test('a read without a response, or with a response that stalls, ends after the time limit', async () => {
    fake.faults = ['hang'];
    await expect(create({ timeoutMs: 50 }).answer(mapRequest())).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^the map server does not answer/),
    });
    const pieces = (signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> =>
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(Uint8Array.of(1));
          signal?.addEventListener('abort', () => controller.error(signal.reason));
        },
      });
    const headers = { 'content-type': 'image/png' };
    const stalling: typeof fetch = async (_, init) => new Response(pieces(init?.signal), { headers });
    const { body } = await create({ timeoutMs: 50 }, { fetch: stalling }).answer(mapRequest());
    await expect(new Response(body instanceof Uint8Array ? undefined : body).bytes()).rejects.toThrow(/timeout/);
  });

  test('at most 32 reads are sent at a time, 500 wait, and further reads are refused immediately', async () => {
    const ended = Promise.withResolvers<void>();
    let [open, most] = [0, 0];
    const waiting: typeof fetch = async () => {
      open += 1;
      most = Math.max(most, open);
      await ended.promise;
      open -= 1;
      return new Response('png', { headers: { 'content-type': 'image/png' } });
    };
    driver = create({}, { fetch: waiting });
    const reads = Array.from({ length: 532 }, async () => (await driver.answer(mapRequest())).status);
    await expect.poll(() => open).toBe(32);
    await expect(driver.answer(mapRequest())).rejects.toMatchObject({ code: 'unavailable' });
    ended.resolve();
    expect(new Set(await Promise.all(reads))).toEqual(new Set([200]));
    expect(most).toBe(32);
  });

  test('two simultaneous publications of a layer end with the newest version', async () => {
    const first = driver.publish('LULC_level_1', 'lulc_2024');
    published[0] = layerOf({ version: 'run_2' });
    await Promise.all([first, driver.publish('LULC_level_1', 'lulc_2024')]);
    expect(await differences(driver)).toMatchObject([{ layer: null }, { layer: 'mws_demo' }]);
  });
});
