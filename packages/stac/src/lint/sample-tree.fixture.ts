import { buildCollection } from '../builder/catalog.ts';
import { BASE, sampleCatalog, sampleCollection, sampleRaster, sampleVector } from '../samples.fixture.ts';
import type { Collection, Link } from '../types.ts';
import { lintTree } from './lint-tree.ts';

/** Addresses of the sample tree. */
export const ROOT = `${BASE}/`;
export const STATE = `${ROOT}assam/`;
export const DISTRICT = `${STATE}cachar/`;
export const BLOCK = `${DISTRICT}lakhipur/`;
export const RASTER = `${BLOCK}items/${sampleRaster().id}/`;
export const VECTOR = `${BLOCK}items/${sampleVector().id}/`;

/** A tree in memory. */
export type Documents = Map<string, Record<string, unknown> & { links: Link[] }>;

/** A built tree: root, state, district, block and two Items. */
export function documents(): Documents {
  const block = sampleCollection();
  return new Map<string, Record<string, unknown> & { links: Link[] }>([
    [ROOT, sampleCatalog()],
    [STATE, above(block, [STATE, 'Assam'], { parent: [ROOT, 'Catalogue'], child: [DISTRICT, 'Cachar'] })],
    [DISTRICT, above(block, [DISTRICT, 'Cachar'], { parent: [STATE, 'Assam'], child: [BLOCK, 'Lakhipur'] })],
    [BLOCK, block],
    [RASTER, sampleRaster()],
    [VECTOR, sampleVector()],
  ]);
}

/** Address and title of a link's target. */
export type Titled = readonly [href: string, title: string];

/** A Collection with another Collection as its child. */
export function above(
  block: Collection,
  [self, title]: Titled,
  { parent, child }: { readonly parent: Titled; readonly child: Titled },
): Collection {
  return buildCollection({
    id: title.toLowerCase(),
    title,
    description: title,
    self,
    root: { href: ROOT, title: 'Catalogue' },
    parent: { href: parent[0], title: parent[1] },
    children: [{ href: child[0], title: child[1] }],
    keywords: ['tehsil'],
    license: 'CC-BY-4.0',
    providers: [{ name: 'Headwater', roles: ['host'] }],
    extent: block.extent,
  });
}

/** Findings as texts: rule, document, pointer. */
export async function faultsOf(tree: Documents): Promise<string[]> {
  const findings = await lintTree({
    root: ROOT,
    read: (href) => Promise.resolve(tree.get(href)),
    documents: [...tree.keys()],
  });
  return findings.map(({ document, pointer, rule }) => `${rule} ${document.slice(ROOT.length)} ${pointer}`);
}

/** A document of the tree. */
export const get = (tree: Documents, href: string) => {
  const document = tree.get(href);
  if (document === undefined) throw new Error(`the sample has no ${href}`);
  return document;
};
/** Changes members of a document. */
export const put = (href: string, change: object) => (tree: Documents) => {
  tree.set(href, { ...get(tree, href), ...change });
};
/** Changes the first link of a relation. Without `change`, removes this link. */
export const relink = (href: string, rel: string, change?: Partial<Link>) => (tree: Documents) => {
  const { links } = get(tree, href);
  const index = links.findIndex((link) => link.rel === rel);
  const changed = links.map((link, at) => (at === index ? { ...link, ...change } : link));
  put(href, { links: change === undefined ? links.toSpliced(index, 1) : changed })(tree);
};
/** Adds a link to a document. */
export const addLink = (href: string, rel: string, to: Titled) => (tree: Documents) => {
  const link = { rel, href: to[0], type: 'application/json', title: to[1] };
  put(href, { links: [...get(tree, href).links, link] })(tree);
};
