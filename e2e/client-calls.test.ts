import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClientOptions,
  createClient,
  type HeadwaterClient,
  isHeadwaterError,
  type RunEvent,
} from '@headwater/client';
import { downloadToFile } from '@headwater/client/node';
import { createExpressRouter, type Headwater } from '@headwater/http-adapter-express';
import { createSampleService, listening, SAMPLE_USERS } from '@headwater/testkit-internal';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const REQUEST = {
  state: 'Sample State',
  district: 'Sample District',
  block: 'Sample Tehsil',
  start_year: 2021,
  end_year: 2022,
  eo_account_id: 1,
};
const PLACE = { state: 'sample_state', district: 'sample_district', block: 'sample_tehsil' };

interface Served {
  readonly service: Headwater;
  readonly url: string;
  readonly owner: HeadwaterClient;
  close(): Promise<void>;
}

async function serve(options: Parameters<typeof createSampleService>[0] = {}): Promise<Served> {
  const app = express();
  const host = await listening(app);
  const baseUrl = `${host.url}/headwater`;
  const service = await createSampleService({ baseUrl, ...options });
  app.use('/headwater', createExpressRouter(service.service));
  app.get('/other', (_req, res) => void res.status(404).send('<h1>another program</h1>'));
  await service.start();
  const owner = createClient({ baseUrl });
  await owner.signIn(SAMPLE_USERS.owner);
  const close = async (): Promise<void> => {
    await host.close();
    await service.close();
  };
  return { service, url: baseUrl, owner, close };
}

let sample: Served;
beforeAll(async () => {
  sample = await serve();
});
afterAll(() => sample.close());

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => expect.unreachable('no error'),
    (error: unknown) => error,
  );
}

async function all<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

describe('computations', () => {
  it('computes a layer, reports its progress and returns the run with its Items', async () => {
    const seen: (readonly [number, string])[] = [];
    const onProgress = (progress: number, step: string): void => void seen.push([progress, step]);
    const run = await sample.owner.compute('lulc_for_tehsil', { ...REQUEST, overwrite: true }, { onProgress });
    expect(run).toMatchObject({ state: 'success', done: true });
    expect(run.stac_items[0]?.id).toContain('sample_tehsil');
    expect(seen.length).toBeGreaterThan(0);
    const ids = (await all(sample.owner.list('/api/v1/runs/'))).map((each) => each.run_id);
    expect(ids).toContain(run.run_id);
    expect(await sample.owner.waitForRun(run.run_id)).toMatchObject({ run_id: run.run_id });
  });

  it('yields the events of a run in their order, all events or only those after a given event', async () => {
    const { run_id: runId } = await sample.owner.compute('lulc_for_tehsil', { ...REQUEST, overwrite: true });
    const events = await all(sample.owner.runEvents(runId));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['state', 'progress', 'log']));
    expect(events.at(-1)).toMatchObject({ kind: 'state', data: { state: 'success' } });
    expect(await all(sample.owner.runEvents(runId, { after: events.length - 1 }))).toEqual(events.slice(-1));
    expect(await all(sample.owner.runEvents(runId, { after: events.length }))).toEqual([]);
  });

  it('opens a stream again after its connection was lost, and yields each event once', async () => {
    let streams = 0;
    const fetch = async (request: Request): Promise<Response> => {
      const response = await globalThis.fetch(request);
      if (!request.url.includes('/events/')) return response;
      streams += 1;
      return streams === 1 ? cutAfterFirstEvent(response) : response;
    };
    const { run_id: runId } = await sample.owner.compute('lulc_for_tehsil', { ...REQUEST, overwrite: true });
    const client = createClient({ baseUrl: sample.url, tokens: sample.owner.tokens, fetch });
    const events: RunEvent[] = await all(client.runEvents(runId));
    expect(streams).toBe(2);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(events.at(-1)).toMatchObject({ data: { state: 'success' } });
  });

  it('rejects with the reason of an abort, and the run continues', async () => {
    const idle = await serve({ compute: { worker: false } });
    onTestFinished(() => idle.close());
    const stop = new AbortController();
    const onEvent = (): void => stop.abort(new Error('enough'));
    const waiting = idle.owner.compute('lulc_for_tehsil', REQUEST, { signal: stop.signal, onEvent });
    await expect(waiting).rejects.toThrow('enough');
    const [run] = await all(idle.owner.list('/api/v1/runs/', { params: { query: { state: 'queued' } } }));
    if (run === undefined) throw new Error('the run is gone');
    await idle.owner.post('/api/v1/runs/{id}/cancel/', { params: { path: { id: run.run_id } } });
    const error = await errorOf(idle.owner.waitForRun(run.run_id));
    expect(error).toMatchObject({ code: 'cancelled', runId: run.run_id, status: undefined });
  });

  it('waits for a run without a stream if the account already has too many streams', async () => {
    const busy = await serve({ compute: { worker: false }, limits: { eventStreams: 1 } });
    onTestFinished(() => busy.close());
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(REQUEST);
    const started = await busy.owner.fetch('/api/v1/lulc_for_tehsil/', { method: 'POST', headers, body });
    const { run_id: runId } = (await started.json()) as { run_id: string };
    const stream = busy.owner.runEvents(runId);
    await stream.next();
    const refused = await errorOf(busy.owner.runEvents(runId).next());
    expect(refused).toMatchObject({ code: 'throttled', retryAfterSeconds: expect.any(Number) });
    const waiting = errorOf(busy.owner.waitForRun(runId));
    await busy.owner.post('/api/v1/runs/{id}/cancel/', { params: { path: { id: runId } } });
    expect(await waiting).toMatchObject({ code: 'cancelled', runId });
    await stream.return();
  });

  it('a second request with an equal idempotency key gets the run of the first request', async () => {
    const options = { idempotencyKey: 'first "call"' };
    const first = await sample.owner.compute('lulc_for_tehsil', { ...REQUEST, start_year: 2022 }, options);
    const second = await sample.owner.compute('lulc_for_tehsil', { ...REQUEST, start_year: 2022 }, options);
    expect(second.run_id).toBe(first.run_id);
    const other = errorOf(sample.owner.compute('lulc_for_tehsil', REQUEST, options));
    expect(await other).toMatchObject({ code: 'key_reused', status: 422 });
  });
});

