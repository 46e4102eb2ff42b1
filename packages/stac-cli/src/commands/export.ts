import { exportTree, FORMATS, isFormat, type ExportFormat } from '../export/export-tree.ts';
import { openTree } from '../reading/open-tree.ts';
import { EXIT } from '../report/report.ts';
import { bounded, progressOn, type Io } from './io.ts';
import { BOUNDS, countOf, oneSource, readArguments, type Arguments } from './read-arguments.ts';
import { UsageError } from './usage.ts';

/** Bytes of all documents together: what is written must fit onto a disk. */
const MOST_TOTAL_BYTES = 8 * 2 ** 30;

/** `export`: a whole tree as files. */
export async function exportCommand(args: readonly string[], given: Io): Promise<number> {
  const told = readArguments(args, ['format', 'out', 'replace', 'no-level', 'any-file', 'quiet', ...BOUNDS]);
  const io = bounded(given, told);
  const { flags, texts } = told;
  const [source, format, mostDocuments] = [oneSource(told), formatOf(told), countOf(told, 'most-documents')];
  if (texts.out === undefined || texts.out.trim() === '')
    throw new UsageError('--out: the folder or file to write is needed');
  const limits = { mostTotalBytes: MOST_TOTAL_BYTES };
  const bar = progressOn(io, 'export', flags.has('quiet'));
  const asking = { signal: io.signal, onWait: (note: string) => bar.wait(note) };
  try {
    const tree = await openTree(source, { ...asking, limits, anyFile: flags.has('any-file') });
    const lines = await exportTree(tree, {
      format,
      out: texts.out,
      replace: flags.has('replace'),
      level: !flags.has('no-level'),
      progress: (done, known) => bar.update(done / known, `${String(done)} of ${String(known)} documents`),
      ...(mostDocuments === undefined ? {} : { mostDocuments }),
      ...(io.signal === undefined ? {} : { signal: io.signal }),
    });
    bar.end();
    for (const line of lines) io.stdout.write(`${line}\n`);
  } finally {
    bar.end();
  }
  return EXIT.conforming;
}

function formatOf({ texts: { format = 'static' } }: Arguments): ExportFormat {
  if (isFormat(format)) return format;
  throw new UsageError(`--format ${format}: give one of ${FORMATS.join(', ')}`);
}
