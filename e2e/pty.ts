import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnv } from '../scripts/child-env.mjs';

/** True if Python is available, which can run a program in a terminal. */
export const HAS_PTY = (() => {
  try {
    execFileSync('python3', ['-c', 'import pty']);
    return true;
  } catch {
    console.log('skipped: output on a terminal: python3 is missing');
    return false;
  }
})();

const IN_A_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])) & 255)';

/** A program that runs in a terminal. */
export interface InTerminal {
  /** Returns all output so far, with terminal control sequences. */
  text(): string;
  /** Waits until the text contains `wanted`; resolves to the time from the start to this output, ms. */
  after(wanted: string): Promise<number>;
  /** Types a text; `\n` is the Enter key. */
  type(text: string): void;
  /** Presses Ctrl-C. */
  interrupt(): void;
  readonly ended: Promise<void>;
}

/** Runs Node in a terminal in the folder `cwd`, by default the current folder. */
export function nodeInTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = process.cwd(),
): InTerminal {
  const start = performance.now();
  const child = spawn('python3', ['-c', IN_A_TERMINAL, process.execPath, '--conditions=@headwater/source', ...args], {
    env: { ...childEnv(), TERM: 'xterm', ...env },
    cwd,
  });
  child.stderr.pipe(process.stderr);
  const pieces: { readonly at: number; readonly text: string }[] = [];
  const text = (): string => pieces.map((piece) => piece.text).join('');
  const ended = once(child, 'close').then(() => undefined);
  const listeners = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    pieces.push({ at: performance.now() - start, text: chunk.toString('utf8') });
    for (const listener of listeners) listener();
  });
  const after = async (wanted: string): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const check = (): void => {
      if (text().includes(wanted)) resolve();
    };
    listeners.add(check);
    check();
    void ended.then(() => reject(new Error(`the program ended before it printed ${wanted}:\n${text()}`)));
    await promise;
    listeners.delete(check);
    let whole = '';
    return pieces.find((piece) => (whole += piece.text).includes(wanted))?.at ?? Number.NaN;
  };
  const type = (typed: string): void => void child.stdin.write(typed.replaceAll('\n', '\r'));
  return { text, after, type, interrupt: () => type('\u0003'), ended };
}

/** Returns the final lines on the screen, after carriage returns and `ESC [ 2 K` (clears the line). */
export function screen(text: string): string[] {
  return text.split('\n').map((line) => {
    const last = line.replace(/\r$/, '').split('\u001B[2K').at(-1) ?? '';
    return last.split('\r').at(-1) ?? '';
  });
}
