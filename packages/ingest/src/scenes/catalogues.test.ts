import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openScenes } from './catalogues.ts';

let dataDir = '';
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'scenes-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<void> {
  const file = join(dataDir, 'eo', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const catalog = (...items: readonly string[]): string =>
  JSON.stringify({ type: 'Catalog', id: 'c', links: items.map((href) => ({ rel: 'item', href })) });
const item = (id: string): string =>
  JSON.stringify({
    type: 'Feature',
    id,
    bbox: [75, 23, 76, 24],
    properties: { datetime: '2023-06-01T05:30:00Z', 'proj:code': 'EPSG:32643' },
    assets: { B04: { href: './B04.tif' } },
  });

async function ids(): Promise<readonly string[]> {
  const query = { bbox: [75, 23, 76, 24], start: '2023-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' } as const;
  const { scenes, rejected } = await openScenes({ folder: join(dataDir, 'eo') }).search(query);
  expect(rejected).toEqual([]);
  return scenes.map((scene) => scene.id);
}

it('finds catalogues in the folder itself and in folders below, also with a byte order mark', async () => {
  expect(await ids()).toEqual([]);
  await put('catalog.json', catalog('a.json'));
  await put('a.json', item('a'));
  await put('drop/two levels/catalog.json', `\uFEFF${catalog('b.json')}`);
  await put('drop/two levels/b.json', item('b'));
  expect(await ids()).toEqual(['a', 'b']);
});

it('finds a catalogue that is rooted at a collection.json, and reads one folder once', async () => {
  const collection = (...items: readonly string[]): string => catalog(...items).replace('Catalog', 'Collection');
  await put('collection.json', collection('a.json'));
  await put('a.json', item('a'));
  await put('drop/s2/collection.json', collection('b.json'));
  await put('drop/s2/b.json', item('b'));
  await put('drop/both/catalog.json', catalog('c.json'));
  await put('drop/both/collection.json', collection('x.json'));
  await put('drop/both/c.json', item('c'));
  expect(await ids()).toEqual(['a', 'b', 'c']);
});

it('leaves what lies below a dropped catalogue to its links', async () => {
  await put('s2/catalog.json', catalog());
  await put('s2/old/catalog.json', catalog('x.json'));
  await put('s2/old/x.json', item('x'));
  expect(await ids()).toEqual([]);
});

it('waits for Items behind http that cannot be had for a while, and never leaves them out in silence', async () => {
  let asked = 0;
  let away = 5;
  const server = createServer((request, response) => {
    asked += 1;
    if (request.url !== '/a.json') response.writeHead(404).end();
    else if (asked <= away) response.writeHead(503).end();
    else response.end(item('a'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await put('s2/catalog.json', catalog(`${root}/a.json`, `${root}/gone.json`, 'http://me:pw@127.0.0.1/x.json'));
  const search = (settings: object) =>
    openScenes({
      folder: join(dataDir, 'eo'),
      network: { settings: { firstPauseMs: 1, longestPauseMs: 1, allowedOrigins: [root], ...settings } },
    }).search({
      bbox: [75, 23, 76, 24],
      start: '2023-01-01T00:00:00Z',
      end: '2024-01-01T00:00:00Z',
    });
  try {
    const { scenes, rejected } = await search({});
    expect(scenes.map(({ id }) => id)).toEqual(['a']);
    expect(rejected.map(({ reason }) => reason).toSorted()).toEqual([
      expect.stringContaining('http://127.0.0.1/x.json: this is no address that can be asked'),
      expect.stringContaining('answered 404'),
    ]);
    away = Infinity;
    await expect(search({ patienceMs: 0 })).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
