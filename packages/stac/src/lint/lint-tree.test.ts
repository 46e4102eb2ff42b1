import { describe, expect, it } from 'vitest';
import { sampleCollection, sampleRaster, sampleVector } from '../samples.fixture.ts';
import { lintTree } from './lint-tree.ts';
import {
  ROOT,
  STATE,
  DISTRICT,
  BLOCK,
  RASTER,
  VECTOR,
  type Documents,
  documents,
  above,
  faultsOf,
  get,
  put,
  relink,
  addLink,
} from './sample-tree.fixture.ts';

const extent = (bbox: readonly number[], interval: readonly (string | null)[]) => ({
  extent: { spatial: { bbox: [bbox] }, temporal: { interval: [interval] } },
});
const TIMES = ['2023-07-01T00:00:00Z', '2024-06-30T00:00:00Z'];
const OTHER = 'https://example.org/other/';
const VECTOR_TITLE = sampleVector().properties.title;
const RASTER_PATH = RASTER.slice(ROOT.length);
const VECTOR_PATH = VECTOR.slice(ROOT.length);

const levelHref = (level: number) => `${ROOT}${level}`;

function nested(): unknown {
  let value: unknown = [];
  for (let depth = 0; depth < 50_000; depth++) value = [value];
  return value;
}

const orphans = (...hrefs: readonly string[]) => hrefs.map((href) => `tree.orphan ${href.slice(ROOT.length)} `);

const PLANTED: readonly [fault: string, plant: (tree: Documents) => unknown, expected: readonly string[]][] = [
  [
    'a missing child',
    (tree) => tree.delete(STATE),
    ['tree.target-missing  /links/2/href', ...orphans(DISTRICT, BLOCK, RASTER, VECTOR)],
  ],
  ['a missing Item', (tree) => tree.delete(RASTER), ['tree.target-missing assam/cachar/lakhipur/ /links/3/href']],
  [
    'an Item link without a valid address',
    relink(BLOCK, 'item', { href: 'http://' }),
    ['tree.target-missing assam/cachar/lakhipur/ /links/3', ...orphans(RASTER)],
  ],
  [
    'a child that is an Item',
    relink(BLOCK, 'item', { rel: 'child' }),
    ['tree.target-type assam/cachar/lakhipur/ /links/3/href', ...orphans(RASTER)],
  ],
  ['a different title', relink(DISTRICT, 'child', { title: 'X' }), ['tree.title assam/cachar/ /links/3/title']],
  [
    'a parent link to another node',
    relink(BLOCK, 'parent', { href: STATE, title: 'Assam' }),
    ['tree.parent assam/cachar/lakhipur/ /links/2/href'],
  ],
  ['a missing parent link', relink(STATE, 'parent'), ['tree.parent assam/ /links']],
  ['a root with a parent', addLink(ROOT, 'parent', [STATE, 'Assam']), ['tree.parent  /links/3/href']],
  [
    'a second root',
    relink(DISTRICT, 'root', { href: DISTRICT, title: 'Cachar' }),
    ['tree.root assam/cachar/ /links/0/href'],
  ],
  [
    'a self link to another address',
    relink(VECTOR, 'self', { href: OTHER }),
    [`tree.self ${VECTOR_PATH} /links/3/href`],
  ],
  [
    'an Item whose `collection` is the id of another Collection',
    put(VECTOR, { collection: 'cachar' }),
    [`tree.collection-id ${VECTOR_PATH} /collection`],
  ],
  [
    'a link to a Collection that does not link to the Item',
    (tree: Documents) => {
      relink(VECTOR, 'collection', { href: DISTRICT, title: 'Cachar' })(tree);
      put(VECTOR, { collection: get(tree, DISTRICT)['id'] })(tree);
    },
    [`tree.collection ${VECTOR_PATH} /links/1/href`],
  ],
  [
    'an Item outside of its Collection',
    put(RASTER, { bbox: [92.9, 24.7, 93.2, 24.8] }),
    [`tree.extent-spatial ${RASTER_PATH} /bbox`],
  ],
  [
    'a Collection larger than the Collection above it',
    put(STATE, extent([93, 24.7, 93.1, 24.8], TIMES)),
    ['tree.extent-spatial assam/cachar/ /extent/spatial/bbox/0'],
  ],
  [
    'an extent that ends too early',
    put(BLOCK, extent([92.9, 24.7, 93.1, 24.8], [TIMES[0] ?? null, '2024-01-01T00:00:00Z'])),
    [`tree.extent-temporal ${RASTER_PATH} /properties`, `tree.extent-temporal ${VECTOR_PATH} /properties`],
  ],
  [
    'an open extent within one that ends',
    put(BLOCK, extent([92.9, 24.7, 93.1, 24.8], [TIMES[0] ?? null, null])),
    ['tree.extent-temporal assam/cachar/lakhipur/ /extent/temporal/interval/0'],
  ],
  ['a cycle', addLink(BLOCK, 'child', [STATE, 'Assam']), ['tree.cycle assam/cachar/lakhipur/ /links/6/href']],
  ['a node that is its own child', addLink(STATE, 'child', [STATE, 'Assam']), ['tree.cycle assam/ /links/4/href']],
  [
    'an Item with two parents',
    addLink(BLOCK, 'item', [VECTOR, VECTOR_TITLE]),
    ['tree.second-parent assam/cachar/lakhipur/ /links/6/href'],
  ],
  ['an orphan', relink(BLOCK, 'item'), [...orphans(RASTER)]],
  ['one id twice', put(VECTOR, { id: sampleRaster().id }), ['tree.id-twice assam/cachar/lakhipur/ /links/4']],
  [
    'two Collections with one id in different branches',
    (tree) => {
      tree.set(OTHER, {
        ...above(sampleCollection(), [OTHER, 'Cachar'], { parent: [ROOT, 'Catalogue'], child: [DISTRICT, 'Cachar'] }),
      });
      relink(OTHER, 'child')(tree);
      addLink(ROOT, 'child', [OTHER, 'Cachar'])(tree);
    },
    ['tree.id-twice assam/ /links/3'],
  ],
  [
    'a second root and a second parent at other nodes',
    (tree) => {
      addLink(BLOCK, 'root', [STATE, 'Assam'])(tree);
      addLink(BLOCK, 'parent', [STATE, 'Assam'])(tree);
    },
    ['tree.root assam/cachar/lakhipur/ /links/6/href', 'tree.parent assam/cachar/lakhipur/ /links/7/href'],
  ],
  [
    'an Item without a link to its Collection',
    relink(VECTOR, 'collection'),
    [`tree.collection-missing ${VECTOR_PATH} /links`],
  ],
  [
    'a Collection whose extent cannot be compared',
    put(BLOCK, { extent: undefined }),
    ['tree.extent-unchecked assam/cachar/lakhipur/ /extent'],
  ],
  [
    'a missing root',
    (tree) => tree.delete(ROOT),
    ['tree.root-missing  ', ...orphans(STATE, DISTRICT, BLOCK, RASTER, VECTOR)],
  ],
];

