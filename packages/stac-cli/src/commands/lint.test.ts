import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documents, treeOf } from '../catalogue.fixture.ts';
import { call, serve, serveDocuments, type TestServer } from '../cli.fixture.ts';
import { exportStatic } from '../export/export-static.ts';

let dir: string;
let server: TestServer | undefined;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'headwater-lint-'))));
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(dir, { recursive: true, force: true });
});

const catalog = (id: string, links: readonly unknown[]): object => ({
  type: 'Catalog',
  stac_version: '1.1.0',
  id,
  title: id,
  description: id,
  links,
});

describe('lint', () => {
  it('finds nothing in an exported folder, and reports a file without a link to it', async () => {
    const folder = join(dir, 'out');
    await exportStatic(treeOf(documents()), folder);
    expect((await call(['lint', folder])).code).toBe(0);
    expect((await call(['lint', join(folder, 'catalog.json')])).code).toBe(0);
    await writeFile(join(folder, 'orphan.json'), JSON.stringify(catalog('orphan', [])));
    await writeFile(join(folder, 'other.json'), '{"name":"no STAC"}');
    const { code, out } = await call(['lint', folder]);
    expect([code, out]).toEqual([1, expect.stringContaining('[tree.orphan]')]);
    expect(out).not.toContain('other.json');
  });

  it('does not report data files as orphans, nor a linked file whose name can be spelled in two ways in an address', async () => {
    const link = (rel: string, href: string) => ({ rel, href });
    await mkdir(join(dir, '[1]~|'));
    const item = {
      type: 'Feature',
      id: 'a',
      links: [link('root', '../catalog.json'), link('parent', '../catalog.json')],
    };
    const root = catalog('r', [link('root', './catalog.json'), link('item', './[1]~|/a.json')]);
    const edge = { type: 'Feature', properties: {}, geometry: null };
    for (const [name, value] of [
      ['catalog.json', root],
      ['[1]~|/a.json', item],
      ['[1]~|/edge.geojson', edge],
    ] as const)
      await writeFile(join(dir, name), JSON.stringify(value));
    expect(await call(['lint', dir, '--quiet'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^2 documents: 2/),
    });
  });

  it('with --validate, also validates documents, by the rules of the chosen profile', async () => {
    server = await serveDocuments((base) => ({ '': { ...catalog('a/b', [{ rel: 'root', href: base }]), title: 'A' } }));
    const args = ['lint', '--validate', server.base];
    const open = await call(args);
    expect([open.code, open.out]).toEqual([0, expect.stringMatching(/warning +\/id: .+ \[id\.safe\]/)]);
    const own = await call([...args, '--profile', 'headwater']);
    expect([own.code, own.out]).toEqual([1, expect.stringMatching(/error +\/id: .+ \[id\.safe\]/)]);
  });

  it('walks a server from its root, with or without a trailing slash', async () => {
    server = await serveDocuments((base) => ({
      'stac/': catalog('root', [
        { rel: 'root', href: `${base}stac/` },
        { rel: 'self', href: `${base}stac/` },
        { rel: 'child', href: `${base}gone` },
      ]),
      stac: catalog('root', [
        { rel: 'root', href: `${base}stac/` },
        { rel: 'self', href: `${base}stac/` },
        { rel: 'child', href: `${base}gone` },
      ]),
    }));
    for (const root of ['stac/', 'stac']) {
      const { code, out } = await call(['lint', server.base + root]);
      expect([code, out.match(/\[tree\.[a-z-]+\]/g)]).toEqual([1, ['[tree.target-missing]']]);
    }
  });

  it('checks that assets exist and match their Items', async () => {
    const requests: string[] = [];
    const files: Readonly<Record<string, Record<string, string>>> = {
      '/good.tif': {
        'content-type': 'image/tiff',
        'content-length': '10',
        'accept-ranges': 'bytes',
        'access-control-allow-origin': '*',
      },
      '/bad.tif': { 'content-type': 'text/html; charset=utf-8', 'content-length': '11' },
    };
    const assets = await serve((request, response) => {
      requests.push(`${String(request.method)} ${String(request.url)}`);
      const headers = files[request.url ?? ''];
      if (request.method === 'HEAD' && request.url === '/no-head.tif') response.writeHead(405).end();
      else if (request.url === '/no-head.tif')
        response.writeHead(206, { 'content-range': 'bytes 0-0/10', 'access-control-allow-origin': '*' }).end('x');
      else if (headers === undefined) response.writeHead(404).end();
      else response.writeHead(200, headers).end();
    });
    const cog = { type: 'image/tiff; application=geotiff; profile=cloud-optimized', 'file:size': 10 };
    const names = ['good', 'bad', 'gone', 'no-head'];
    const httpAssets = Object.fromEntries(names.map((name) => [name, { ...cog, href: `${assets.base}${name}.tif` }]));
    const others = {
      again: { ...cog, href: `${assets.base}good.tif` },
      s3: { href: 's3://bucket/x.tif' },
      file: { href: 'file:///etc/passwd' },
    };
    server = await serveDocuments((base) => ({
      '': catalog('root', [
        { rel: 'root', href: base },
        { rel: 'item', href: `${base}item` },
      ]),
      item: {
        type: 'Feature',
        id: 'item',
        properties: {},
        assets: { ...httpAssets, ...others },
        links: [
          { rel: 'root', href: base },
          { rel: 'parent', href: base },
        ],
      },
    }));
    const { code, out } = await call(['lint', '--check-assets', server.base]);
    await assets.close();
    expect(code).toBe(1);
    const messages = out
      .split('\n')
      .flatMap((line) => /^ {2}(\w+) +(\S+): .*\[(asset\.[a-z]+)\]/.exec(line)?.slice(1).join(' ') ?? []);
    expect(messages.sort()).toEqual([
      'error /assets/bad/file:size asset.size',
      'error /assets/file/href asset.missing',
      'error /assets/gone/href asset.missing',
      'info /assets/s3/href asset.unchecked',
      'warning /assets/bad/href asset.cors',
      'warning /assets/bad/href asset.ranges',
      'warning /assets/bad/type asset.type',
    ]);
    expect(requests.filter((each) => each === 'HEAD /good.tif')).toHaveLength(1);
    expect(requests).toContain('GET /no-head.tif');
  });
});

