import { afterEach, describe, expect, it } from 'vitest';
import { call, serve, type TestServer } from '../cli.fixture.ts';
import { createRetry } from './retry.ts';
import { TransientError } from '../errors.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const catalog = (base: string, links: readonly object[]): string =>
  JSON.stringify({
    type: 'Catalog',
    stac_version: '1.1.0',
    id: 'r',
    title: 'R',
    description: 'R',
    links: [{ rel: 'root', href: base }, ...links],
  });

async function serveRefusing(refusals: number, refuse: 'busy' | 'reset' | 'broken' | 'long') {
  const requests = new Map<string, number>();
  server = await serve((request, response) => {
    const path = request.url ?? '';
    const count = (requests.get(path) ?? 0) + 1;
    requests.set(path, count);
    if (count > refusals) response.end(catalog(server?.base ?? '', []));
    else if (refuse === 'busy') response.writeHead(429, { 'retry-after': '0' }).end();
    else if (refuse === 'long') response.writeHead(503, { 'retry-after': '3600' }).end();
    else if (refuse === 'reset') request.socket.destroy();
    else {
      response.writeHead(200, { 'content-length': '1000' }).write('{');
      setTimeout(() => request.socket.destroy(), 20);
    }
  });
  return { base: server.base, requests };
}

describe('an overloaded server', () => {
  it.each(['busy', 'reset', 'broken'] as const)('is requested again (%s), and the wait is reported', async (refuse) => {
    const { base, requests } = await serveRefusing(1, refuse);
    const { code, out, err } = await call(['lint', base]);
    expect([code, out]).toEqual([0, expect.stringContaining('1 conforming; 0 errors')]);
    expect(requests.get('/')).toBeGreaterThan(1);
    expect(err).toMatch(new RegExp(`^lint: ${base} .*; next try in \\d s\\n`));
  });

  it('is requested at most four times, and only once if it asks for a pause of an hour', async () => {
    const busy = await serveRefusing(100, 'busy');
    const exhausted = await call(['lint', busy.base, '--quiet']);
    expect([exhausted.code, exhausted.err, busy.requests.get('/')]).toEqual([
      2,
      `headwater-stac: ${busy.base} responded with status 429 (tried 4 times)\n`,
      4,
    ]);
    await server?.close();
    const long = await serveRefusing(100, 'long');
    const { code, err } = await call(['lint', long.base]);
    expect([code, err]).toEqual([
      2,
      `headwater-stac: ${long.base} responded with status 503 and asks for a pause of 3600 s, which is too long; try again later\n`,
    ]);
  });

  it('is also requested again for an asset', async () => {
    const { base, requests } = await serveRefusing(1, 'busy');
    const asset = { href: `${base}a.tif` };
    const tree = await serve((_, response) => {
      const document: unknown = JSON.parse(catalog(tree.base, []));
      response.end(JSON.stringify(Object.assign(Object(document), { assets: { asset } })));
    });
    const { out } = await call(['lint', tree.base, '--check-assets', '--quiet']);
    await tree.close();
    expect([out.includes('asset.missing'), requests.get('/a.tif')]).toEqual([false, 2]);
  });

  it('does not delay the end of an export that is aborted during a pause; the abort is reported, not a fault of the tree', async () => {
    const stop = new AbortController();
    server = await serve((request, response) => {
      if (request.url === '/') return response.end(catalog(server?.base ?? '', [{ rel: 'item', href: './busy' }]));
      setTimeout(() => stop.abort(new Error('stopped by SIGINT')), 50);
      return response.writeHead(429, { 'retry-after': '50' }).end();
    });
    const args = ['export', server.base, '--format', 'ndjson', '--out', '/tmp/never.ndjson', '--quiet'];
    expect(await call(args, { signal: stop.signal })).toEqual({
      code: 2,
      out: '',
      err: 'headwater-stac: stopped by SIGINT\n',
    });
  });
});

describe('retried work', () => {
  it('is tried only once after three addresses in a row failed on every try', async () => {
    const retried = createRetry({ settings: { tries: 2, firstPauseMs: 1 } });
    let count = 0;
    const fail = () => {
      count += 1;
      return Promise.reject(new TransientError('busy'));
    };
    for (let address = 0; address < 5; address++) await expect(retried(fail)).rejects.toThrow('busy');
    expect(count).toBe(3 * 2 + 2);
    expect(await retried(() => Promise.resolve('there'))).toBe('there');
    await expect(retried(fail)).rejects.toThrow('busy');
    expect(count).toBe(3 * 2 + 2 + 2);
  });

  it('is not retried after a permanent error', async () => {
    let count = 0;
    const fail = () => {
      count += 1;
      return Promise.reject(new Error('no JSON'));
    };
    await expect(createRetry({})(fail)).rejects.toThrow('no JSON');
    expect(count).toBe(1);
  });
});
