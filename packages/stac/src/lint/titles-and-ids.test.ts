import { expect, it } from 'vitest';
import { lintTree } from './lint-tree.ts';
import { BLOCK, documents, faultsOf, relink, ROOT, VECTOR } from './sample-tree.fixture.ts';

it('reports a self link with another title only as info', async () => {
  const tree = documents();
  relink(BLOCK, 'self', { title: 'This document' })(tree);
  relink(VECTOR, 'self', { title: 'X' })(tree);
  const findings = await lintTree({ root: ROOT, read: (href) => Promise.resolve(tree.get(href)) });
  expect(findings).toMatchObject([
    { document: BLOCK, rule: 'tree.title', severity: 'info', got: '"This document"' },
    { document: VECTOR, rule: 'tree.title', severity: 'info', got: '"X"' },
  ]);
  expect(await faultsOf(documents())).toEqual([]);
});

it('reports Items with the same id in Catalogs of one Collection, but not in different Collections', async () => {
  const root = 'https://example.org/';
  const up = (at: string) => [
    { rel: 'root', href: root },
    { rel: 'parent', href: root + at },
  ];
  const item = (at: string) => ({ type: 'Feature', id: 'x', collection: 'c', links: up(at) });
  const down = (rel: string, ...names: readonly string[]) => names.map((name) => ({ rel, href: root + name }));
  const node = (id: string, links: readonly object[]) => ({ type: 'Catalog', id, links });
  const tree = new Map<string, object>([
    [root, { ...node('r', [...down('root', ''), ...down('child', 'c', 'd')]) }],
    [`${root}c`, { ...node('c', [...up(''), ...down('child', 'c1', 'c2')]), type: 'Collection' }],
    [`${root}d`, { ...node('d', [...up(''), ...down('item', 'd/x')]), type: 'Collection' }],
    [`${root}c1`, node('c1', [...up('c'), ...down('item', 'c1/x')])],
    [`${root}c2`, node('c2', [...up('c'), ...down('item', 'c2/x')])],
    [`${root}c1/x`, item('c1')],
    [`${root}c2/x`, item('c2')],
    [`${root}d/x`, item('d')],
  ]);
  const findings = await lintTree({ root, read: (href) => Promise.resolve(tree.get(href)) });
  expect(findings.filter(({ rule }) => rule === 'tree.id-twice')).toMatchObject([
    { document: `${root}c2`, pointer: '/links/2', got: '"x"', expected: `an id other than the id of ${root}c1/x` },
  ]);
});
