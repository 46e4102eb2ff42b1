import {
  addressOf,
  foundAt,
  isObject,
  type JsonObject,
  linksOf,
  type Profile,
  type TreeFinding,
  validate,
} from '@headwater/stac';
import type { DocumentTree } from '../tree/walk.ts';
import { assetsOf, type ListedAsset } from './asset-list.ts';
import { createReadAhead } from './read-ahead.ts';

/** What the linter of trees looks at; it keeps every document to the end. */
const KEPT = ['type', 'id', 'title', 'bbox', 'extent', 'collection'] as const;
const TIMES = ['title', 'datetime', 'start_datetime', 'end_datetime'] as const;

/** A document without what the linter of trees does not look at. */
function slim(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { links, properties } = value;
  return {
    ...pick(value, KEPT),
    ...(isObject(properties) ? { properties: pick(properties, TIMES) } : {}),
    // Pointers are by place in the list, so that none is left out.
    ...(Array.isArray(links)
      ? { links: links.map((link: unknown) => (isObject(link) ? pick(link, ['rel', 'href', 'title']) : link)) }
      : {}),
  };
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** What a linter's reading showed beside the tree. */
export interface Watched {
  /** Reads, and keeps of a document what the linter of trees needs. */
  readonly read: DocumentTree['read'];
  readonly assets: readonly ListedAsset[];
  /** What the validator says of the documents, where that is wanted. */
  readonly findings: readonly TreeFinding[];
  /** Documents that were read. */
  readonly documents: ReadonlySet<string>;
}

/** What is wanted beside the tree. */
export interface WatchOptions {
  readonly withAssets: boolean;
  /** By whose rules documents are validated; undefined: they are not. */
  readonly profile: Profile | undefined;
  /** Documents that are read at most. */
  readonly mostDocuments: number;
  /** Told after each document: how many are read of those that are known of. */
  readonly progress: (done: number, known: number) => void;
}

/** Requests under way at once. */
const AT_ONCE = 8;

/** A tree's reading, some documents ahead, that notes on the way what else is to be told of its documents. */
export function watchTree(tree: DocumentTree, { withAssets, profile, mostDocuments, progress }: WatchOptions): Watched {
  const assets: ListedAsset[] = [];
  const findings: TreeFinding[] = [];
  const documents = new Set<string>();
  const known = new Set([addressOf(tree.root) ?? tree.root]);
  const reading = createReadAhead(tree, { atOnce: AT_ONCE, mostDocuments });
  const read = async (href: string): Promise<unknown> => {
    const value = await reading.read(href);
    const document = foundAt(tree, href);
    documents.add(document);
    if (isObject(value)) {
      const below = linksOf({ href: document, document: value }).filter(({ rel }) => rel === 'child' || rel === 'item');
      for (const link of below) known.add(link.href);
      reading.expect(below.map((link) => link.href));
      if (withAssets) assets.push(...assetsOf(document, value));
      if (profile !== undefined)
        findings.push(...validate(value, { profile }).map((finding) => ({ ...finding, document })));
    }
    progress(documents.size, Math.max(known.size, documents.size));
    return slim(value);
  };
  return { read, assets, findings, documents };
}
