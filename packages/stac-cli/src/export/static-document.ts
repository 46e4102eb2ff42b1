import { isObject, linkTitleOf, MEDIA, type JsonObject } from '@headwater/stac';
import { rebased, rebasedAssets, type Rebasing } from '../tree/rebase.ts';
import { hrefBetween, type Spot } from './layout.ts';

/** A document and its place in the export. */
export interface Placed {
  readonly spot: Spot;
  readonly title: string;
  readonly type: unknown;
}

/** Neighbours that an exported document links to. */
export interface Neighbours {
  readonly own: Spot;
  readonly root: Placed;
  readonly above: Placed | undefined;
  /** Nearest Collection above the document, which is not always the parent. */
  readonly collection: Placed | undefined;
  readonly below: readonly Placed[];
}

/** Relations that are not copied: the export writes its own tree links, and a folder has no server API. */
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

/** A document as an exported file. Links within the tree are relative; `canonical` is the address of the original. */
export function staticDocument(document: JsonObject, neighbours: Neighbours, rebasing: Rebasing): JsonObject {
  const { conformsTo: _ofServers, ...kept } = document;
  const links = Array.isArray(document['links']) ? document['links'] : [];
  const collection = collectionOf(document, neighbours);
  const isAlone = document['type'] === 'Feature' && collection === undefined;
  return {
    ...kept,
    // The validator requires `collection` in an Item that links to its Collection.
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
 * Collection of an Item. Undefined for other documents, and for an Item that is not below a Collection. Such an Item
 * keeps its own `collection` link.
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