describe('a command ends with a clear error', () => {
  it('for catalogues nested without end', async () => {
    let number = 0;
    server = await serveDocuments(
      () =>
        new Proxy({}, { get: () => catalog(`n${String(number)}`, [{ rel: 'child', href: `/${String(++number)}` }]) }),
    );
    const lint = await call(['lint', server.base, '--most-documents', '50']);
    expect([lint.code, lint.out]).toEqual([1, expect.stringContaining('[tree.most-documents]')]);
    const exported = await call(['export', server.base, '--out', join(dir, 'out')]);
    expect([exported.code, exported.err]).toEqual([1, expect.stringContaining('nested more than 32 catalogues deep')]);
  });

  it('for children without end', async () => {
    server = await serveDocuments(
      () =>
        new Proxy(
          {},
          {
            get: (_, path) =>
              catalog(
                `n${String(path)}`,
                path === ''
                  ? Array.from({ length: 60 }, (__, index) => ({ rel: 'child', href: `/${String(index)}` }))
                  : [],
              ),
          },
        ),
    );
    const { code, err } = await call(['export', server.base, '--out', join(dir, 'out'), '--most-documents', '50']);
    expect([code, err]).toEqual([1, expect.stringContaining('the tree has more than 50 documents')]);
  });

  it('for a cycle', async () => {
    server = await serveDocuments((base) => ({
      '': catalog('a', [{ rel: 'child', href: `${base}b` }]),
      b: catalog('b', [{ rel: 'child', href: base }]),
    }));
    expect((await call(['lint', server.base])).out).toContain('[tree.cycle]');
    const { code, err } = await call(['export', server.base, '--out', join(dir, 'out')]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`b#/links/0: leads to ${server.base}, which another link already leads to`),
    ]);
  });

  it('for a link to a local file', async () => {
    server = await serveDocuments(() => ({ '': catalog('a', [{ rel: 'child', href: 'file:///etc/hostname' }]) }));
    expect((await call(['lint', server.base])).out).toContain('may not link to a file');
    expect((await call(['export', server.base, '--out', join(dir, 'out')])).err).toContain('may not link to a file');
  });

  it('for an endless document, a document that is not JSON, and a document that is nested too deep', async () => {
    const endless = await serve((request, response) => {
      const write = (): void => {
        while (response.write(' '.repeat(2 ** 20)));
        response.once('drain', write);
      };
      if (request.url === '/endless') write();
      else response.end(request.url === '/deep' ? '['.repeat(10_000) : '<html>');
    });
    server = endless;
    expect((await call(['lint', `${server.base}endless`])).err).toContain('is larger than 32 MiB');
    expect((await call(['lint', `${server.base}html`])).err).toContain('is not valid JSON');
    expect((await call(['validate', `${server.base}deep`])).out).toContain('nested more than 200 levels deep');
  });

  it('for endless redirects, and redirects to other schemes', async () => {
    server = await serve((request, response) => {
      response.writeHead(302, { location: request.url === '/file' ? 'file:///etc/hostname' : '/again' }).end();
    });
    expect((await call(['lint', `${server.base}x`])).err).toContain('redirects more than 5 times');
    expect((await call(['lint', `${server.base}file`])).err).toContain(
      'only http and https addresses are requested, not file:',
    );
  });

  it('for a server that is down', async () => {
    const port = createServer().listen(0, '127.0.0.1');
    await once(port, 'listening');
    const address = port.address();
    port.close();
    await once(port, 'close');
    const href = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}/`;
    const { code, err } = await call(['lint', href]);
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be reached: connect ECONNREFUSED')]);
  });
});

it('a command over its time limit ends with exit code 2 and names the option for more time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    server = await serve(() => vi.advanceTimersByTime(3 * 60_000));
    const { code, err } = await call(['lint', '--most-minutes', '3', server.base]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('longer than 3 minutes; allow more with --most-minutes N'),
    ]);
  } finally {
    vi.useRealTimers();
  }
});

it('an aborted command ends with exit code 2 and reports the abort', async () => {
  const stop = new AbortController();
  server = await serve(() => stop.abort(new Error('stopped by SIGINT')));
  const { code, err } = await call(['lint', server.base], { signal: stop.signal });
  expect([code, err]).toEqual([2, expect.stringContaining('stopped by SIGINT')]);
});
