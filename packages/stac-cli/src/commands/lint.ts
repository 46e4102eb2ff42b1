import { lintTree, type Finding, type TreeFinding } from '@headwater/stac';
import { checkAssets } from '../lint/check-assets.ts';
import { watchTree, type Watched } from '../lint/watch-tree.ts';
import { createRetry } from '../reading/retry.ts';
import { isStac } from '../reading/documents.ts';
import { openTree, type OpenTree } from '../reading/open-tree.ts';
import { createAccessCheck } from '../reading/access-check.ts';
import { createReport } from '../report/report.ts';
import { bounded, progressOn, type Io } from './io.ts';
import { UsageError } from './read-arguments.ts';
import { BOUNDS, countOf, oneSource, profileOf, readArguments } from './read-arguments.ts';

/** Limit of all documents together, bytes: the parts that the linter keeps must fit into memory. */
const MOST_TOTAL_BYTES = 2 ** 30;
/** Default limit of documents. */
const MOST_DOCUMENTS = 100_000;
/**
 * Timeout of an asset request, ms. It is shorter than the timeout of a document, because only the headers of an asset
 * are requested.
 */
const ASSET_TIMEOUT_MS = 15_000;

/** Command `lint`: checks a tree for faults that cannot be seen in a single document. */
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
    // `lintTree` reports a failed read as a finding. After an abort, the command must end instead.
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

/** Removes findings about orphans that are not STAC documents. */
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
