import { Console } from 'node:console';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isDomainError } from '@headwater/core';
import { markedBlock } from '@headwater/orchestrator-client';
import { type Config, ConfigError } from '../config.ts';
import { runAlgorithmCommand } from './run-command.ts';
import { createStderrLogger } from './stderr-logger.ts';

/** What of `process` the command uses. */
export interface AlgorithmProcess {
  readonly args: readonly string[];
  readonly config: () => Config;
  readonly service: string | undefined;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

/** Characters that are written at a time: a pipe takes a result of any size, but not at once. */
const PIECE = 65_536;

/**
 * `headwater run-algorithm` as a process: the result between its markers is all that stdout gets, everything else goes to stderr, whose last
 * line tells of a failure as a traceback's would. Gives the exit code: 0, 1 for a run that failed, 2 for a call that cannot be.
 */
export async function algorithmProcess({ args, stdin, stdout, stderr, ...rest }: AlgorithmProcess): Promise<number> {
  // Whatever a library prints would stand in the way of the result.
  globalThis.console = new Console(stderr, stderr);
  try {
    const result = await runAlgorithmCommand(args, {
      ...rest,
      logger: (config) => createStderrLogger(config.logLevel, stderr),
      tell: (line) => void stderr.write(`${line}\n`),
      readStdin: () => text(stdin),
    });
    await writeAll(stdout, markedBlock(result));
    return 0;
  } catch (error) {
    stderr.write(`${failureLine(error)}\n`);
    return error instanceof ConfigError ? 2 : 1;
  }
}

async function writeAll(stdout: Writable, block: string): Promise<void> {
  const broken = new AbortController();
  stdout.once('error', (error) => broken.abort(error));
  for (let at = 0; at < block.length; at += PIECE)
    if (!stdout.write(block.slice(at, at + PIECE))) await once(stdout, 'drain', { signal: broken.signal });
  await new Promise<void>((settle, refuse) => {
    stdout.write('', (error) => (error ? refuse(error) : settle()));
  });
}

/** `headwater.RunFailed: ...` on one line: orchestrators take the last line of a task's output for its reason. */
export function failureLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `headwater.${kindOf(error)}: ${message.replaceAll(/\s+/g, ' ').trim()}`;
}

function kindOf(error: unknown): string {
  if (error instanceof ConfigError) return 'UsageError';
  if (!isDomainError(error)) return 'UnexpectedError';
  return error.details['status'] === 'failed' ? 'RunFailed' : 'RequestRefused';
}
