import type { ServerResponse } from 'node:http';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BYTES, downloadBench, ENOUGH, refused } from './download-bench.fixture.ts';
import { packageBytes, refusing, sending, serveFile, sha256Of } from './file-server.fixture.ts';

const bench = downloadBench();

describe('downloadFile', () => {
  it('gives a complete file the ending of its format, and does not request it again', async () => {
    const done = await bench.download();
    expect(done).toEqual({ path: join(bench.folder, 'boundaries.gpkg'), bytes: BYTES.length, sha256: sha256Of(BYTES) });
    expect(sha256Of(await readFile(done.path))).toBe(sha256Of(BYTES));
    expect((await readdir(bench.folder)).toSorted()).toEqual(['boundaries.gpkg', 'state.json']);
    expect(await bench.download()).toEqual(done);
    expect(bench.requestedRanges()).toEqual(['all']);
  });

  it('continues after a broken connection if the version is the same', async () => {
    bench.server.next.push(sending(ENOUGH), sending(ENOUGH));
    expect((await bench.download()).sha256).toBe(sha256Of(BYTES));
    expect(bench.server.requests.map(({ range, 'if-range': version }) => [range !== undefined, version])).toEqual([
      [false, undefined],
      [true, '"v1"'],
      [true, '"v1"'],
    ]);
    expect(bench.notices).toEqual([]);
  });

  it('continues in a later call, even if the signature in the address has changed', async () => {
    const stop = new AbortController();
    const progress = (received: number): void => {
      if (received >= ENOUGH) stop.abort(new Error('enough'));
    };
    const first = bench.download({ url: `${bench.server.url}?signature=one`, progress, signal: stop.signal });
    await expect(first).rejects.toThrow('enough');
    expect((await bench.download({ url: `${bench.server.url}?signature=two` })).bytes).toBe(BYTES.length);
    expect(Number(/\d+/.exec(bench.requestedRanges()[1] ?? '')?.[0])).toBeGreaterThanOrEqual(ENOUGH);
  });

  it('removes the temporary state file of a killed process', async () => {
    await writeFile(join(bench.folder, '.state.json.0123456789ab.tmp'), '{"sour');
    await bench.download();
    expect((await readdir(bench.folder)).toSorted()).toEqual(['boundaries.gpkg', 'state.json']);
  });

  it('accepts a response in chunks without a length', async () => {
    bench.server.next.push((_, response) => response.write(BYTES, () => response.end()));
    expect((await bench.download()).sha256).toBe(sha256Of(BYTES));
  });

  it('omits secrets of the address from errors and state.json, and sends user name and password only to the origin of the address', async () => {
    const elsewhere = await serveFile(BYTES);
    try {
      bench.server.next.push(refusing(302, { location: `${elsewhere.url}?moved` }));
      const url = `${bench.server.url.replace('//', '//asha:s3cret@')}?signature=s3cret`;
      await bench.download({
        url,
        network: { tools: bench.clock.tools, settings: { allowedOrigins: [elsewhere.loopback.origin] } },
      });
      expect(bench.server.requests[0]?.authorization).toBe(`Basic ${btoa('asha:s3cret')}`);
      expect(elsewhere.requests[0]?.authorization).toBeUndefined();
      expect(await readFile(join(bench.folder, 'state.json'), 'utf8')).not.toContain('s3cret');
      bench.server.next.push(refusing(403));
      const error: unknown = await bench
        .download({ url: `${url}2`, folder: join(bench.folder, 'b') })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject(refused(/mws.gpkg: the server responded with HTTP 403/));
      expect(String(error)).not.toContain('s3cret');
    } finally {
      await elsewhere.loopback.close();
    }
  });
});

describe('a server that is overloaded or does not respond', () => {
  it('gets the next request after the time in its Retry-After header', async () => {
    bench.server.next.push(refusing(503, { 'retry-after': '7' }), refusing(429, { 'retry-after': '9' }), refusing(502));
    await bench.download();
    expect(bench.clock.pauses.slice(0, 2).map((ms) => Math.floor(ms / 1000))).toEqual([7, 9]);
    expect(bench.notices[0]).toMatch(/waiting for 127.0.0.1:\d+ \(HTTP 503\); next try in 8 s/);
  });

  it('ends the download if its Retry-After header exceeds the longest wait; the received bytes stay on the disk', async () => {
    bench.server.next.push(sending(ENOUGH), refusing(503, { 'retry-after': '999999' }));
    await expect(bench.download()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/HTTP 503/),
    });
    await bench.download();
    expect(bench.requestedRanges()[2]).toBe('rest');
  });

  it('gets a new connection if it sends nothing, or only a few bytes', { timeout: 60_000 }, async () => {
    const dripping: NodeJS.Timeout[] = [];
    const keptOpen = (most: number, drip: boolean) => (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': BYTES.length, etag: '"v1"' }).write(BYTES.subarray(0, most));
      if (drip) dripping.push(setInterval(() => response.write('x'), 20));
    };
    bench.server.next.push(keptOpen(0, false), keptOpen(16, true));
    const limits = { stallMs: 300, leastBytes: 10_000 };
    const done = await bench.download({ limits, sha256: sha256Of(BYTES) }).catch((error: unknown) => error);
    for (const drip of dripping) clearInterval(drip);
    // The bytes of the slow response are not from the file, so the checksum is wrong.
    expect(done).toMatchObject(refused(/its SHA-256 is/));
    expect(bench.requestedRanges()[2]).toMatch(/^bytes=\d+-$/);
    expect(bench.notices.join()).toMatch(/bytes in 0.3 s/);
  });
});

describe('the disk of a download', () => {
  it('must have free space of two and a half times the length of the file before the download begins', async () => {
    const free = async (): Promise<number> => 2.5 * BYTES.length - 1;
    await expect(bench.download({ freeBytes: free })).rejects.toMatchObject({
      code: 'storage_full',
      message:
        'The file of 0.006 GB needs 0.015 GB of free space for the rest of the download, for the unpacked files and for the database, but only 0.015 GB are free. Free space on that disk and try again.',
    });
    expect(await readFile(join(bench.folder, 'part')).catch(() => Buffer.alloc(0))).toHaveLength(0);
    await bench.download({ freeBytes: async () => 2.5 * BYTES.length });
  });

  it('must have 20 GB free for a file of unknown length', async () => {
    bench.server.next.push((_, response) => response.write(BYTES, () => response.end()));
    await expect(bench.download({ freeBytes: async () => 19.9e9 })).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringMatching(/^A file of unknown length needs 20.0 GB/),
    });
  });

  it(
    'is checked during the download: if other files fill the disk, the download ends, and the next call continues it',
    { timeout: 120_000 },
    async () => {
      const large = packageBytes(80_000_000);
      bench.server.bytes = large;
      let checks = 0;
      const free = async (): Promise<number> => ((checks += 1) === 1 ? 1e9 : 1e6);
      await expect(bench.download({ freeBytes: free })).rejects.toMatchObject({ code: 'storage_full' });
      expect(checks).toBe(2);
      // On a busy machine the first connection may break, which causes more requests.
      const { length } = bench.requestedRanges();
      expect((await bench.download()).sha256).toBe(sha256Of(large));
      // The second check found the disk full: after 64 MB, or after 5 s on a busy machine. The next call continues from
      // there.
      expect(Number(/\d+/.exec(bench.requestedRanges()[length] ?? '')?.[0])).toBeGreaterThan(0);
    },
  );
});
