import { isObject, MEDIA, titleOf, type JsonObject } from '@headwater/stac';
import { absoluteAssets, withAbsolute } from '../tree/absolute.ts';
import { hrefBetween, type Spot } from './layout.ts';

/** A document with its place among the exported ones. */
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
  readonly below: readonly Placed[];
}

/** Relations that are written anew for the folder, and those of a server that answers requests, which a folder does not. */
const REWRITTEN = new Set(['root', 'parent', 'collection', 'child', 'item', 'items', 'self', 'canonical']);
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
 * A document as a file of the exported folder: links of the tree are relative, all other addresses absolute, so that the folder can
 * lie anywhere. Where it was read from a server, `canonical` says where.
 */
export function staticDocument(document: JsonObject, href: string, neighbours: Neighbours): JsonObject {
  const { conformsTo: _ofServers, ...kept } = document;
  const links = Array.isArray(document['links']) ? document['links'] : [];
  return {
    ...kept,
    links: [
      ...treeLinks(document, neighbours),
      ...canonical(document, href),
      ...links.filter(isKept).map((link) => withAbsolute(link, href)),
    ],
    ...(isObject(document['assets']) ? { assets: absoluteAssets(document['assets'], href) } : {}),
  };
}

function treeLinks(document: JsonObject, { own, root, above, below }: Neighbours): JsonObject[] {
  const to = (rel: string, target: Placed): JsonObject => ({
    rel,
    href: hrefBetween(own, target.spot),
    type: rel === 'item' ? MEDIA.geojson : MEDIA.json,
    title: target.title,
  });
  const isInCollection = document['type'] === 'Feature' && above?.type === 'Collection';
  return [
    to('root', root),
    ...(isInCollection ? [to('collection', above)] : []),
    ...(above === undefined ? [] : [to('parent', above)]),
    ...below.map((target) => to(target.type === 'Feature' ? 'item' : 'child', target)),
  ];
}

function canonical(document: JsonObject, href: string): JsonObject[] {
  if (!/^https?:/.test(href)) return [];
  const type = document['type'] === 'Feature' ? MEDIA.geojson : MEDIA.json;
  return [{ rel: 'canonical', href, type, title: placedTitle(document) }];
}

/** The title that links to a document show; its id where it has none. */
export function placedTitle(document: JsonObject): string {
  const title = titleOf(document);
  return typeof title === 'string' && title.trim() !== '' ? title : String(document['id']);
}

function isKept(link: unknown): link is JsonObject {
  if (!isObject(link)) return false;
  const rel = String(link['rel']);
  return !REWRITTEN.has(rel) && !OF_SERVERS.has(rel) && !rel.startsWith('http://www.opengis.net/');
}