/** Returns a response that fails after its first event, as if the connection were lost. */
function cutAfterFirstEvent(response: Response): Response {
  const reader = response.body?.getReader();
  let text = '';
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = (await reader?.read()) ?? {};
      text += new TextDecoder().decode(value);
      const end = text.indexOf('\n\n', text.indexOf('data:'));
      if (value !== undefined && (!text.includes('data:') || end < 0)) return;
      await reader?.cancel();
      if (text === '') controller.error(new TypeError('terminated'));
      else controller.enqueue(new TextEncoder().encode(text.slice(0, end + 2)));
      text = '';
    },
  });
  return new Response(body, { headers: response.headers });
}

describe('lists', () => {
  it('requests further pages only while the caller iterates', async () => {
    const addresses: string[] = [];
    const client = counting(addresses);
    await sample.owner.compute('lulc_for_tehsil', { ...REQUEST, overwrite: true });
    const whole = await all(sample.owner.list('/api/v1/runs/'));
    expect(whole.length).toBeGreaterThan(1);
    const paged = await all(client.list('/api/v1/runs/', { params: { query: { limit: 1 } } }));
    expect(paged.map((run) => run.run_id)).toEqual(whole.map((run) => run.run_id));
    expect(addresses).toHaveLength(whole.length);
    addresses.length = 0;
    for await (const run of client.list('/api/v1/runs/', { params: { query: { limit: 1 } } })) {
      expect(run.state).toBe('success');
      break;
    }
    expect(addresses).toHaveLength(1);
  });

  it('reads Items, Collections and features, and lists that have no pages', async () => {
    const client = createClient({ baseUrl: sample.url });
    const init = { params: { query: { limit: 1 } } };
    const items = await all(client.list('/api/v1/stac-api/search', init));
    expect(items.length).toBeGreaterThan(1);
    expect((await all(client.list('/api/v1/stac-api/collections', init))).map(({ id }) => id).length).toBeGreaterThan(
      0,
    );
    const [collection] = await all(client.list('/geoserver/ogc/features/v1/collections'));
    const params = { path: { collection: collection?.id ?? '' }, query: { limit: 1 } };
    const features = await all(client.list('/geoserver/ogc/features/v1/collections/{collection}/items', { params }));
    expect(features.map(({ type }) => type)).toEqual(expect.arrayContaining(['Feature']));
    expect(await all(sample.owner.list('/api/v1/eoaccounts/'))).toHaveLength(1);
  });
});

