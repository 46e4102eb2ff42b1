import { Console } from 'node:console';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isDomainError, messageOf, type Logger } from '@headwater/core';
import { wireMessage } from '@headwater/http-service';
import { markedBlock } from '@headwater/orchestrator-client';
import pino from 'pino';
import type { CommandCall } from '../command.ts';
import { type Config, ConfigError } from '../config/read-config.ts';
import { createPipelines } from '../pipelines.ts';
import { listText } from './list-text.ts';
import { runAlgorithmCommand } from './run-command.ts';
import { readRunOptions, type RunOptions } from './run-options.ts';
import { humanLine } from '../log-lines.ts';
import { boundedFields, escaped, shortened } from '../log-text.ts';

/** Arguments and environment of the command. */
export type AlgorithmCall = Pick<CommandCall, 'args' | 'service'> & { readonly config: () => Config };

/** Part of `process` that the command uses. */
export interface AlgorithmProcess {
  readonly stdin: Readable;
  readonly stdout: Writable & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>;
  readonly stderr: NodeJS.WriteStream;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** Number of characters in one write. A pipe accepts only a part of a large result at a time. */
const PIECE = 65_536;
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs `headwater run-algorithm`. stdout gets only the result between its markers; on a terminal, `--list` writes text
 * without markers. An error is the last line of stderr. A signal cancels the run. Returns the exit code: 0, 1 for a
 * failed run, 2 for wrong arguments, 130 after SIGINT, 143 after SIGTERM.
 */
export async function algorithmProcess(call: AlgorithmCall, own: AlgorithmProcess): Promise<number> {
  const { stdin, stdout, stderr } = own;
  // Libraries must print to stderr, because stdout is only for the result.
  globalThis.console = new Console(stderr, stderr);
  const stop = new AbortController();
  let stopped: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    own.on(signal, () => {
      stopped ??= SIGNAL_CODES[signal];
      stop.abort(new Error(`stopped by ${signal}; the run is cancelled and nothing of it is published`));
    });
  try {
    if (isForPeople(readRunOptions(call.args), stdout)) {
      stdout.write(listText(createPipelines(), stdout.columns));
      return 0;
    }
    const result = await runAlgorithmCommand(call.args, {
      ...call,
      signal: stop.signal,
      logger: (config) => createStderrLogger(config.logLevel, stderr),
      print: (line) => void stderr.write(`${line}\n`),
      readStdin: () => text(stdin),
    });
    await writeAll(stdout, markedBlock(result));
    return 0;
  } catch (error) {
    stderr.write(`${failureLine(stop.signal.aborted ? stop.signal.reason : error)}\n`);
    return stopped ?? (error instanceof ConfigError ? 2 : 1);
  }
}

/** True for a list on a terminal, without `--json`. */
const isForPeople = (options: RunOptions, { isTTY }: AlgorithmProcess['stdout']): boolean =>
  options.kind === 'list' && !options.isJson && isTTY === true;

async function writeAll(stdout: Writable, block: string): Promise<void> {
  const broken = new AbortController();
  stdout.once('error', (error) => broken.abort(error));
  for (let at = 0; at < block.length; at += PIECE)
    if (!stdout.write(block.slice(at, at + PIECE))) await once(stdout, 'drain', { signal: broken.signal });
  await new Promise<void>((settle, refuse) => {
    stdout.write('', (error) => (error ? refuse(error) : settle()));
  });
}

/** Returns `headwater.RunFailedError: ...` on one line, because orchestrators show the last line as the reason. */
export function failureLine(error: unknown): string {
  const message = isDomainError(error) ? wireMessage(error) : messageOf(error);
  return `headwater.${kindOf(error)}: ${message.replaceAll(/\s+/g, ' ').trim()}`;
}

/** Name of an error as in Python's tracebacks. */
function kindOf(error: unknown): string {
  if (error instanceof ConfigError) return 'UsageError';
  if (!isDomainError(error)) return 'UnexpectedError';
  return error.details['status'] === 'failed' ? 'RunFailedError' : 'RequestRefusedError';
}

/** Runs `headwater run-algorithm` in this process, and ends the process with the exit code. */
export async function algorithmCommand({ args, service, config, warnOfMisspelt }: CommandCall): Promise<void> {
  const warned = (): Config => {
    warnOfMisspelt((line) => process.stderr.write(`headwater: ${line}\n`));
    return config();
  };
  process.exit(await algorithmProcess({ args, service, config: warned }, process));
}

/** Logger that writes lines for people to stderr, because stdout is only for the result. */
export function createStderrLogger(level: Config['logLevel'], output: Pick<NodeJS.WriteStream, 'write'>): Logger {
  const write = (json: string): void => {
    const line = humanLine(escaped(json.trimEnd()), level === 'debug');
    if (line !== undefined) output.write(line);
  };
  const formatters = { level: (label: string) => ({ level: label }), log: boundedFields };
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters }, { write });
  return {
    debug: (fields, message) => log.debug(fields, shortened(message)),
    info: (fields, message) => log.info(fields, shortened(message)),
    error: (fields, message) => log.error(fields, shortened(message)),
  };
}
