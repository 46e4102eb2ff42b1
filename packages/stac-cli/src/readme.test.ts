import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documents } from './catalogue.fixture.ts';
import { call } from './cli.fixture.ts';

const README = new URL('../README.md', import.meta.url);
let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'headwater-readme-'))));
afterEach(async () => rm(dir, { recursive: true, force: true }));

it("the README's first example shows the output of the command", async () => {
  const item =
    documents().get('https://example.org/api/v1/stac/assam/cachar/cachar/items/assam_cachar_cachar_mws_vector/') ?? {};
  const assets = {
    ...Object(item['assets']),
    style: { href: 'https://example.org/s.qml', type: 'application/xml', title: 'Style', roles: ['metadata'] },
    thumbnail: { href: 'https://example.org/t.png', type: 'image/png', title: 'Picture', roles: ['thumbnail'] },
  } as unknown;
  const path = join(dir, 'item.json');
  await writeFile(path, JSON.stringify({ ...item, assets, bbox: [90, 24.5, 90.5, 24] }));
  const { out } = await call(['validate', path]);
  expect(await readFile(README, 'utf8')).toContain(`\`\`\`text\n${out.replace(path, 'item.json')}\`\`\``);
});

it("the README's program runs", async () => {
  const example = await readFile(new URL('example.fixture.ts', import.meta.url), 'utf8');
  expect(await readFile(README, 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
  const all = documents();
  vi.stubGlobal('fetch', (href: string) => Promise.resolve(Response.json(all.get(href))));
  const print = vi.spyOn(console, 'log').mockReturnValue(undefined);
  vi.spyOn(process, 'cwd').mockReturnValue(dir);
  await import('./example.fixture.ts');
  expect(print.mock.calls).toEqual([['items.parquet: 6 Items']]);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
