import { DomainError, isDomainError, messageOf, publicAddress, type SceneQuery } from '@headwater/core';
import type { Within } from '@headwater/net/files';
import type { Network } from '@headwater/net';
import { resolveHref } from './href.ts';
import { type ItemSink, asList, asObject, asText, own, type JsonObject } from './json.ts';

/** Network, abort signal and allowed folders. */
export interface Reach {
  readonly signal?: AbortSignal | undefined;
  /** Network that retries requests to silent servers. */
  readonly network: Network;
  /** Allowed folders of local documents. */
  readonly within: Within;
}

/**
 * Reads JSON by URL or absolute path. Rejects with a message for users; `unavailable` if the server does not respond.
 */
export type ReadJson = (href: string, reach: Reach) => Promise<unknown>;

/**
 * Maximum number of links between the root and a document. Catalogues and Collections at this depth are rejected,
 * because their children would be deeper.
 */
const MAX_DEPTH = 12;
/** Maximum number of documents, because a tree may be endless. */
const MAX_DOCUMENTS = 200_000;
/** Maximum number of links in a document, because resolving more links would block the event loop. */
const MAX_LINKS = 100_000;
const CONCURRENCY = 8;

/** Options and state of a walk over a catalogue. */
export interface CatalogWalk {
  readonly readJson: ReadJson;
  readonly network: Network;
  /** Allowed folders of local documents. */
  readonly within: Within;
  readonly query: Pick<SceneQuery, 'signal'>;
  readonly into: ItemSink;
  /** Addresses of read documents, which all catalogues of a search share. */
  readonly seen: Set<string>;
}

interface Visit {
  readonly href: string;
  readonly depth: number;
}

/**
 * Walks a static STAC catalogue along child and item links, reading each document once. Throws the signal's reason,
 * `unavailable` for a silent server, `input_data` for too many documents.
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
      // `Promise.all` keeps the order of the links, so that the first of two Items with one id is always used.
      const found = await Promise.all(wave.slice(i, i + CONCURRENCY).map((visit) => visitOne(visit, walk)));
      for (const visit of found.flat()) {
        if (seen.has(visit.href)) continue;
        if (seen.size >= MAX_DOCUMENTS)
          throw new DomainError(
            'input_data',
            `${publicAddress(root)}: it links to more than ${MAX_DOCUMENTS} documents; use a smaller catalogue`,
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
    into.reject(href, 'is not a STAC Catalog, Collection or Item; correct the link to it');
    return [];
  }
  if (type === 'Collection') into.collection?.(document);
  if (depth >= MAX_DEPTH) {
    into.reject(href, `is more than ${MAX_DEPTH} levels deep, so its children were not read; use a flatter catalogue`);
    return [];
  }
  const children = childLinks(document, href, into).filter((child) =>
    isAllowedStep({ from: href, to: child, network, into }),
  );
  return children.map((child) => ({ href: child, depth: depth + 1 }));
}

interface Step {
  readonly from: string;
  readonly to: string;
  readonly network: Network;
  readonly into: ItemSink;
}

function isAllowedStep({ from, to, network, into }: Step): boolean {
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
    into.reject(
      href,
      `has more than ${MAX_LINKS} links, so none of them was followed; split it into several catalogues`,
    );
    return [];
  }
  return links.flatMap((value) => {
    const link = asObject(value);
    const rel = link && own(link, 'rel');
    if (link === undefined || (rel !== 'child' && rel !== 'item')) return [];
    const text = asText(own(link, 'href'));
    const target = text === undefined ? undefined : resolveHref(href, text);
    if (target === undefined)
      into.reject(href, `has a ${rel} link whose href is missing or not an address; correct the link`);
    return target === undefined ? [] : [target];
  });
}
