import { DEFAULT_QUEUE } from '@headwater/core/runs';
import { type CommandSyntax, usageOf } from './command.ts';
import { ConfigError } from './config/config-error.ts';
import { readArguments } from './read-arguments.ts';

/** What `headwater worker` was told. */
export interface WorkerOptions {
  readonly queue: string;
  /** Runs at a time. */
  readonly concurrency: number;
}

/** Syntax of `headwater worker`. */
export const WORKER: CommandSyntax = { name: 'worker', options: ['[--queue NAME] [--concurrency N]'] };

const MOST_RUNS = 64;
const OPTIONS = {
  queue: { type: 'string', default: DEFAULT_QUEUE },
  concurrency: { type: 'string', default: '1' },
} as const;

/** Reads the arguments. Throws `ConfigError` that names the one that is wrong. */
export function readWorkerOptions(args: readonly string[]): WorkerOptions {
  const { queue, concurrency } = readArguments({ args, options: OPTIONS }, usageOf(WORKER)).values;
  if (!/^[\w.-]{1,64}$/.test(queue))
    throw new ConfigError(
      `--queue: ${JSON.stringify(queue)} is no name of a queue; give up to 64 letters, digits, dots, hyphens or underscores, such as nrm.`,
    );
  const runs = Number(concurrency);
  if (!/^\d+$/.test(concurrency) || runs < 1 || runs > MOST_RUNS)
    throw new ConfigError(
      `--concurrency: ${JSON.stringify(concurrency)} is no number of runs at a time; give a whole number from 1 to ${MOST_RUNS}.`,
    );
  return { queue, concurrency: runs };
}
