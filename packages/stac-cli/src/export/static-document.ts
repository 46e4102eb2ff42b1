import { isObject, linkTitleOf, MEDIA, type JsonObject } from '@headwater/stac';
import { rebased, rebasedAssets, type Rebasing } from '../tree/rebase.ts';
import { hrefBetween, type Spot } from './layout.ts';

/** A document with its place in the export. */
export interface Placed {
  readonly spot: Spot;
  readonly title: string;
  readonly type: unknown;
}

/** The neighbours that an exported document links to. */
export interface Neighbours {
  readonly own: Spot;
  readonly root: Placed;
  readonly above: Placed | undefined;
  /**
   * The nearest Collection above the document. This Collection is not always the parent: an Item may be in a Catalog
   * that is below a Collection.
   */
  readonly collection: Placed | undefined;
  readonly below: readonly Placed[];
}

/**
 * Relations whose links are not copied: the export writes the links of REWRITTEN itself, and the links of OF_SERVERS
 * lead to a server API, which a folder of files does not offer.
 */
const REWRITTEN = new Set(['root', 'parent', 'child', 'item', 'items', 'self', 'canonical']);
const OF_SERVERS = new Set([
  'search',
  'data',
  'conformance',
  'service-desc',
  'service-doc',
  'next',
  'prev',
  'children',
]);

/**
 * A document as a file of the export. Links within the tree are relative, so that the folder can be moved. Links to
 * local files outside of the tree are relative to the written document. All other links are absolute. For a document
 * that was read over HTTP, the link `canonical` has the address from which the document was read.
 */
export function staticDocument(document: JsonObject, neighbours: Neighbours, rebasing: Rebasing): JsonObject {
  const { conformsTo: _ofServers, ...kept } = document;
  const links = Array.isArray(document['links']) ? document['links'] : [];
  const collection = collectionOf(document, neighbours);
  const isAlone = document['type'] === 'Feature' && collection === undefined;
  return {
    ...kept,
    // The export adds a link to the Collection. So it also adds the member `collection`, which the validator then
    // requires.
    ...(collection === undefined || typeof kept['collection'] === 'string' ? {} : { collection: collection.spot.id }),
    links: [
      ...treeLinks(document, neighbours),
      ...canonical(document, rebasing.base),
      ...links.filter((link) => isCopiedLink(link, isAlone)).map((link) => rebased(link, rebasing)),
    ],
    ...(isObject(document['assets']) ? { assets: rebasedAssets(document['assets'], rebasing) } : {}),
  };
}

/**
 * The exported Collection of an Item; undefined for other documents, and for an Item below no Collection. Such an Item
 * keeps its own link `collection`.
 */
function collectionOf({ type }: JsonObject, { collection }: Neighbours): Placed | undefined {
  return type === 'Feature' ? collection : undefined;
}

function treeLinks(document: JsonObject, neighbours: Neighbours): JsonObject[] {
  const { own, root, above, below } = neighbours;
  const to = (rel: string, target: Placed): JsonObject => ({
    rel,
    href: hrefBetween(own, target.spot),
    type: rel === 'item' ? MEDIA.geojson : MEDIA.json,
    title: target.title,
  });
  const collection = collectionOf(document, neighbours);
  return [
    to('root', root),
    ...(collection === undefined ? [] : [to('collection', collection)]),
    ...(above === undefined ? [] : [to('parent', above)]),
    ...below.map((target) => to(target.type === 'Feature' ? 'item' : 'child', target)),
  ];
}

function canonical(document: JsonObject, href: string): JsonObject[] {
  if (!/^https?:/.test(href)) return [];
  const type = document['type'] === 'Feature' ? MEDIA.geojson : MEDIA.json;
  return [{ rel: 'canonical', href, type, title: linkTitleOf(document) }];
}

function isCopiedLink(link: unknown, isAlone: boolean): link is JsonObject {
  if (!isObject(link)) return false;
  const rel = String(link['rel']);
  if (rel === 'collection') return isAlone;
  return !REWRITTEN.has(rel) && !OF_SERVERS.has(rel) && !rel.startsWith('http://www.opengis.net/');
}
