import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openScenes } from './catalogues.ts';
import { cpuTime } from '../../../../scripts/cpu-time.mjs';

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

async function ids(folder = join(dataDir, 'eo')): Promise<readonly string[]> {
  const query = { bbox: [75, 23, 76, 24], start: '2023-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' } as const;
  const { scenes, rejected } = await openScenes({ folder }).search(query);
  expect(rejected).toEqual([]);
  return scenes.map((scene) => scene.id);
}

it('finds catalogues in the folder itself and in its subfolders, also with a byte order mark', async () => {
  expect(await ids()).toEqual([]);
  await put('catalog.json', catalog('a.json'));
  await put('a.json', item('a'));
  await put('drop/two levels/catalog.json', `\uFEFF${catalog('b.json')}`);
  await put('drop/two levels/b.json', item('b'));
  expect(await ids()).toEqual(['a', 'b']);
});

it('finds catalogues in a folder relative to the working directory', async () => {
  const folder = await mkdtemp(join('node_modules', '.scenes-'));
  try {
    await writeFile(join(folder, 'catalog.json'), catalog('a.json'));
    await writeFile(join(folder, 'a.json'), item('a'));
    expect(await ids(folder)).toEqual(['a']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('finds a catalogue with the root collection.json, and reads a folder only once', async () => {
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

it('reads documents below a catalogue only if links of the catalogue lead to them', async () => {
  await put('s2/catalog.json', catalog());
  await put('s2/old/catalog.json', catalog('x.json'));
  await put('s2/old/x.json', item('x'));
  expect(await ids()).toEqual([]);
});

it('retries Items at http addresses that are temporarily unavailable, and fails instead of leaving such Items out', async () => {
  let requests = 0;
  let away = 5;
  const server = createServer((request, response) => {
    requests += 1;
    if (request.url !== '/a.json') response.writeHead(404).end();
    else if (requests <= away) response.writeHead(503).end();
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
      expect.stringContaining('http://127.0.0.1/x.json: this address is not allowed'),
      expect.stringContaining('responded with HTTP 404'),
    ]);
    away = Infinity;
    await expect(search({ patienceMs: 0 })).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

describe('documents in a folder of scenes', () => {
  const query = { bbox: [75, 23, 76, 24], start: '2023-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' } as const;
  const search = () => openScenes({ folder: join(dataDir, 'eo') }).search(query);
  const reasons = (rejected: readonly { readonly reason: string }[]): readonly string[] =>
    rejected.map(({ reason }) => reason).toSorted();
  const eo = (path: string): string => join(dataDir, 'eo', path);

  it('must be regular files in the folder: other entries are rejected without delay, and the remaining documents are read', async () => {
    await put(
      's2/catalog.json',
      catalog('a.json', 'pipe.json', 'zero.json', 'key.json', 'folder.json', '/etc/hostname'),
    );
    await put('s2/a.json', item('a'));
    await writeFile(join(dataDir, 'signing.key'), item('key'));
    execFileSync('mkfifo', [eo('s2/pipe.json')]);
    await symlink('/dev/zero', eo('s2/zero.json'));
    await symlink(join(dataDir, 'signing.key'), eo('s2/key.json'));
    await mkdir(eo('s2/folder.json'));
    const { scenes, rejected } = await search();
    expect(scenes.map(({ id }) => id)).toEqual(['a']);
    expect(reasons(rejected)).toEqual([
      expect.stringMatching(/hostname: it is outside/),
      expect.stringMatching(/folder\.json: it is a folder/),
      expect.stringMatching(/key\.json: it is outside/),
      expect.stringMatching(/pipe\.json: it is a pipe, not a file/),
      expect.stringMatching(/zero\.json: it is outside/),
    ]);
  });

  it('may be on another disk, if a symbolic link in the folder leads to them; a link to a parent folder is ignored', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'disk-'));
    try {
      await writeFile(join(disk, 'catalog.json'), catalog('b.json'));
      await writeFile(join(disk, 'b.json'), item('b'));
      await put('own/catalog.json', catalog('a.json', `${dataDir}/signing.key`));
      await put('own/a.json', item('a'));
      await writeFile(join(dataDir, 'signing.key'), item('key'));
      await symlink(disk, eo('linked'));
      await symlink('..', eo('up'));
      const { scenes, rejected } = await search();
      expect(scenes.map(({ id, bands }) => [id, bands['red']?.within])).toEqual([
        ['a', [await realpath(join(dataDir, 'eo')), await realpath(disk)]],
        ['b', [await realpath(join(dataDir, 'eo')), await realpath(disk)]],
      ]);
      expect(rejected).toEqual([{ itemHref: `${dataDir}/signing.key`, reason: expect.stringMatching(/is outside/) }]);
    } finally {
      await rm(disk, { recursive: true });
    }
  });

  it('may be in a folder next to the folder of scenes, if a link leads to it', async () => {
    await put('s2/catalog.json', catalog());
    await mkdir(join(dataDir, 'archive'));
    await writeFile(join(dataDir, 'archive', 'catalog.json'), catalog('b.json'));
    await writeFile(join(dataDir, 'archive', 'b.json'), item('b'));
    await symlink('../archive', eo('linked'));
    expect((await search()).scenes.map(({ id }) => id)).toEqual(['b']);
  });

  it('that are too large or have too many values are rejected without blocking the event loop', async () => {
    await put('s2/catalog.json', catalog('a.json', 'large.json', 'wide.json', 'deep.json', 'cut.json'));
    await put('s2/a.json', item('a'));
    await put('s2/large.json', '');
    await truncate(eo('s2/large.json'), 2 ** 34);
    await put('s2/wide.json', `[${'[],'.repeat(5_000_000)}1]`);
    await put('s2/deep.json', '['.repeat(8_000_000) + ']'.repeat(8_000_000));
    await put('s2/cut.json', '['.repeat(500_000));
    const { result, ms } = await cpuTime(search);
    const { scenes, rejected } = result;
    expect(ms).toBeLessThan(2000);
    expect(scenes.map(({ id }) => id)).toEqual(['a']);
    expect(reasons(rejected)).toEqual([
      expect.stringMatching(/large\.json: it has 17179869184 bytes, more than 16777216; simplify it or split it/),
      expect.stringMatching(/cannot be read: .*JSON/),
      expect.stringMatching(/it has more than about 1000000 values; simplify it or split it/),
      expect.stringMatching(/it has more than about 1000000 values/),
    ]);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('may be scenes with the id %s', async (id) => {
    await put('s2/catalog.json', catalog('a.json'));
    await put('s2/a.json', item('a').replace('"id":"a"', `"id":"${id}"`));
    expect((await search()).scenes.map((scene) => scene.id)).toEqual([id]);
  });
});
