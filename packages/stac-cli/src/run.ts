import { exportCommand } from './commands/export.ts';
import type { Io } from './commands/io.ts';
import { lintCommand } from './commands/lint.ts';
import { USAGE, UsageError } from './commands/usage.ts';
import { validateCommand } from './commands/validate.ts';
import { messageOf, ReadError } from './reading/read-error.ts';
import { printable } from './report/printable.ts';
import { EXIT } from './report/report.ts';
import { TargetError, TreeError } from './tree/tree-error.ts';

type Command = (args: readonly string[], io: Io) => Promise<number>;
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['validate', validateCommand],
  ['lint', lintCommand],
  ['export', exportCommand],
]);

/** Runs the program with its arguments; resolves with the exit code. Rejects only by a fault of the program's own. */
export async function run([name, ...args]: readonly string[], io: Io): Promise<number> {
  if (name === '--help' || name === '-h' || args.includes('--help')) {
    io.stdout.write(USAGE);
    return EXIT.conforming;
  }
  const command = COMMANDS.get(name ?? '');
  try {
    if (command === undefined)
      throw new UsageError(name === undefined ? 'a command is needed' : `${name}: there is no such command`);
    return await command(args, io);
  } catch (error) {
    const code = exitCodeOf(error, io);
    if (code === undefined) throw error;
    io.stderr.write(`headwater-stac: ${messageOf(error).split('\n').map(printable).join('\n')}\n`);
    if (error instanceof UsageError) io.stderr.write(`\n${USAGE}`);
    return code;
  }
}

/** The exit code of an error that a person can act on; undefined for any other. */
function exitCodeOf(error: unknown, { signal }: Io): number | undefined {
  if (error instanceof TreeError) return EXIT.faults;
  const isOfSystem = error instanceof Error && 'code' in error && 'syscall' in error;
  const isToldApart = [UsageError, ReadError, TargetError].some((kind) => error instanceof kind);
  return isToldApart || isOfSystem || signal?.aborted === true ? EXIT.unreadable : undefined;
}
