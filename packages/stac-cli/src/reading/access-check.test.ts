import { afterEach, describe, expect, it } from 'vitest';
import { serve, type TestServer } from '../cli.fixture.ts';
import { createAccessCheck } from './access-check.ts';
import { createReader } from './reader.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const PUBLIC = 'https://192.0.2.1/stac/';

describe('addresses that a command may request', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1:8000/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://localhost/',
    'http://x.LOCALHOST./',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
  ])('a public server may not link to %s, but the user may name it', async (href) => {
    await expect(createAccessCheck(PUBLIC)(href)).rejects.toThrow('pass its address yourself');
    await expect(createAccessCheck(href)(href)).resolves.toBeUndefined();
    await expect(createAccessCheck('http://127.0.0.1:8000/')(href)).resolves.toBeUndefined();
    await expect(createAccessCheck('file:///data/catalog.json')(href)).resolves.toBeUndefined();
  });

  it.each(['http://192.0.2.7/', 'https://172.32.0.1/', 'https://[2001:db8::1]/', 's3://bucket/key'])(
    'a public server may link to %s',
    async (href) => {
      await expect(createAccessCheck(PUBLIC)(href)).resolves.toBeUndefined();
    },
  );

  it('a document read over HTTP may not link to a file', async () => {
    await expect(createAccessCheck(PUBLIC)('file:///etc/hostname')).rejects.toThrow('may not link to a file');
    await expect(createAccessCheck('http://localhost/')('file:///etc/hostname')).rejects.toThrow(
      'may not link to a file',
    );
  });
});

describe('a hostile server', () => {
  it('on a private network is not requested for a link of a public server', async () => {
    let requests = 0;
    server = await serve((_request, response) => {
      requests += 1;
      response.end('{}');
    });
    await expect(createReader({ from: PUBLIC }).read(server.base)).rejects.toThrow('private network');
    expect(requests).toBe(0);
    expect(await createReader({ from: server.base }).read(server.base)).toEqual({});
  });

  it('is disconnected at the timeout if it sends single bytes slowly', async () => {
    let isOpen = true;
    server = await serve((_request, response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.once('close', () => {
        clearInterval(drip);
        isOpen = false;
      });
    });
    const reader = createReader({ from: server.base, limits: { timeoutMs: 300 } });
    await expect(reader.read(server.base)).rejects.toThrow('did not respond within 0.3 s');
    await expect.poll(() => isOpen).toBe(false);
  });

  it('has one timeout for all redirects if it sends only redirects', async () => {
    server = await serve((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 200);
    });
    const reader = createReader({ from: server.base, limits: { timeoutMs: 500, mostRedirects: 1000 } });
    await expect(reader.read(server.base)).rejects.toThrow('did not respond within 0.5 s');
  });

  it('is not read to the end if it announces gigabytes', async () => {
    let isOpen = true;
    server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': String(10 * 2 ** 30) });
      response.once('close', () => (isOpen = false));
      const write = (): void => {
        while (response.write(' '.repeat(2 ** 16)));
        response.once('drain', write);
      };
      write();
    });
    const reader = createReader({ from: server.base, limits: { mostBytes: 2 ** 20 } });
    await expect(reader.read(server.base)).rejects.toThrow('is larger than 1 MiB');
    await expect.poll(() => isOpen).toBe(false);
  });

  it('is stopped at the limit of the decompressed size if it sends a compression bomb', async () => {
    const { gzipSync } = await import('node:zlib');
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, ' '));
    expect(bomb.length).toBeLessThan(2 ** 17);
    server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    await expect(createReader({ from: server.base }).read(server.base)).rejects.toThrow('is larger than 32 MiB');
  });

  it('with many documents is stopped at the limit of their total size', async () => {
    server = await serve((_request, response) => response.end(`"${'x'.repeat(2 ** 20)}"`));
    const { base } = server;
    const reader = createReader({ from: base, limits: { mostTotalBytes: 3 * 2 ** 20 } });
    for (const path of ['a', 'b']) await reader.read(base + path);
    await expect(reader.read(`${base}c`)).rejects.toThrow(
      'all documents up to this one are larger than 3 MiB together',
    );
  });
});
