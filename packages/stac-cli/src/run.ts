import { bounded, type Io, progressOn } from './commands/io.ts';
import { lintCommand } from './commands/lint.ts';
import { type Arguments, BOUNDS, countOf, oneSource, readArguments } from './commands/read-arguments.ts';
import { USAGE, UsageError } from './commands/read-arguments.ts';
import { validateCommand } from './commands/validate.ts';
import { type ExportFormat, exportTree, FORMATS, isFormat } from './export/export-tree.ts';
import { openTree } from './reading/open-tree.ts';
import { messageOf, ReadError, TargetError, TreeError } from './errors.ts';
import { printable } from './report/report.ts';
import { EXIT } from './report/report.ts';

/** Limit of all documents, bytes, so that an export fits on a disk. */
const MOST_TOTAL_BYTES = 8 * 2 ** 30;

async function exportCommand(args: readonly string[], unboundedIo: Io): Promise<number> {
  const parsed = readArguments(args, ['format', 'out', 'replace', 'no-level', 'any-file', 'quiet', ...BOUNDS]);
  const io = bounded(unboundedIo, parsed);
  const { flags, texts } = parsed;
  const [source, format, mostDocuments] = [oneSource(parsed), formatOf(parsed), countOf(parsed, 'most-documents')];
  if (texts.out === undefined || texts.out.trim() === '')
    throw new UsageError('--out: the folder or file to write is missing');
  const limits = { mostTotalBytes: MOST_TOTAL_BYTES };
  const bar = progressOn(io, 'export', flags.has('quiet'));
  const requestOptions = { signal: io.signal, onWait: (note: string) => bar.wait(note) };
  try {
    const tree = await openTree(source, { ...requestOptions, limits, anyFile: flags.has('any-file') });
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

type Command = (args: readonly string[], io: Io) => Promise<number>;
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['validate', validateCommand],
  ['lint', lintCommand],
  ['export', exportCommand],
]);

/** Runs the program and returns the exit code. Rejects only after a bug. */
export async function run([name, ...args]: readonly string[], io: Io): Promise<number> {
  if (name === '--help' || name === '-h' || args.includes('--help')) {
    io.stdout.write(USAGE);
    return EXIT.conforming;
  }
  const command = COMMANDS.get(name ?? '');
  try {
    if (command === undefined)
      throw new UsageError(name === undefined ? 'the command is missing' : `${name}: there is no such command`);
    return await command(args, io);
  } catch (error) {
    const code = exitCodeOf(error, io);
    if (code === undefined) throw error;
    io.stderr.write(`headwater-stac: ${messageOf(error).split('\n').map(printable).join('\n')}\n`);
    if (error instanceof UsageError) io.stderr.write(`\n${USAGE}`);
    return code;
  }
}

/** Exit code of an abort or of an error that users can correct; undefined for a bug. */
function exitCodeOf(error: unknown, { signal }: Io): number | undefined {
  if (error instanceof TreeError) return EXIT.faults;
  const isSystemError = error instanceof Error && 'code' in error && 'syscall' in error;
  const isUserError = [UsageError, ReadError, TargetError].some((kind) => error instanceof kind);
  return isUserError || isSystemError || signal?.aborted === true ? EXIT.unreadable : undefined;
}
