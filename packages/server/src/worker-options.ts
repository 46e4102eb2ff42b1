import { DEFAULT_QUEUE } from '@headwater/core/runs';
import { type CommandSyntax, usageOf } from './command.ts';
import { ConfigError } from './config/config-error.ts';
import { readArguments } from './read-arguments.ts';

/** Options of `headwater worker`. */
export interface WorkerOptions {
  readonly queue: string;
  readonly concurrency: number;
}

/** Syntax of `headwater worker`. */
export const WORKER: CommandSyntax = { name: 'worker', options: ['[--queue NAME] [--concurrency N]'] };

const MOST_RUNS = 64;
const OPTIONS = {
  queue: { type: 'string', default: DEFAULT_QUEUE },
  concurrency: { type: 'string', default: '1' },
} as const;

/** Parses the arguments. Throws `ConfigError` for a wrong argument. */
export function readWorkerOptions(args: readonly string[]): WorkerOptions {
  const { queue, concurrency } = readArguments({ args, options: OPTIONS }, usageOf(WORKER)).values;
  if (!/^[\w.-]{1,64}$/.test(queue))
    throw new ConfigError(
      `--queue: ${JSON.stringify(queue)} is not a valid queue name; use up to 64 letters, digits, dots, hyphens or underscores, such as nrm.`,
    );
  const runs = Number(concurrency);
  if (!/^\d+$/.test(concurrency) || runs < 1 || runs > MOST_RUNS)
    throw new ConfigError(
      `--concurrency: ${JSON.stringify(concurrency)} is not a number of runs; use a whole number from 1 to ${MOST_RUNS}.`,
    );
  return { queue, concurrency: runs };
}
