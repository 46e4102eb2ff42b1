import { ReadError } from '../errors.ts';
import { printable } from '../report/report.ts';
import { countOf, type Arguments } from './read-arguments.ts';
import { createProgressBar, type ProgressBar } from '../terminal/progress-bar.ts';
import { createTerminal, type Output } from '../terminal/terminal.ts';

/** Streams and abort signal of a command. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly signal?: AbortSignal;
}

/** Longest delay of a timer, ms. */
const LONGEST_MS = 2 ** 31 - 1;
/** Shortest intervals, ms: between progress lines, drawings of the bar, and lines about waits. */
const LINES_EVERY = 5000;
const DRAW_EVERY = 100;
const REPORT_EVERY = 1000;

/** Default time limit of a command, minutes. Reading a tree may take many slow responses. */
const MOST_MINUTES = 60;
const MINUTE_MS = 60_000;

/** Streams with a signal that also aborts at the time limit of the command. */
export function bounded(io: Io, args: Arguments): Io {
  const minutes = countOf(args, 'most-minutes') ?? MOST_MINUTES;
  const late = new AbortController();
  const problem = `the command took longer than ${String(minutes)} minutes; allow more with --most-minutes N`;
  setTimeout(() => late.abort(new ReadError(problem)), Math.min(minutes * MINUTE_MS, LONGEST_MS)).unref();
  return { ...io, signal: AbortSignal.any([late.signal, ...(io.signal === undefined ? [] : [io.signal])]) };
}

/** A progress bar that can show the reason for a wait. */
export interface Progress extends ProgressBar {
  /** Shows the reason for a wait until progress continues. */
  wait(note: string): void;
}

/** Draws a progress bar on stderr. Without a terminal, writes a line per 10 %, at most every 5 s. */
export function progressOn({ stderr }: Pick<Io, 'stderr'>, title: string, isQuiet: boolean): Progress {
  if (isQuiet) return { update: () => {}, done: () => {}, end: () => {}, wait: () => {} };
  let last = Date.now();
  const info = ({ step }: Readonly<Record<string, unknown>>, message: string): void => {
    if (Date.now() - last < LINES_EVERY) return;
    last = Date.now();
    stderr.write(`${message}: ${String(step)}\n`);
  };
  const terminal = createTerminal(stderr);
  const report = (note: string): void => void stderr.write(`${title}: ${note}\n`);
  return throttled(createProgressBar(title, { terminal, logger: { info } }), terminal.isTTY ? undefined : report);
}

/** Standard output whose `write` first removes the bar. */
export function clearOf(bar: ProgressBar, { stdout }: Pick<Io, 'stdout'>): Output {
  return {
    write(text) {
      bar.end();
      return stdout.write(text);
    },
  };
}

function throttled(bar: ProgressBar, report: ((note: string) => void) | undefined): Progress {
  let [shown, percent, drawn, reportedAt] = [0, -1, 0, 0];
  return {
    ...bar,
    update(share, label) {
      const now = Date.now();
      if (Math.round(share * 100) === percent && now - drawn < DRAW_EVERY) return;
      [shown, percent, drawn] = [share, Math.round(share * 100), now];
      bar.update(share, label);
    },
    wait(note) {
      if (report === undefined) return bar.update(shown, printable(note));
      // Only some waits are reported, because many requests wait together.
      if (Date.now() - reportedAt < REPORT_EVERY) return;
      reportedAt = Date.now();
      report(printable(note));
    },
  };
}
