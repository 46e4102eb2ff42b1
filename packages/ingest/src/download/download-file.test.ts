import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stillClock } from '../../../../scripts/still-clock.mjs';
import { downloadFile, type DownloadOptions } from './download-file.ts';
import {
  packageBytes,
  rangeOf,
  refusing,
  sending,
  serveFile,
  sha256Of,
  type FileServer,
} from './file-server.fixture.ts';

const BYTES = packageBytes(6_000_000);
/** What is worth another connection at once. */
const ENOUGH = 2_000_000;

let folder: string;
let server: FileServer;
let clock: ReturnType<typeof stillClock>;
let notices: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-download-'));
  server = await serveFile(BYTES);
  clock = stillClock();
  notices = [];
});
afterEach(async () => {
  await server.loopback.close();
  await rm(folder, { recursive: true, force: true });
});

const download = (more: Partial<DownloadOptions> = {}) =>
  downloadFile({
    url: server.url,
    folder,
    network: { tools: clock.tools },
    notice: (message) => notices.push(message),
    freeBytes: async () => 1e12,
    signal: new AbortController().signal,
    ...more,
  });
/** What was asked for: all of it, its rest behind what came (the last piece of a broken connection may be lost), or something else. */
const rangesAsked = () =>
  server.asked.map(({ range }) => {
    if (range === undefined) return 'all';
    const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1]);
    return from > ENOUGH - 70_000 && from <= ENOUGH ? 'rest' : range;
  });
const refused = (message: RegExp) => ({ code: 'input_data', message: expect.stringMatching(message) });

describe('a file that is downloaded', () => {
  it('is whole, named after what it is, and not asked for again', async () => {
    const done = await download();
    expect(done).toEqual({ path: join(folder, 'boundaries.gpkg'), bytes: BYTES.length, sha256: sha256Of(BYTES) });
    expect(sha256Of(await readFile(done.path))).toBe(sha256Of(BYTES));
    expect((await readdir(folder)).toSorted()).toEqual(['boundaries.gpkg', 'state.json']);
    expect(await download()).toEqual(done);
    expect(rangesAsked()).toEqual(['all']);
  });

  it('goes on where a connection broke, by its version', async () => {
    server.next.push(sending(ENOUGH), sending(ENOUGH));
    expect((await download()).sha256).toBe(sha256Of(BYTES));
    expect(server.asked.map(({ range, 'if-range': version }) => [range !== undefined, version])).toEqual([
      [false, undefined],
      [true, '"v1"'],
      [true, '"v1"'],
    ]);
    expect(notices).toEqual([]);
  });

  it('goes on in a later call, whatever signature its address has then', async () => {
    const stop = new AbortController();
    const progress = (received: number): void => {
      if (received >= ENOUGH) stop.abort(new Error('enough'));
    };
    const first = download({ url: `${server.url}?signature=one`, progress, signal: stop.signal });
    await expect(first).rejects.toThrow('enough');
    expect((await download({ url: `${server.url}?signature=two` })).bytes).toBe(BYTES.length);
    expect(Number(/\d+/.exec(rangesAsked()[1] ?? '')?.[0])).toBeGreaterThanOrEqual(ENOUGH);
  });

  it('comes in chunks of a length that nobody tells', async () => {
    server.next.push((_, response) => response.write(BYTES, () => response.end()));
    expect((await download()).sha256).toBe(sha256Of(BYTES));
  });

  it('tells no secret of its address, and sends user name and password to its own origin only', async () => {
    const elsewhere = await serveFile(BYTES);
    try {
      server.next.push(refusing(302, { location: `${elsewhere.url}?moved` }));
      const url = `${server.url.replace('//', '//asha:s3cret@')}?signature=s3cret`;
      await download({
        url,
        network: { tools: clock.tools, settings: { allowedOrigins: [elsewhere.loopback.origin] } },
      });
      expect(server.asked[0]?.authorization).toBe(`Basic ${btoa('asha:s3cret')}`);
      expect(elsewhere.asked[0]?.authorization).toBeUndefined();
      expect(await readFile(join(folder, 'state.json'), 'utf8')).not.toContain('s3cret');
      server.next.push(refusing(403));
      const error: unknown = await download({ url: `${url}2`, folder: join(folder, 'b') }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject(refused(/mws.gpkg: it answered HTTP 403/));
      expect(String(error)).not.toContain('s3cret');
    } finally {
      await elsewhere.loopback.close();
    }
  });
});

describe('a server that is busy or away', () => {
  it('is asked again when it says', async () => {
    server.next.push(refusing(503, { 'retry-after': '7' }), refusing(429, { 'retry-after': '9' }), refusing(502));
    await download();
    expect(clock.pauses.slice(0, 2).map((ms) => Math.floor(ms / 1000))).toEqual([7, 9]);
    expect(notices[0]).toMatch(/waiting for 127.0.0.1:\d+ \(HTTP 503\); next try in 8 s/);
  });

  it('is given up when it asks for more than patience has; what came is kept', async () => {
    server.next.push(sending(ENOUGH), refusing(503, { 'retry-after': '999999' }));
    await expect(download()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(/HTTP 503/) });
    await download();
    expect(rangesAsked()[2]).toBe('rest');
  });

  it(
    'and falls silent, or sends a byte now and then, is left for another connection',
    { timeout: 60_000 },
    async () => {
      const dripping: NodeJS.Timeout[] = [];
      const keptOpen = (most: number, drip: boolean) => (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': BYTES.length, etag: '"v1"' }).write(BYTES.subarray(0, most));
        if (drip) dripping.push(setInterval(() => response.write('x'), 20));
      };
      server.next.push(keptOpen(0, false), keptOpen(16, true));
      const limits = { stallMs: 300, leastBytes: 10_000 };
      const done = await download({ limits, sha256: sha256Of(BYTES) }).catch((error: unknown) => error);
      for (const drip of dripping) clearInterval(drip);
      // What dripped in was not of the file: the checksum tells.
      expect(done).toMatchObject(refused(/its SHA-256 is/));
      expect(rangesAsked()[2]).toMatch(/^bytes=\d+-$/);
      expect(notices.join()).toMatch(/bytes came in 0.3 s/);
    },
  );
});

