import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exportTree, FORMATS } from '../export/export-tree.ts';

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'headwater-text-'))));
afterEach(async () => rm(dir, { recursive: true, force: true }));

it.each(FORMATS)('an export (%s) fails at a number that JSON cannot express, and names its place', async (format) => {
  const root = 'https://example.org/';
  const documents = new Map<string, unknown>([
    [root, { type: 'Catalog', id: 'r', links: [{ rel: 'item', href: 'a' }] }],
    [`${root}a`, { type: 'Feature', id: 'a', geometry: null, properties: JSON.parse('{"n":1e400}') as unknown }],
  ]);
  const read = (href: string) => Promise.resolve(documents.get(href));
  const writing = exportTree({ root, read }, { format, out: join(dir, 'out') });
  await expect(writing).rejects.toMatchObject({
    name: 'TreeError',
    message: expect.stringContaining(`${root}a#/properties/n: JSON cannot hold Infinity`),
  });
  expect(await readdir(dir)).toEqual([]);
});
