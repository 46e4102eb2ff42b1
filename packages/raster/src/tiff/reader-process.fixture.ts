// Process that reads TIFFs, and reports the used resources and the errors.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { peakBytes } from '../../../../scripts/peak-memory.mjs';
import { refusalOf } from './refusal.fixture.ts';

/** Result of reading one file. */
export interface Reading {
  /** Message of the refusal; undefined if the file was read. */
  readonly reason: string | undefined;
  /** CPU time, ms. Other processes do not affect it. */
  readonly cpuMs: number;
  /** Growth of the peak memory of the process, bytes. */
  readonly grewBytes: number;
}

type ProcessReply = Reading | { readonly fault: string };

/** Child process that only reads files, so that the memory of the test is not measured. */
export interface TiffReader {
  /** Reads a file. Rejects for any error other than `input_data`, because it is a fault of this package. */
  read(path: string): Promise<Reading>;
  stop(): void;
}

const SELF = fileURLToPath(import.meta.url);

export function startReader(): TiffReader {
  const child = fork(SELF, ['serve'], { execArgv: ['--conditions=@headwater/source'] });
  return {
    read: (path) =>
      new Promise((settle, fail) => {
        const ended = (code: number | null): void => fail(new Error(`the reader of ${path} exited with ${code}`));
        child.once('exit', ended);
        child.once('message', (reply: ProcessReply) => {
          child.off('exit', ended);
          if ('fault' in reply) fail(new Error(reply.fault));
          else settle(reply);
        });
        child.send(path);
      }),
    stop: () => void child.kill(),
  };
}

async function readingOf(path: string): Promise<Reading> {
  const [before, peak] = [process.cpuUsage(), peakBytes()];
  const reason = await refusalOf(path);
  const { user, system } = process.cpuUsage(before);
  return { reason, cpuMs: (user + system) / 1000, grewBytes: peakBytes() - peak };
}

async function replyTo(path: string): Promise<ProcessReply> {
  try {
    return await readingOf(path);
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

if (process.argv[2] === 'serve' && process.argv[1] === SELF)
  process.on('message', (path: string) => void replyTo(path).then((reply) => process.send?.(reply)));
