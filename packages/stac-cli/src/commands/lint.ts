import { lintTree, type Finding, type TreeFinding } from '@headwater/stac';
import { checkAssets } from '../lint/check-assets.ts';
import { watchTree, type Watched } from '../lint/watch.ts';
import { createAgain } from '../reading/again.ts';
import { isStac } from '../reading/documents.ts';
import { openTree, type OpenTree } from '../reading/open-tree.ts';
import { reachFrom } from '../reading/reach.ts';
import { createReport } from '../report/report.ts';
import { bounded, progressOn, type Io } from './io.ts';
import { UsageError } from './read-arguments.ts';
import { BOUNDS, countOf, oneSource, profileOf, readArguments } from './read-arguments.ts';

/** Bytes of all documents together: what the linter keeps of them must fit into memory. */
const MOST_TOTAL_BYTES = 2 ** 30;
/** Documents that are read where nothing is said. */
const MOST_DOCUMENTS = 100_000;
/** An asset's server has less to do than one that sends a document. */
const ASSET_TIMEOUT_MS = 15_000;

/** `lint`: what no single document of a tree shows. */
export async function lintCommand(args: readonly string[], given: Io): Promise<number> {
  const told = readArguments(args, [
    'json',
    'strict',
    'quiet',
    'check-assets',
    'validate',
    'profile',
    'any-file',
    ...BOUNDS,
  ]);
  const io = bounded(given, told);
  const { flags, texts } = told;
  const mostDocuments = countOf(told, 'most-documents') ?? MOST_DOCUMENTS;
  const profile = profileOf(told);
  if (texts.profile !== undefined && !flags.has('validate'))
    throw new UsageError('--profile: it goes with --validate, as nothing else here asks for one');
  const anyFile = flags.has('any-file');
  const limits = { mostTotalBytes: MOST_TOTAL_BYTES };
  const source = oneSource(told);
  const bar = progressOn(io, 'lint', flags.has('quiet'));
  const waiting = { signal: io.signal, onWait: (note: string) => bar.wait(note) };
  const tell = (what: string) => (done: number, known: number) =>
    bar.update(done / Math.max(known, 1), `${String(done)} of ${String(known)} ${what}`);
  const asked = {
    withAssets: flags.has('check-assets'),
    profile: flags.has('validate') ? profile : undefined,
    mostDocuments,
  };
  try {
    const tree = await openTree(source, { ...waiting, limits, anyFile });
    const watched = watchTree(tree, { ...asked, progress: tell('documents') });
    const found = await lintTree({
      ...tree,
      read: watched.read,
      mostDocuments,
    });
    // What the linter takes for an answer (a document cannot be read) was then no answer at all.
    io.signal?.throwIfAborted();
    const [reach, again] = [reachFrom(tree.root, { anyFile }), createAgain(waiting)];
    const asking = { reach, again, timeoutMs: ASSET_TIMEOUT_MS, signal: io.signal };
    const ofAssets = await checkAssets(watched.assets, asking, tell('assets'));
    bar.end();
    return report([...(await withoutOthers(found, tree)), ...watched.findings, ...ofAssets], watched, {
      out: io.stdout,
      isJson: flags.has('json'),
      isStrict: flags.has('strict'),
    });
  } finally {
    bar.end();
  }
}

/** Files of a folder that no link leads to are orphans only where they are STAC documents. */
async function withoutOthers(findings: readonly TreeFinding[], { read }: OpenTree): Promise<TreeFinding[]> {
  const kept: TreeFinding[] = [];
  for (const finding of findings) {
    const isOther = finding.rule === 'tree.orphan' && !isStac(await read(finding.document).catch(() => undefined));
    if (!isOther) kept.push(finding);
  }
  return kept;
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
  for (const [document, found] of byDocument) writer.add({ document, findings: found });
  return writer.end();
}
