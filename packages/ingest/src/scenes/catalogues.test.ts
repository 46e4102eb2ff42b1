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

it('leaves what lies below a dropped catalogue to its links', async () => {
  await put('s2/catalog.json', catalog());
  await put('s2/old/catalog.json', catalog('x.json'));
  await put('s2/old/x.json', item('x'));
  expect(await ids()).toEqual([]);
});
