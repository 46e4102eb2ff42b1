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

/** Members that the tree linter uses. It keeps these members of every document in memory. */
const MEMBERS = ['type', 'id', 'title', 'bbox', 'extent', 'collection'] as const;
const TIMES = ['title', 'datetime', 'start_datetime', 'end_datetime'] as const;

/** A document with only the members that the tree linter uses. */
function slim(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { links, properties } = value;
  return {
    ...pick(value, MEMBERS),
    ...(isObject(properties) ? { properties: pick(properties, TIMES) } : {}),
    // All links stay, since JSON pointers use their index.
    ...(Array.isArray(links)
      ? { links: links.map((link: unknown) => (isObject(link) ? pick(link, ['rel', 'href', 'title']) : link)) }
      : {}),
  };
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** Reader and results of a watched tree. */
export interface Watched {
  /** Reads a document, reduced to the members that the tree linter needs. */
  readonly read: DocumentTree['read'];
  readonly assets: readonly ListedAsset[];
  /** The validator's findings, if a profile is set. */
  readonly findings: readonly TreeFinding[];
  /** Documents that were read. */
  readonly documents: ReadonlySet<string>;
}

/** Options of watching a tree: further checks, limits, a callback. */
export interface WatchOptions {
  readonly withAssets: boolean;
  /** Profile for validating documents; undefined: no validation. */
  readonly profile: Profile | undefined;
  /** Limit of documents. */
  readonly mostDocuments: number;
  /** Called after each document with the number read and the number known so far. */
  readonly progress: (done: number, known: number) => void;
}

/** Concurrency limit of document requests. */
const AT_ONCE = 8;

/** Reads a tree with prefetching; collects assets and validates documents while they are read. */
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
