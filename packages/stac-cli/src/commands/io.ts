import { ReadError } from '../reading/read-error.ts';
import { printable } from '../report/report.ts';
import { countOf, type Arguments } from './read-arguments.ts';
import { createProgressBar, type ProgressBar } from '../terminal/progress-bar.ts';
import { createTerminal, type Output } from '../terminal/terminal.ts';

/** What a command writes to, and what ends it. */
export interface Io {
  /** Where reports go. */
  readonly stdout: Output;
  /** Where progress and problems go. */
  readonly stderr: Output;
  readonly signal?: AbortSignal;
}

/** Timers know no longer time, ms. */
const LONGEST_MS = 2 ** 31 - 1;
/** Milliseconds between two lines of progress where no bar can be drawn. */
const LINES_EVERY = 5000;
/** Milliseconds between two drawings of the same share. */
const DRAW_EVERY = 100;
/** Milliseconds between two lines that say what is waited for. */
const SAY_EVERY = 1000;

/** Minutes that a command may take where nothing is said: each answer may be slow by itself, and there are many. */
const MOST_MINUTES = 60;
const MINUTE_MS = 60_000;

/** The same, ended once the command took longer than it may. */
export function bounded(io: Io, told: Arguments): Io {
  const minutes = countOf(told, 'most-minutes') ?? MOST_MINUTES;
  const late = new AbortController();
  const problem = `it took longer than ${String(minutes)} minutes; --most-minutes N gives it more`;
  setTimeout(() => late.abort(new ReadError(problem)), Math.min(minutes * MINUTE_MS, LONGEST_MS)).unref();
  return { ...io, signal: AbortSignal.any([late.signal, ...(io.signal === undefined ? [] : [io.signal])]) };
}

/** Progress that also says what it waits for. */
export interface Progress extends ProgressBar {
  /** Shows why nothing moves, until something does. */
  wait(note: string): void;
}

/** A bar on standard error; where that is no terminal, a line now and then. `quiet`: nothing. */
export function progressOn({ stderr }: Pick<Io, 'stderr'>, title: string, isQuiet: boolean): Progress {
  if (isQuiet) return { update: () => {}, done: () => {}, end: () => {}, wait: () => {} };
  let last = Date.now();
  const info = ({ step }: Readonly<Record<string, unknown>>, message: string): void => {
    if (Date.now() - last < LINES_EVERY) return;
    last = Date.now();
    stderr.write(`${message}: ${String(step)}\n`);
  };
  const terminal = createTerminal(stderr);
  const say = (note: string): void => void stderr.write(`${title}: ${note}\n`);
  return unhurried(createProgressBar(title, { terminal, logger: { info } }), terminal.isTTY ? undefined : say);
}

/** Standard output that takes the bar away before it writes: on one terminal, what is written would go on in the bar's own line. */
export function clearOf(bar: ProgressBar, { stdout }: Pick<Io, 'stdout'>): Output {
  return {
    write(text) {
      bar.end();
      return stdout.write(text);
    },
  };
}

/** Draws where something is to be seen: documents come faster than a terminal shows them. What it waits for is drawn too, or said. */
function unhurried(bar: ProgressBar, say: ((note: string) => void) | undefined): Progress {
  let [shown, percent, drawn, said] = [0, -1, 0, 0];
  return {
    ...bar,
    update(share, label) {
      const now = Date.now();
      if (Math.round(share * 100) === percent && now - drawn < DRAW_EVERY) return;
      [shown, percent, drawn] = [share, Math.round(share * 100), now];
      bar.update(share, label);
    },
    wait(note) {
      if (say === undefined) return bar.update(shown, printable(note));
      // Many requests wait at once, and mostly for one server.
      if (Date.now() - said < SAY_EVERY) return;
      said = Date.now();
      say(printable(note));
    },
  };
}