function counting(addresses: string[], options: Partial<ClientOptions> = {}): HeadwaterClient {
  const fetch = async (request: Request): Promise<Response> => {
    addresses.push(request.url);
    return await globalThis.fetch(request);
  };
  return createClient({ baseUrl: sample.url, tokens: sample.owner.tokens, fetch, ...options });
}

describe('sign-in', () => {
  it('renews an expired token once for all requests, and passes the new tokens to the caller', async () => {
    const client = createClient({ baseUrl: sample.url });
    await client.signIn(SAMPLE_USERS.other);
    const refresh = client.tokens?.refresh ?? '';
    const stored: unknown[] = [];
    const addresses: string[] = [];
    const expired = counting(addresses, {
      tokens: { access: 'expired', refresh },
      onTokens: (tokens) => stored.push(tokens),
    });
    const lists = await Promise.all([1, 2, 3].map(async () => await expired.get('/api/v1/runs/')));
    expect(lists.map(({ count }) => count)).toEqual([0, 0, 0]);
    expect(addresses.filter((address) => address.endsWith('/token/refresh/'))).toHaveLength(1);
    expect(stored).toEqual([expired.tokens]);
    await expired.signOut();
    expect([expired.tokens, stored.at(-1)]).toEqual([undefined, undefined]);
    expect(await errorOf(expired.get('/api/v1/runs/'))).toMatchObject({ code: 'not_authenticated', status: 401 });
  });

  it('ends the session if neither its access token nor its refresh token is valid', async () => {
    const stored: unknown[] = [];
    const tokens = { access: 'expired', refresh: 'expired' };
    const client = createClient({ baseUrl: sample.url, tokens, onTokens: (each) => stored.push(each) });
    expect(await errorOf(client.get('/api/v1/runs/'))).toMatchObject({ code: 'token_not_valid', status: 401 });
    expect([client.tokens, stored]).toEqual([undefined, [undefined]]);
    const later = createClient({ baseUrl: sample.url, tokens });
    await later.signOut();
    expect(later.tokens).toBeUndefined();
  });

  it('creates, lists and deactivates API keys, and reads public data with one', async () => {
    const user = await sample.owner.signIn(SAMPLE_USERS.owner);
    const { api_key: apiKey } = await sample.owner.apiKeys.create({ name: 'maps', expiry_days: 7 });
    expect((await sample.owner.apiKeys.list()).map(({ name }) => name)).toContain('maps');
    const client = createClient({ baseUrl: `${sample.url}/`, apiKey });
    const [state] = await client.get('/api/v1/get_active_locations/');
    expect(state?.district[0]?.blocks[0]?.label).toBe('Sample Tehsil');
    await sample.owner.apiKeys.deactivate(user.id, apiKey);
    expect((await sample.owner.apiKeys.list()).map(({ name }) => name)).not.toContain('maps');
    const error = await errorOf(client.get('/api/v1/get_active_locations/'));
    expect(error).toMatchObject({ code: 'token_not_valid', message: 'Invalid API key' });
  });

  it('sends credentials only to the service', async () => {
    const seen: (string | undefined)[] = [];
    const other = await listening((request, response) => {
      seen.push(request.headers.authorization, String(request.headers['x-api-key']));
      response.end('file');
    });
    onTestFinished(() => other.close());
    const client = createClient({ baseUrl: sample.url, apiKey: 'a key', tokens: sample.owner.tokens });
    await (await client.download(`${other.url}/file.tif`)).stream.cancel();
    expect(seen).toEqual([undefined, 'undefined']);
  });
});

