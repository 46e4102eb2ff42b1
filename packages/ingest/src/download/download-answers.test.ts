import type { IncomingMessage, ServerResponse } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BYTES, downloadBench, ENOUGH, refused } from './download-bench.fixture.ts';
import { packageBytes, rangeOf, sending, sha256Of } from './file-server.fixture.ts';

const bench = downloadBench();

describe('a server that answers something else', () => {
  it('another range: the file is begun anew', async () => {
    const wrong = { 'content-range': `bytes 5-${BYTES.length - 1}/${BYTES.length}` };
    bench.server.next.push(sending(ENOUGH), sending(Infinity, wrong));
    expect((await bench.download()).sha256).toBe(sha256Of(BYTES));
    expect(bench.rangesAsked()).toEqual(['all', 'rest', 'all']);
    expect(bench.notices).toEqual([expect.stringMatching(/begun anew, because the server answered another range/)]);
  });

  it('the whole file where its rest was asked for', async () => {
    const whole = (_: unknown, response: ServerResponse): void =>
      void response.writeHead(200, { 'content-length': BYTES.length }).end(BYTES);
    bench.server.next.push(sending(ENOUGH), whole);
    expect((await bench.download()).sha256).toBe(sha256Of(BYTES));
  });

  it('the whole of another file, because that has changed', async () => {
    const other = packageBytes(5_000_000, 7);
    bench.server.next.push((request, response, served) => {
      sending(ENOUGH)(request, response, served);
      Object.assign(bench.server, { bytes: other, headers: { etag: '"v2"' } });
    });
    expect((await bench.download()).sha256).toBe(sha256Of(other));
  });

  it.each([
    ['version', { etag: '"v2"' }, 0],
    ['length', {}, 1],
  ])('the rest of a file of another %s, because it does not know If-Range', async (_, headers, less) => {
    bench.server.next.push(sending(ENOUGH), (request, response) => {
      const [from, total] = [rangeOf(request, bench.server) ?? 0, BYTES.length - less];
      response.writeHead(206, { 'content-range': `bytes ${from}-${total - 1}/${total}`, ...headers });
      response.end(BYTES.subarray(from, total));
    });
    expect((await bench.download()).sha256).toBe(sha256Of(BYTES));
    expect(bench.notices).toEqual([expect.stringMatching(/begun anew, because the file has changed at its server/)]);
  });

  it('a file that changes whenever it is asked for is given up', async () => {
    let version = 0;
    for (let i = 0; i < 20; i++)
      bench.server.next.push((request, response, served) => {
        served.headers['etag'] = `"v${(version += 1)}"`;
        sending(ENOUGH)(request, response, served);
      });
    await expect(bench.download()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/begun anew 5 times/),
    });
  });

  it('no version: its rest is not asked for, unless a checksum tells what is right', async () => {
    bench.server.headers = {};
    bench.server.next.push(sending(ENOUGH));
    await bench.download();
    expect(bench.rangesAsked()).toEqual(['all', 'all']);
    bench.server.next.push(sending(ENOUGH));
    await bench.download({ folder: join(bench.folder, 'checked'), sha256: sha256Of(BYTES).toUpperCase() });
    expect(bench.rangesAsked().slice(2)).toEqual(['all', 'rest']);
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
    for (let i = 0; i < 10; i++) bench.server.next.push(answer);
    await expect(bench.download({ limits: { mostBytes: 6_500_000 } })).rejects.toMatchObject(refused(message));
    expect(bench.clock.pauses).toEqual([]);
    expect(await readdir(bench.folder)).not.toContain('boundaries.gpkg');
  });

  it('less than it announced: the rest is asked for', async () => {
    bench.server.next.push((request, response) => {
      expect(rangeOf(request, bench.server)).toBeUndefined();
      response.socket?.end(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\netag: "v1"\r\ncontent-length: ${BYTES.length}\r\n\r\n`),
          BYTES.subarray(0, ENOUGH),
        ]),
      );
    });
    expect((await bench.download()).sha256).toBe(sha256Of(BYTES));
    expect(bench.rangesAsked()).toEqual(['all', 'rest']);
  });
});

describe('a checksum', () => {
  const base64 = (bytes: Buffer): string => Buffer.from(sha256Of(bytes), 'hex').toString('base64');

  it.each([
    ['Repr-Digest', { 'repr-digest': `sha-512=:AAAA:, sha-256=:${base64(BYTES)}:` }],
    ['Digest', { digest: `SHA-256=${base64(BYTES)}` }],
  ])('of the header %s is compared', async (_, header) => {
    Object.assign(bench.server.headers, header);
    expect((await bench.download()).checkedBy).toBe('header');
    bench.server.bytes = packageBytes(BYTES.length, 9);
    const other = join(bench.folder, 'other');
    await expect(bench.download({ folder: other })).rejects.toMatchObject(
      refused(/its server tells .*; what was read of it is dropped/),
    );
    expect(bench.server.asked).toHaveLength(2);
    // Nothing of it is gone on with.
    bench.server.bytes = BYTES;
    await bench.download({ folder: other });
    expect(bench.rangesAsked()).toEqual(['all', 'all', 'all']);
  });

  it('of a file beside it is compared, that of its name', async () => {
    const lines = `${'0'.repeat(64)}  other.gpkg\n${sha256Of(BYTES)} *mws.gpkg\n`;
    await bench.serve({ '/mws.gpkg.sha256': lines });
    expect((await bench.download()).checkedBy).toBe('sibling');
    expect((await bench.download()).checkedBy).toBe('sibling');
    bench.server.bytes = packageBytes(100);
    await expect(bench.download({ folder: join(bench.folder, 'other') })).rejects.toMatchObject(
      refused(/\.sha256 tells/),
    );
  });

  it('that the operator knows goes before all others', async () => {
    Object.assign(bench.server.headers, { digest: `SHA-256=${base64(packageBytes(5))}` });
    expect((await bench.download({ sha256: sha256Of(BYTES) })).checkedBy).toBe('setting');
    await expect(bench.download({ sha256: '0'.repeat(64) })).rejects.toMatchObject(refused(/and it was to be 0000/));
  });
});
