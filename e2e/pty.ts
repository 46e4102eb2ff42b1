import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnv } from '../scripts/child-env.mjs';

/** Python has what Node lacks: a terminal for a program. */
export const HAS_PTY = (() => {
  try {
    execFileSync('python3', ['-c', 'import pty']);
    return true;
  } catch {
    console.log('skipped: what a person sees on a terminal needs python3, which makes one');
    return false;
  }
})();

const IN_A_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])) & 255)';

/** A program in a terminal. */
export interface InTerminal {
  /** Everything printed so far, with the terminal's own signs. */
  text(): string;
  /** Milliseconds from the start to the moment when the text first held this. */
  after(wanted: string): Promise<number>;
  /** Presses Ctrl-C. */
  interrupt(): void;
  readonly ended: Promise<void>;
}

/** Runs Node in a terminal. */
export function nodeInTerminal(args: readonly string[], env: Readonly<Record<string, string>>): InTerminal {
  const start = performance.now();
  const child = spawn('python3', ['-c', IN_A_TERMINAL, process.execPath, '--conditions=@headwater/source', ...args], {
    env: { ...childEnv(), TERM: 'xterm', ...env },
  });
  child.stderr.pipe(process.stderr);
  const pieces: { readonly at: number; readonly text: string }[] = [];
  const text = (): string => pieces.map((piece) => piece.text).join('');
  const ended = once(child, 'close').then(() => undefined);
  const news = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    pieces.push({ at: performance.now() - start, text: chunk.toString('utf8') });
    for (const tell of news) tell();
  });
  const after = async (wanted: string): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (text().includes(wanted)) resolve();
    };
    news.add(look);
    look();
    void ended.then(() => reject(new Error(`the program ended before it printed ${wanted}:\n${text()}`)));
    await promise;
    news.delete(look);
    let whole = '';
    return pieces.find((piece) => (whole += piece.text).includes(wanted))?.at ?? Number.NaN;
  };
  return { text, after, interrupt: () => child.stdin.write('\u0003'), ended };
}

/** The lines that stand on the screen in the end: a carriage return goes back, `ESC [ 2 K` empties the line. */
export function screen(text: string): string[] {
  return text.split('\n').map((line) => {
    const last = line.replace(/\r$/, '').split('\u001B[2K').at(-1) ?? '';
    return last.split('\r').at(-1) ?? '';
  });
}