describe('a server that answers something else', () => {
  it('another range: the file is begun anew', async () => {
    const wrong = { 'content-range': `bytes 5-${BYTES.length - 1}/${BYTES.length}` };
    server.next.push(sending(ENOUGH), sending(Infinity, wrong));
    expect((await download()).sha256).toBe(sha256Of(BYTES));
    expect(rangesAsked()).toEqual(['all', 'rest', 'all']);
    expect(notices).toEqual([expect.stringMatching(/begun anew, because the server answered another range/)]);
  });

  it('the whole file where its rest was asked for', async () => {
    const whole = (_: unknown, response: ServerResponse): void =>
      void response.writeHead(200, { 'content-length': BYTES.length }).end(BYTES);
    server.next.push(sending(ENOUGH), whole);
    expect((await download()).sha256).toBe(sha256Of(BYTES));
  });

  it('the whole of another file, because that has changed', async () => {
    const other = packageBytes(5_000_000, 7);
    server.next.push((request, response, served) => {
      sending(ENOUGH)(request, response, served);
      Object.assign(server, { bytes: other, headers: { etag: '"v2"' } });
    });
    expect((await download()).sha256).toBe(sha256Of(other));
  });

  it.each([
    ['version', { etag: '"v2"' }, 0],
    ['length', {}, 1],
  ])('the rest of a file of another %s, because it does not know If-Range', async (_, headers, less) => {
    server.next.push(sending(ENOUGH), (request, response) => {
      const [from, total] = [rangeOf(request, server) ?? 0, BYTES.length - less];
      response.writeHead(206, { 'content-range': `bytes ${from}-${total - 1}/${total}`, ...headers });
      response.end(BYTES.subarray(from, total));
    });
    expect((await download()).sha256).toBe(sha256Of(BYTES));
    expect(notices).toEqual([expect.stringMatching(/begun anew, because the file has changed at its server/)]);
  });

  it('a file that changes whenever it is asked for is given up', async () => {
    let version = 0;
    for (let i = 0; i < 20; i++)
      server.next.push((request, response, served) => {
        served.headers['etag'] = `"v${(version += 1)}"`;
        sending(ENOUGH)(request, response, served);
      });
    await expect(download()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/begun anew 5 times/),
    });
  });

  it('no version: its rest is not asked for, unless a checksum tells what is right', async () => {
    server.headers = {};
    server.next.push(sending(ENOUGH));
    await download();
    expect(rangesAsked()).toEqual(['all', 'all']);
    server.next.push(sending(ENOUGH));
    await download({ folder: join(folder, 'checked'), sha256: sha256Of(BYTES).toUpperCase() });
    expect(rangesAsked().slice(2)).toEqual(['all', 'rest']);
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void, RegExp]>([
    [
      'a compressed body',
      (_, r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      /it answers in gzip, which was not asked for/,
    ],
    [
      'a part where the whole was asked for',
      (_, r) => void r.writeHead(206, { 'content-range': 'bytes 0-0/9' }).end('x'),
      /answered a part \(206\)/,
    ],
    ['that it is not there', (_, r) => void r.writeHead(404).end(), /it answered HTTP 404; correct the address/],
    ['a page', (_, r) => void r.end('<!doctype html>'), /neither a GeoPackage nor a zip archive nor JSON/],
    [
      'more than may be read',
      (_, r) => void r.writeHead(200, { 'content-length': '7000000' }).write('x'),
      /larger than the 6500000 bytes/,
    ],
    ['chunks without end', (_, r) => void r.write(Buffer.alloc(6_600_000)), /longer than the 6500000 bytes/],
    [
      'a body whose end nobody can tell',
      (_, r) => void r.socket?.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nSQLite'),
      /does not say how long it is/,
    ],
    [
      'that it lies in a private network',
      (_, r) => void r.writeHead(302, { location: 'http://127.0.0.1:9/x' }).end(),
      /leads to a loopback address/,
    ],
    [
      'that it lies on this disk',
      (_, r) => void r.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      /redirects to no address that can be asked/,
    ],
    [
      'itself, again and again',
      (_, r) => void r.writeHead(302, { location: '/mws.gpkg' }).end(),
      /redirects more than 5 times/,
    ],
  ])('%s is refused, and not asked for again', async (_, answer, message) => {
    for (let i = 0; i < 10; i++) server.next.push(answer);
    await expect(download({ limits: { mostBytes: 6_500_000 } })).rejects.toMatchObject(refused(message));
    expect(clock.pauses).toEqual([]);
    expect(await readdir(folder)).not.toContain('boundaries.gpkg');
  });

  it('less than it announced: the rest is asked for', async () => {
    server.next.push((request, response) => {
      expect(rangeOf(request, server)).toBeUndefined();
      response.socket?.end(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\netag: "v1"\r\ncontent-length: ${BYTES.length}\r\n\r\n`),
          BYTES.subarray(0, ENOUGH),
        ]),
      );
    });
    expect((await download()).sha256).toBe(sha256Of(BYTES));
    expect(rangesAsked()).toEqual(['all', 'rest']);
  });
});

describe('a checksum', () => {
  const base64 = (bytes: Buffer): string => Buffer.from(sha256Of(bytes), 'hex').toString('base64');

  it.each([
    ['Repr-Digest', { 'repr-digest': `sha-512=:AAAA:, sha-256=:${base64(BYTES)}:` }],
    ['Digest', { digest: `SHA-256=${base64(BYTES)}` }],
  ])('of the header %s is compared', async (_, header) => {
    Object.assign(server.headers, header);
    expect((await download()).checkedBy).toBe('header');
    server.bytes = packageBytes(BYTES.length, 9);
    const other = join(folder, 'other');
    await expect(download({ folder: other })).rejects.toMatchObject(
      refused(/its server tells .*; what was read of it is dropped/),
    );
    expect(server.asked).toHaveLength(2);
    // Nothing of it is gone on with.
    server.bytes = BYTES;
    await download({ folder: other });
    expect(rangesAsked()).toEqual(['all', 'all', 'all']);
  });

  it('of a file beside it is compared, that of its name', async () => {
    await server.loopback.close();
    const lines = `${'0'.repeat(64)}  other.gpkg\n${sha256Of(BYTES)} *mws.gpkg\n`;
    server = await serveFile(BYTES, { '/mws.gpkg.sha256': lines });
    expect((await download()).checkedBy).toBe('sibling');
    expect((await download()).checkedBy).toBe('sibling');
    server.bytes = packageBytes(100);
    await expect(download({ folder: join(folder, 'other') })).rejects.toMatchObject(refused(/\.sha256 tells/));
  });

  it('that the operator knows goes before all others', async () => {
    Object.assign(server.headers, { digest: `SHA-256=${base64(packageBytes(5))}` });
    expect((await download({ sha256: sha256Of(BYTES) })).checkedBy).toBe('setting');
    await expect(download({ sha256: '0'.repeat(64) })).rejects.toMatchObject(refused(/and it was to be 0000/));
  });
});

describe('the disk', () => {
  it('must have two and a half times the file free before any of it is read', async () => {
    const free = async (): Promise<number> => 2.5 * BYTES.length - 1;
    await expect(download({ freeBytes: free })).rejects.toMatchObject({
      code: 'storage_full',
      message:
        'The file of 0.006 GB needs 0.015 GB of free space for its rest, for what is unpacked of it and for the database, and 0.015 GB are free. Make room on that disk.',
    });
    expect(await readFile(join(folder, 'part')).catch(() => Buffer.alloc(0))).toHaveLength(0);
    await download({ freeBytes: async () => 2.5 * BYTES.length });
  });

  it('must have 20 GB free for a file of unknown length', async () => {
    server.next.push((_, response) => response.write(BYTES, () => response.end()));
    await expect(download({ freeBytes: async () => 19.9e9 })).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringMatching(/^A file of unknown length needs 20.0 GB/),
    });
  });

  it(
    'is looked at while the file comes: what others write ends it, and the next call goes on',
    { timeout: 120_000 },
    async () => {
      const large = packageBytes(150_000_000);
      server.bytes = large;
      let looks = 0;
      const free = async (): Promise<number> => ((looks += 1) === 1 ? 1e9 : 1e6);
      await expect(download({ freeBytes: free })).rejects.toMatchObject({ code: 'storage_full' });
      expect(looks).toBe(2);
      expect((await download()).sha256).toBe(sha256Of(large));
      expect(Number(/\d+/.exec(rangesAsked()[1] ?? '')?.[0])).toBeGreaterThanOrEqual(64_000_000);
    },
  );
});