describe('downloads', () => {
  const latest = `/api/v1/stac/${Object.values(PLACE).join('/')}`;

  it('streams the file of an asset, and saves it only when it is complete', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'headwater-client-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'map.tif');
    const href = await assetHref();
    const { stream, bytes, type, name } = await sample.owner.download(href);
    const content = new Uint8Array(await new Response(stream).arrayBuffer());
    expect([content.byteLength, type.split(';')[0], /\.\w+$/.test(name)]).toEqual([bytes, 'image/tiff', true]);
    const seen: number[] = [];
    await downloadToFile(sample.owner, href, { path, onProgress: (written) => seen.push(written) });
    expect(new Uint8Array(await readFile(path))).toEqual(content);
    expect(seen.at(-1)).toBe(bytes);
    await expect(downloadToFile(sample.owner, `${latest}/none/`, { path: join(folder, 'none') })).rejects.toMatchObject(
      {
        status: 404,
      },
    );
    expect(await readdir(folder)).toEqual(['map.tif']);
  });

  it('removes an incomplete file if the connection is lost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'headwater-client-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const other = await listening((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('part', () => response.destroy());
    });
    onTestFinished(() => other.close());
    const saved = downloadToFile(sample.owner, `${other.url}/x.tif`, { path: join(folder, 'x.tif') });
    expect(await errorOf(saved)).toMatchObject({ code: 'no_response', message: expect.stringContaining('4 of 1000') });
    expect(await readdir(folder)).toEqual([]);
  });

  it('opens a path of the service with parameters', async () => {
    const query = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil' };
    const { name, stream } = await sample.owner.download('/api/v1/download_excel_layer/', { query });
    expect(name).toMatch(/\.xlsx$/);
    await stream.cancel();
  });

  async function assetHref(): Promise<string> {
    const { links } = await sample.owner.get('/api/v1/stac/{state}/{district}/{block}/', { params: { path: PLACE } });
    const hrefs = links.filter(({ rel }) => rel === 'item').map(({ href }) => href);
    for (const href of hrefs) {
      const item = (await (await sample.owner.fetch(href)).json()) as { assets: Record<string, { href: string }> };
      const file = Object.values(item.assets).find((asset) => asset.href.includes('/assets/'));
      const tif = Object.values(item.assets).find((asset) => asset.href.endsWith('.tif')) ?? file;
      if (tif?.href.endsWith('.tif') === true) return tif.href;
    }
    return (await all(sample.owner.list('/api/v1/stac-api/search'))).flatMap(tifsOf)[0] ?? '';
  }
  const tifsOf = ({ assets }: Record<string, unknown>): readonly string[] =>
    Object.values(Object(assets) as Record<string, { href: string; type?: string }>).flatMap(({ href, type = '' }) =>
      type.startsWith('image/tiff') ? [href] : [],
    );
});

describe('errors', () => {
  it.each([
    [
      'a wrong parameter',
      () => sample.owner.get('/api/v1/runs/', { params: { query: { limit: 0 } } }),
      'validation',
      400,
    ],
    [
      'an invalid run id',
      () => sample.owner.get('/api/v1/runs/{id}/', { params: { path: { id: 'x'.repeat(36) } } }),
      'validation',
      400,
    ],
    [
      'a wrong password',
      () => createClient({ baseUrl: sample.url }).signIn({ username: 'a', password: 'b' }),
      'no_active_account',
      401,
    ],
    ['a missing right', () => sample.owner.get('/api/v1/users/'), 'forbidden', 403],
    [
      'an unknown collection',
      () =>
        sample.owner.get('/geoserver/ogc/features/v1/collections/{collection}', {
          params: { path: { collection: 'a:b' } },
        }),
      'not_found',
      404,
    ],
    [
      'an unknown coverage',
      () => sample.owner.download('/geoserver/a/wcs?service=WCS&version=2.0.1&request=GetCoverage&CoverageId=a:b'),
      'not_found',
      404,
    ],
    ['a missing token', () => createClient({ baseUrl: sample.url }).get('/api/v1/runs/'), 'not_authenticated', 401],
    [
      'an address of another program',
      () => createClient({ baseUrl: sample.url.replace('/headwater', '/other') }).get('/api/v1/runs/'),
      'unexpected_response',
      404,
    ],
    [
      'a service that does not run',
      () => createClient({ baseUrl: 'http://127.0.0.1:1' }).get('/api/health'),
      'no_response',
      undefined,
    ],
  ])('%s is an error with its code, status and message', async (_what, call, ...[code, status]) => {
    const error = await errorOf(call());
    expect(isHeadwaterError(error)).toBe(true);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'HeadwaterError', code, status, message: expect.stringMatching(/\w{3}/) });
  });

  it('names the wrong fields, each with its message', async () => {
    const error = await errorOf(sample.owner.compute('lulc_for_tehsil', { ...REQUEST, start_year: 1066 }));
    expect(error).toMatchObject({ code: 'validation', requestId: expect.stringMatching(/./) });
    expect(isHeadwaterError(error) ? error.fields : {}).toEqual({ start_year: [expect.stringContaining('1066')] });
  });
});