describe('lintTree', () => {
  it('finds nothing in a tree of the builders, with absolute or relative links', async () => {
    expect(await faultsOf(documents())).toEqual([]);
    const tree = documents();
    relink(BLOCK, 'parent', { href: '../' })(tree);
    relink(DISTRICT, 'child', { href: './lakhipur/' })(tree);
    expect(await faultsOf(tree)).toEqual([]);
  });

  it.each(PLANTED)('finds %s', async (_, plant, expected) => {
    const tree = documents();
    plant(tree);
    expect(await faultsOf(tree)).toEqual(expected);
  });

  it('handles extents across the antimeridian', async () => {
    const tree = documents();
    for (const href of [STATE, DISTRICT, BLOCK]) put(href, extent([170, -1, -170, 1], TIMES))(tree);
    put(RASTER, { bbox: [175, -1, 180, 1] })(tree);
    put(VECTOR, { bbox: [179, -1, -179, 1] })(tree);
    expect(await faultsOf(tree)).toEqual([]);
    put(VECTOR, { bbox: [-175, -1, 175, 1] })(tree);
    expect(await faultsOf(tree)).toEqual([`tree.extent-spatial ${VECTOR_PATH} /bbox`]);
  });

  it('compares boxes without heights, even if one of them has heights', async () => {
    const tree = documents();
    put(RASTER, { bbox: [92.9, 24.7, -50, 93.1, 24.8, 9000] })(tree);
    put(DISTRICT, extent([92.9, 24.7, 100, 93.1, 24.8, 200], TIMES))(tree);
    expect(await faultsOf(tree)).toEqual([]);
    put(RASTER, { bbox: [92.9, 24.7, 0, 93.2, 24.8, 100] })(tree);
    expect(await faultsOf(tree)).toEqual([`tree.extent-spatial ${RASTER_PATH} /bbox`]);
    put(BLOCK, extent([92.9, 24.7, 0, 93.1, 24.9, 100], TIMES))(tree);
    expect(await faultsOf(tree)).toEqual([
      'tree.extent-spatial assam/cachar/lakhipur/ /extent/spatial/bbox/0',
      `tree.extent-spatial ${RASTER_PATH} /bbox`,
    ]);
  });

  it('reports the reason of a failed read, and reads each document once', async () => {
    const tree = documents();
    const requests: string[] = [];
    const findings = await lintTree({
      root: ROOT,
      read: (href) => {
        requests.push(href);
        return href === VECTOR ? Promise.reject(new Error('timed out')) : Promise.resolve(tree.get(href));
      },
    });
    expect(findings).toMatchObject([{ rule: 'tree.target-missing', document: BLOCK, got: '"Error: timed out"' }]);
    expect(requests.length).toBe(new Set(requests).size);
  });

  it('reports all links of a root with a relative address, because they cannot be resolved', async () => {
    const links = [{ rel: 'child', href: './a/catalog.json' }, { rel: 'item' }];
    const read = () => Promise.resolve({ type: 'Catalog', links });
    expect(await lintTree({ root: './catalog.json', read })).toMatchObject([
      { rule: 'tree.target-missing', pointer: '/links/0', fix: expect.stringContaining('absolute address') },
      { rule: 'tree.target-missing', pointer: '/links/1' },
      { rule: 'tree.root' },
    ]);
  });

  it('reports Collections whose Items are only behind a link "items", because it does not read these Items', async () => {
    const tree = documents();
    const { links } = { links: [], ...tree.get(BLOCK) } as { links: { rel: string }[] };
    const items = { rel: 'items', href: `${BLOCK}items` };
    put(BLOCK, { links: [...links, items] })(tree);
    expect(await faultsOf(tree)).toEqual([]);
    put(BLOCK, { links: [...links.filter(({ rel }) => rel !== 'item'), items] })(tree);
    expect(await faultsOf(tree)).toContain('tree.items-unread assam/cachar/lakhipur/ /links');
  });

  it('walks a chain of 20,000 catalogues, and reports each link back to the first catalogue', async () => {
    const last = 20_000;
    const link = (rel: string, level: number) => ({ rel, href: levelHref(level) });
    const read = (href: string): Promise<unknown> => {
      const level = Number(href.slice(ROOT.length));
      const below = level === last ? [] : [link('child', level + 1)];
      const links = [link('root', 0), ...(level === 0 ? [] : [link('parent', level - 1), link('child', 0)]), ...below];
      return Promise.resolve({ type: 'Catalog', links });
    };
    const findings = await lintTree({ root: levelHref(0), read });
    expect(findings.length).toBe(last);
    expect(new Set(findings.map(({ rule, pointer }) => `${rule} ${pointer}`))).toEqual(
      new Set(['tree.cycle /links/2/href']),
    );
  });

  it.each([
    [50, 50],
    [undefined, 100_000],
    [NaN, 1],
  ])('stops in an endless tree: with mostDocuments %s after %i documents', async (mostDocuments, expected) => {
    let requests = 0;
    const read = (href: string): Promise<unknown> => {
      requests++;
      const links = [
        { rel: 'root', href: levelHref(0) },
        { rel: 'child', href: levelHref(Number(href.slice(ROOT.length)) + 1) },
      ];
      return Promise.resolve({ type: 'Catalog', links });
    };
    const findings = await lintTree({
      root: levelHref(0),
      read,
      documents: [`${ROOT}unseen`],
      ...(mostDocuments === undefined ? {} : { mostDocuments }),
    });
    expect(requests).toBe(expected);
    expect(findings.filter(({ rule }) => rule !== 'tree.parent')).toMatchObject([
      { rule: 'tree.most-documents', document: levelHref(expected - 1), pointer: '/links/1/href' },
    ]);
  });

  it('reports the maximum number of documents only if the tree has more', async () => {
    const tree = documents();
    const read = (href: string) => Promise.resolve(tree.get(href));
    expect(await lintTree({ root: ROOT, read, mostDocuments: tree.size })).toEqual([]);
    expect(await lintTree({ root: ROOT, read, mostDocuments: tree.size - 1 })).toMatchObject([
      { rule: 'tree.most-documents', document: BLOCK },
    ]);
  });

  it('reports all findings of one document', async () => {
    const links = Array.from({ length: 200_000 }, () => ({ rel: 'child', href: 'none' }));
    const read = (href: string) => Promise.resolve(href === ROOT ? { type: 'Catalog', links } : undefined);
    expect((await lintTree({ root: ROOT, read })).length).toBe(links.length + 1);
  });

  it.each([
    ['nested deeper than the call stack', nested()],
    ['a value that JSON cannot hold', 7n],
  ])('does not fail for an id that is %s', async (_, id) => {
    const tree = documents();
    for (const href of [BLOCK, RASTER, VECTOR]) put(href, { id })(tree);
    const expected = [RASTER_PATH, VECTOR_PATH].map((path) => `tree.collection-id ${path} /collection`);
    expect(await faultsOf(tree)).toEqual(expected);
  });

  it.each([
    { document: null },
    { document: 7 },
    { document: [] },
    { document: sampleRaster() },
    { document: { type: 'Catalog', links: [null, { rel: 'child' }, { rel: 'child', href: 'http://' }] } },
  ])('does not fail for %j', async ({ document }) => {
    expect(await lintTree({ root: ROOT, read: () => Promise.resolve(document) })).not.toEqual([]);
  });
});
