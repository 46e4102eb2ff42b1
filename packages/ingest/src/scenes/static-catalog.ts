import { DomainError, isDomainError, messageOf, publicAddress, type SceneQuery } from '@headwater/core';
import type { Within } from '@headwater/net/files';
import type { Network } from '@headwater/net';
import { resolveHref } from './href.ts';
import type { ItemSink } from './item-sink.ts';
import { asList, asObject, asText, own, type JsonObject } from './json.ts';

/** How a document is reached. */
export interface Reach {
  readonly signal?: AbortSignal | undefined;
  /** Waits for servers that do not answer. */
  readonly network: Network;
  /** Folders that a local document must lie in. */
  readonly within: Within;
}

/** Reads a JSON document by URL or absolute path. Rejects with a readable message, `unavailable` where its server stays away. */
export type ReadJson = (href: string, reach: Reach) => Promise<unknown>;

/** Levels of child links that are followed; deeper trees are cut with a reason. */
const MAX_DEPTH = 12;
/** Documents of one search at most: a tree without end would never be walked. */
const MAX_DOCUMENTS = 200_000;
/** Links of one document at most: resolving more of them would take so long that nobody else gets an answer meanwhile. */
const MAX_LINKS = 100_000;
/** Documents read at a time. */
const CONCURRENCY = 8;

/** What a walk needs. */
export interface CatalogWalk {
  readonly readJson: ReadJson;
  readonly network: Network;
  /** Folders that local documents must lie in. */
  readonly within: Within;
  readonly query: Pick<SceneQuery, 'signal'>;
  readonly into: ItemSink;
  /** Documents that were read: two catalogues of one search may lead to the same. */
  readonly seen: Set<string>;
}

interface Visit {
  readonly href: string;
  readonly depth: number;
}

/**
 * Walks a static STAC catalogue from `root` (catalog.json) over child and item links. Broken or foreign documents are left out with
 * their reason; a document is read once, so cycles end. Throws when the query's signal aborts, and `unavailable` where a server does not
 * answer: what it holds must not be missing in silence; `input_data` where the tree has no end.
 */
export async function walkCatalog(root: string, walk: CatalogWalk): Promise<void> {
  const { seen } = walk;
  if (seen.has(root)) return;
  seen.add(root);
  let wave: Visit[] = [{ href: root, depth: 0 }];
  while (wave.length > 0) {
    const next: Visit[] = [];
    for (let i = 0; i < wave.length; i += CONCURRENCY) {
      walk.query.signal?.throwIfAborted();
      // Waves keep the order of the links, so that of two Items with one id the first one always wins.
      const found = await Promise.all(wave.slice(i, i + CONCURRENCY).map((visit) => visitOne(visit, walk)));
      for (const visit of found.flat()) {
        if (seen.has(visit.href)) continue;
        if (seen.size >= MAX_DOCUMENTS)
          throw new DomainError(
            'input_data',
            `${publicAddress(root)}: it leads to more than ${MAX_DOCUMENTS} documents`,
          );
        seen.add(visit.href);
        next.push(visit);
      }
    }
    wave = next;
  }
}

async function visitOne(
  { href, depth }: Visit,
  { readJson, network, within, query, into }: CatalogWalk,
): Promise<Visit[]> {
  let document: JsonObject | undefined;
  try {
    document = asObject(await readJson(href, { signal: query.signal, network, within }));
  } catch (error) {
    query.signal?.throwIfAborted();
    if (isDomainError(error) && error.code === 'unavailable') throw error;
    into.reject(href, `cannot be read: ${messageOf(error)}`);
    return [];
  }
  const type = document && own(document, 'type');
  if (document !== undefined && type === 'Feature') {
    into.add(document, href);
    return [];
  }
  if (document === undefined || (type !== 'Catalog' && type !== 'Collection')) {
    into.reject(href, 'is neither a STAC Catalog, nor a Collection, nor an Item');
    return [];
  }
  if (type === 'Collection') into.collection?.(document);
  if (depth >= MAX_DEPTH) {
    into.reject(href, `lies more than ${MAX_DEPTH} levels deep; its children were not read`);
    return [];
  }
  const children = childLinks(document, href, into).filter((child) =>
    mayLeadOn({ from: href, to: child, network, into }),
  );
  return children.map((child) => ({ href: child, depth: depth + 1 }));
}

interface Step {
  readonly from: string;
  readonly to: string;
  readonly network: Network;
  readonly into: ItemSink;
}

/** False, and told, where a document that came encrypted leads on to one that would not. */
function mayLeadOn({ from, to, network, into }: Step): boolean {
  if (!/^https:/i.test(from)) return true;
  try {
    network.checkStep(from, to);
    return true;
  } catch (error) {
    into.reject(to, messageOf(error));
    return false;
  }
}

function childLinks(document: JsonObject, href: string, into: ItemSink): string[] {
  const links = asList(own(document, 'links'));
  if (links.length > MAX_LINKS) {
    into.reject(href, `has more than ${MAX_LINKS} links; none of them was followed`);
    return [];
  }
  return links.flatMap((value) => {
    const link = asObject(value);
    const rel = link && own(link, 'rel');
    if (link === undefined || (rel !== 'child' && rel !== 'item')) return [];
    const text = asText(own(link, 'href'));
    const target = text === undefined ? undefined : resolveHref(href, text);
    if (target === undefined) into.reject(href, `has a ${rel} link without a usable href`);
    return target === undefined ? [] : [target];
  });
}
