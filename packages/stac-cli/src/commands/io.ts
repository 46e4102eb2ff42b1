import { ReadError } from '../errors.ts';
import { printable } from '../report/report.ts';
import { countOf, type Arguments } from './read-arguments.ts';
import { createProgressBar, type ProgressBar } from '../terminal/progress-bar.ts';
import { createTerminal, type Output } from '../terminal/terminal.ts';

/** Output streams and abort signal of a command. */
export interface Io {
  /** Stream for reports. */
  readonly stdout: Output;
  /** Stream for progress and problems. */
  readonly stderr: Output;
  readonly signal?: AbortSignal;
}

/** Longest delay of a timer, ms. */
const LONGEST_MS = 2 ** 31 - 1;
/** Minimum time between two lines of progress, ms. Lines are written instead of a bar if the output is not a terminal. */
const LINES_EVERY = 5000;
/** Minimum time between two drawings of the bar with the same percentage, ms. */
const DRAW_EVERY = 100;
/** Milliseconds between two lines that report the reason for a wait. */
const REPORT_EVERY = 1000;

/** Default time limit of a command, minutes. The limit is long, because reading a tree may take many slow responses. */
const MOST_MINUTES = 60;
const MINUTE_MS = 60_000;

/** Streams with an abort signal that is also triggered when the time limit of the command has passed. */
export function bounded(io: Io, args: Arguments): Io {
  const minutes = countOf(args, 'most-minutes') ?? MOST_MINUTES;
  const late = new AbortController();
  const problem = `the command took longer than ${String(minutes)} minutes; allow more with --most-minutes N`;
  setTimeout(() => late.abort(new ReadError(problem)), Math.min(minutes * MINUTE_MS, LONGEST_MS)).unref();
  return { ...io, signal: AbortSignal.any([late.signal, ...(io.signal === undefined ? [] : [io.signal])]) };
}

/** Progress that can also show the reason for a wait. */
export interface Progress extends ProgressBar {
  /** Shows the reason for a wait until progress continues. */
  wait(note: string): void;
}

/**
 * Draws a progress bar on standard error; if standard error is not a terminal, writes a line after each 10 %, at most every 5 seconds. Writes
 * nothing if `isQuiet` is true.
 */
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

/**
 * Returns standard output with a `write` that first removes the bar, so that the text does not continue the line of the
 * bar.
 */
export function clearOf(bar: ProgressBar, { stdout }: Pick<Io, 'stdout'>): Output {
  return {
    write(text) {
      bar.end();
      return stdout.write(text);
    },
  };
}

/**
 * Limits how often the bar is drawn, because documents are read faster than a terminal can draw. Also limits how
 * often reasons for waits are shown.
 */
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
      // Not every wait is reported, because many requests wait at the same time, mostly for the same server.
      if (Date.now() - reportedAt < REPORT_EVERY) return;
      reportedAt = Date.now();
      report(printable(note));
    },
  };
}
