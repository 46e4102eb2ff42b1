import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { documents } from '../catalogue.fixture.ts';
import { call, serve, type TestServer } from '../cli.fixture.ts';

const [sample = {}] = [...documents().values()].filter(({ type }) => type === 'Feature');

const catalog = (id: string, links: readonly unknown[]): object => ({
  type: 'Catalog',
  stac_version: '1.1.0',
  id,
  title: id,
  description: id,
  links,
});
const asset = { href: './data.csv', title: 'Data', type: 'text/csv', roles: ['data'] };

/** Documents by path. The server redirects a path that lacks the final slash. */
const tree: Readonly<Record<string, object>> = {
  '/': catalog('root', [
    { rel: 'root', href: './' },
    { rel: 'child', href: './a' },
  ]),
  '/a/': catalog('a', [
    { rel: 'root', href: '../' },
    { rel: 'parent', href: '../' },
    { rel: 'self', href: './' },
    { rel: 'item', href: './b' },
  ]),
  '/a/b/': {
    ...sample,
    collection: undefined,
    links: [
      { rel: 'root', href: '../../' },
      { rel: 'parent', href: '../../a' },
      { rel: 'self', href: './' },
    ],
    assets: { data: asset },
  },
};

let dir: string;
let server: TestServer;
let requests: string[];
let served: Readonly<Record<string, object>>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headwater-redirects-'));
  [requests, served] = [[], tree];
  server = await serve(({ method, url = '' }, response) => {
    const document = served[url];
    response.setHeader('access-control-allow-origin', '*');
    requests.push(`${String(method)} ${url}`);
    if (document !== undefined) response.end(JSON.stringify(document));
    else if (served[`${url}/`] !== undefined) response.writeHead(301, { location: `${url}/#here` }).end();
    else response.writeHead(url === '/a/b/data.csv' ? 200 : 404).end();
  });
});
afterEach(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

it('lint resolves links and assets of a redirected document against its final address', async () => {
  const { code, out } = await call(['lint', '--check-assets', server.base]);
  expect([code, out]).toEqual([0, '3 documents: 3 conforming; 0 errors, 0 warnings, 0 notes\n']);
  expect(requests).toContain('HEAD /a/b/data.csv');
});

it('lint reads a redirected document only once, whichever of its two addresses the links have', async () => {
  const links = [
    { rel: 'root', href: './' },
    { rel: 'child', href: './a' },
    { rel: 'child', href: './a' },
    { rel: 'child', href: './a/' },
  ];
  served = { ...tree, '/': catalog('root', links) };
  const { code, out } = await call(['lint', server.base]);
  expect([code, out.match(/\/links\/\d\/href: .*\[tree\.[a-z-]+\]/g)]).toEqual([
    1,
    [2, 3].map((index) => expect.stringMatching(`^/links/${String(index)}/href: .*\\[tree\\.second-parent\\]$`)),
  ]);
  expect(requests.filter((each) => each === 'GET /a/')).toHaveLength(1);
});

it('export resolves addresses of a redirected document against its final address', async () => {
  const file = join(dir, 'items.ndjson');
  expect(await call(['export', server.base, '--format', 'ndjson', '--out', file])).toMatchObject({ code: 0, err: '' });
  const item: unknown = JSON.parse(await readFile(file, 'utf8'));
  expect(item).toMatchObject({ id: sample['id'], assets: { data: { href: `${server.base}a/b/data.csv` } } });
});

it('export reports a document to which one link leads directly and another link through a redirect', async () => {
  for (const hrefs of [
    ['./a', './a/'],
    ['./a/', './a'],
  ]) {
    const links = hrefs.map((href) => ({ rel: 'child', href }));
    served = { ...tree, '/': catalog('root', links) };
    const { code, err } = await call(['export', server.base, '--format', 'ndjson', '--out', join(dir, 'items.ndjson')]);
    expect([code, err]).toEqual([1, expect.stringContaining('a/, which another link already leads to')]);
  }
});
