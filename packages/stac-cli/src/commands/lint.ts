import {
  lintTree,
  type Finding,
  type TreeFinding,
  addressOf,
  foundAt,
  isObject,
  type JsonObject,
  linksOf,
  type Profile,
  validate,
} from '@headwater/stac';
import { checkAssets, assetsOf, type ListedAsset } from '../lint/check-assets.ts';
import { createRetry } from '../reading/retry.ts';
import { isStac } from '../reading/documents.ts';
import { openTree, type OpenTree } from '../reading/open-tree.ts';
import { createAccessCheck } from '../reading/access-check.ts';
import { createReport } from '../report/report.ts';
import { bounded, progressOn, type Io } from './io.ts';
import { UsageError, BOUNDS, countOf, oneSource, profileOf, readArguments } from './read-arguments.ts';
import type { DocumentTree } from '../tree/walk.ts';
import { createReadAhead } from '../lint/read-ahead.ts';

const MOST_TOTAL_BYTES = 2 ** 30;
const MOST_DOCUMENTS = 100_000;
const ASSET_TIMEOUT_MS = 15_000;

/** Command `lint`: finds faults that a single document cannot show. */
export async function lintCommand(args: readonly string[], unboundedIo: Io): Promise<number> {
  const parsed = readArguments(args, [
    'json',
    'strict',
    'quiet',
    'check-assets',
    'validate',
    'profile',
    'any-file',
    ...BOUNDS,
  ]);
  const io = bounded(unboundedIo, parsed);
  const { flags, texts } = parsed;
  const mostDocuments = countOf(parsed, 'most-documents') ?? MOST_DOCUMENTS;
  const profile = profileOf(parsed);
  if (texts.profile !== undefined && !flags.has('validate'))
    throw new UsageError('--profile: use it with --validate; no other check of lint has profiles');
  const anyFile = flags.has('any-file');
  const limits = { mostTotalBytes: MOST_TOTAL_BYTES };
  const source = oneSource(parsed);
  const bar = progressOn(io, 'lint', flags.has('quiet'));
  const requestOptions = { signal: io.signal, onWait: (note: string) => bar.wait(note) };
  const progressOf = (what: string) => (done: number, known: number) =>
    bar.update(done / Math.max(known, 1), `${String(done)} of ${String(known)} ${what}`);
  const watchOptions = {
    withAssets: flags.has('check-assets'),
    profile: flags.has('validate') ? profile : undefined,
    mostDocuments,
  };
  try {
    const tree = await openTree(source, { ...requestOptions, limits, anyFile });
    const watched = watchTree(tree, { ...watchOptions, progress: progressOf('documents') });
    const treeFindings = await lintTree({
      ...tree,
      read: watched.read,
      mostDocuments,
    });
    // `lintTree` reports an abort as a finding, so the abort must be checked here.
    io.signal?.throwIfAborted();
    const [checkAccess, retry] = [createAccessCheck(tree.root, { anyFile }), createRetry(requestOptions)];
    const assetOptions = { checkAccess, retry, timeoutMs: ASSET_TIMEOUT_MS, signal: io.signal };
    const assetFindings = await checkAssets(watched.assets, assetOptions, progressOf('assets'));
    bar.end();
    return report(
      [...(await withoutForeignFiles(treeFindings, tree)), ...watched.findings, ...assetFindings],
      watched,
      {
        out: io.stdout,
        isJson: flags.has('json'),
        isStrict: flags.has('strict'),
      },
    );
  } finally {
    bar.end();
  }
}

async function withoutForeignFiles(findings: readonly TreeFinding[], { read }: OpenTree): Promise<TreeFinding[]> {
  const remaining: TreeFinding[] = [];
  for (const finding of findings) {
    const isForeign = finding.rule === 'tree.orphan' && !isStac(await read(finding.document).catch(() => undefined));
    if (!isForeign) remaining.push(finding);
  }
  return remaining;
}

function report(
  findings: readonly TreeFinding[],
  { documents }: Watched,
  { out, ...options }: { readonly out: Io['stdout']; readonly isJson: boolean; readonly isStrict: boolean },
): number {
  const byDocument = new Map<string, Finding[]>([...documents].map((document) => [document, []]));
  for (const { document, ...finding } of findings) {
    const known = byDocument.get(document);
    if (known === undefined) byDocument.set(document, [finding]);
    else known.push(finding);
  }
  const writer = createReport(out, options);
  for (const [document, treeFindings] of byDocument) writer.add({ document, findings: treeFindings });
  return writer.end();
}

const MEMBERS = ['type', 'id', 'title', 'bbox', 'extent', 'collection'] as const;
const TIMES = ['title', 'datetime', 'start_datetime', 'end_datetime'] as const;

function slim(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { links, properties } = value;
  return {
    ...pick(value, MEMBERS),
    ...(isObject(properties) ? { properties: pick(properties, TIMES) } : {}),
    // All links stay, because findings refer to links by index.
    ...(Array.isArray(links)
      ? { links: links.map((link: unknown) => (isObject(link) ? pick(link, ['rel', 'href', 'title']) : link)) }
      : {}),
  };
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

interface Watched {
  readonly read: DocumentTree['read'];
  readonly assets: readonly ListedAsset[];
  readonly findings: readonly TreeFinding[];
  readonly documents: ReadonlySet<string>;
}

interface WatchOptions {
  readonly withAssets: boolean;
  readonly profile: Profile | undefined;
  readonly mostDocuments: number;
  readonly progress: (done: number, known: number) => void;
}

const AT_ONCE = 8;

function watchTree(tree: DocumentTree, { withAssets, profile, mostDocuments, progress }: WatchOptions): Watched {
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
