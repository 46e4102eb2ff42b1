import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BASE, documents, treeOf } from '../catalogue.fixture.ts';
import { exportTree, FORMATS } from '../export/export-tree.ts';

let dir: string;
beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'headwater-unread-'))));
afterEach(async () => rm(dir, { recursive: true, force: true }));

const items = { rel: 'items', href: `${BASE}items` };

function api(count: number) {
  const ids = Array.from({ length: count }, (_, index) => `c${String(index)}`);
  const links = ids.map((id) => ({ rel: 'child', href: id }));
  const collection = (id: string) => [`${BASE}${id}`, { type: 'Collection', id, links: [items] }] as const;
  return treeOf(new Map<string, unknown>([[BASE, { type: 'Catalog', id: 'api', links }], ...ids.map(collection)]));
}

describe('Items on the pages of a server', () => {
  it.each(FORMATS)('are reported as left out of an export as %s', async (format) => {
    const lines = await exportTree(api(2), { format, out: join(dir, 'out') });
    expect(lines.at(-1)).toBe(
      'the export lacks the Items of 2 Collections, which have pages of Items (rel items) and no item links: "c0", "c1". Add item links to export these Items too',
    );
  });

  it('are reported with at most ten ids of Collections, but not for Collections that also have item links', async () => {
    const foreign = await exportTree(api(11), { format: 'ndjson', out: join(dir, 'many') });
    expect(foreign.at(-1)).toMatch(/the Items of 11 Collections.*"c8", \.\.\. Add item links/);
    const all = documents();
    for (const [href, { links, ...document }] of all)
      all.set(href, { ...document, links: [...(Array.isArray(links) ? links : []), items] });
    all.set(BASE, { ...documents().get(BASE) });
    const lines = await exportTree(treeOf(all), { format: 'ndjson', out: join(dir, 'ours') });
    expect(lines).toEqual([`${join(dir, 'ours')}: 6 Items`]);
  });
});
