// Reads the TIFFs that it is sent, one after the other, and tells why each cannot be read and what that took.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { peakBytes } from '../../../../scripts/peak-memory.mjs';
import { refusalOf } from './refusal.fixture.ts';

/** What reading one file came to. */
export interface Reading {
  /** Why it cannot be read; undefined where it can. */
  readonly reason: string | undefined;
  /** Work of the processor, ms: no other process of the machine adds to it. */
  readonly cpuMs: number;
  /** How much more memory the reader held than ever before, bytes. */
  readonly grewBytes: number;
}

/** An answer of the process: a reading, or a fault of ours. */
type Answer = Reading | { readonly fault: string };

/** A process that does nothing but read: what its test holds and collects in the meantime does not count. */
export interface TiffReader {
  /** Rejects for a fault of ours, such as an error that names no cause. */
  read(path: string): Promise<Reading>;
  stop(): void;
}

const SELF = fileURLToPath(import.meta.url);

export function startReader(): TiffReader {
  const child = fork(SELF, ['serve'], { execArgv: ['--conditions=@headwater/source'] });
  return {
    read: (path) =>
      new Promise((settle, fail) => {
        const ended = (code: number | null): void => fail(new Error(`the reader of ${path} ended with ${code}`));
        child.once('exit', ended);
        child.once('message', (answer: Answer) => {
          child.off('exit', ended);
          if ('fault' in answer) fail(new Error(answer.fault));
          else settle(answer);
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

async function answer(path: string): Promise<Answer> {
  try {
    return await readingOf(path);
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

if (process.argv[2] === 'serve' && process.argv[1] === SELF)
  process.on('message', (path: string) => void answer(path).then((told) => process.send?.(told)));
