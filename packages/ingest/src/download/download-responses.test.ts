import type { IncomingMessage, ServerResponse } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BYTES, downloadBench, ENOUGH, refused } from './download-bench.fixture.ts';
import { packageBytes, rangeOf, sending, sha256Of } from './file-server.fixture.ts';

const bench = downloadBench();

describe('a download with unexpected responses', () => {
  it('restarts if the response has another range than the request', async () => {
    const wrong = { 'content-range': `bytes 5-${BYTES.length - 1}/${BYTES.length}` };
    bench.server.next.push(sending(ENOUGH), sending(Infinity, wrong));
    expect((await bench.download()).sha256).toBe(sha256Of(BYTES));
    expect(bench.requestedRanges()).toEqual(['all', 'rest', 'all']);
    expect(bench.notices).toEqual([expect.stringMatching(/restarts, because the server sent another range/)]);
  });

  it('accepts the whole file although only the rest was requested', async () => {
    const whole = (_: unknown, response: ServerResponse): void =>
      void response.writeHead(200, { 'content-length': BYTES.length }).end(BYTES);
    bench.server.next.push(sending(ENOUGH), whole);
    expect((await bench.download()).sha256).toBe(sha256Of(BYTES));
  });

  it('accepts the whole new file although the rest was requested, if the file has changed', async () => {
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
  ])(
    'restarts if a server that ignores If-Range sends the rest of a file with another %s',
    async (_, headers, less) => {
      bench.server.next.push(sending(ENOUGH), (request, response) => {
        const [from, total] = [rangeOf(request, bench.server) ?? 0, BYTES.length - less];
        response.writeHead(206, { 'content-range': `bytes ${from}-${total - 1}/${total}`, ...headers });
        response.end(BYTES.subarray(from, total));
      });
      expect((await bench.download()).sha256).toBe(sha256Of(BYTES));
      expect(bench.notices).toEqual([expect.stringMatching(/restarts, because the file on the server has changed/)]);
    },
  );

  it('stops downloading a file that changes at every request', async () => {
    let version = 0;
    for (let i = 0; i < 20; i++)
      bench.server.next.push((request, response, served) => {
        served.headers['etag'] = `"v${(version += 1)}"`;
        sending(ENOUGH)(request, response, served);
      });
    await expect(bench.download()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/restarted 5 times/),
    });
  });

  it('requests the rest of a file without a version only if the checksum of the file is known', async () => {
    bench.server.headers = {};
    bench.server.next.push(sending(ENOUGH));
    await bench.download();
    expect(bench.requestedRanges()).toEqual(['all', 'all']);
    bench.server.next.push(sending(ENOUGH));
    await bench.download({ folder: join(bench.folder, 'checked'), sha256: sha256Of(BYTES).toUpperCase() });
    expect(bench.requestedRanges().slice(2)).toEqual(['all', 'rest']);
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void, RegExp]>([
    [
      'a compressed body',
      (_, r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      /its response has the encoding gzip, which was not requested/,
    ],
    [
      'a part although the whole file was requested',
      (_, r) => void r.writeHead(206, { 'content-range': 'bytes 0-0/9' }).end('x'),
      /sent a part \(HTTP 206\)/,
    ],
    ['HTTP 404', (_, r) => void r.writeHead(404).end(), /the server responded with HTTP 404; correct the address/],
    ['an HTML page', (_, r) => void r.end('<!doctype html>'), /not a GeoPackage, a zip archive or JSON/],
    [
      'more bytes than allowed',
      (_, r) => void r.writeHead(200, { 'content-length': '7000000' }).write('x'),
      /larger than the 6500000 bytes/,
    ],
    ['endless chunks', (_, r) => void r.write(Buffer.alloc(6_600_000)), /longer than the 6500000 bytes/],
    [
      'a body of unknown length',
      (_, r) => void r.socket?.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nSQLite'),
      /does not send the length/,
    ],
    [
      'a redirect into a private network',
      (_, r) => void r.writeHead(302, { location: 'http://127.0.0.1:9/x' }).end(),
      /leads to a loopback address/,
    ],
    [
      'a redirect to a file on this disk',
      (_, r) => void r.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      /redirects to an address that is not allowed/,
    ],
    [
      'an endless redirect to itself',
      (_, r) => void r.writeHead(302, { location: '/mws.gpkg' }).end(),
      /redirects more than 5 times/,
    ],
  ])('refuses %s, and does not try again', async (_, answer, message) => {
    for (let i = 0; i < 10; i++) bench.server.next.push(answer);
    await expect(bench.download({ limits: { mostBytes: 6_500_000 } })).rejects.toMatchObject(refused(message));
    expect(bench.clock.pauses).toEqual([]);
    expect(await readdir(bench.folder)).not.toContain('boundaries.gpkg');
  });

  it('requests the rest of a body that is shorter than announced', async () => {
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
    expect(bench.requestedRanges()).toEqual(['all', 'rest']);
  });
});

describe('the checksum of a download', () => {
  const base64 = (bytes: Buffer): string => Buffer.from(sha256Of(bytes), 'hex').toString('base64');

  it.each([
    ['Repr-Digest', { 'repr-digest': `sha-512=:AAAA:, sha-256=:${base64(BYTES)}:` }],
    ['Digest', { digest: `SHA-256=${base64(BYTES)}` }],
  ])('is read from the header %s', async (_, header) => {
    Object.assign(bench.server.headers, header);
    expect((await bench.download()).checkedBy).toBe('header');
    bench.server.bytes = packageBytes(BYTES.length, 9);
    const other = join(bench.folder, 'other');
    await expect(bench.download({ folder: other })).rejects.toMatchObject(
      refused(/its server sent .*\. The downloaded file was removed: download it again/),
    );
    expect(bench.server.requests).toHaveLength(2);
    bench.server.bytes = BYTES;
    await bench.download({ folder: other });
    expect(bench.requestedRanges()).toEqual(['all', 'all', 'all']);
  });

  it('is read from the line with the name of the file in a checksum file', async () => {
    const lines = `${'0'.repeat(64)}  other.gpkg\n${sha256Of(BYTES)} *mws.gpkg\n`;
    await bench.serve({ '/mws.gpkg.sha256': lines });
    expect((await bench.download()).checkedBy).toBe('sibling');
    expect((await bench.download()).checkedBy).toBe('sibling');
    bench.server.bytes = packageBytes(100);
    await expect(bench.download({ folder: join(bench.folder, 'other') })).rejects.toMatchObject(
      refused(/\.sha256\) contains/),
    );
  });

  it('is read from the setting, even if the server sends another checksum', async () => {
    Object.assign(bench.server.headers, { digest: `SHA-256=${base64(packageBytes(5))}` });
    expect((await bench.download({ sha256: sha256Of(BYTES) })).checkedBy).toBe('setting');
    await expect(bench.download({ sha256: '0'.repeat(64) })).rejects.toMatchObject(
      refused(/but the setting expects 0000/),
    );
  });
});
