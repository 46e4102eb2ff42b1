import type { Terminal } from './terminal.ts';

/** Progress of a command: a bar on a terminal, otherwise a log line per 10 %. */
export interface ProgressBar {
  update(share: number, label: string): void;
  done(closing: string): void;
  end(): void;
}

/** Receiver of progress without a terminal, such as a logger. */
export interface Notes {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Terminal and logger that show progress. */
export interface Showing<N extends Notes = Notes> {
  readonly terminal: Terminal;
  readonly logger: N;
}

const WIDTH = 30;

/** Text of a bar; the share is 0 to 1. */
export function barText(share: number, label: string): string {
  const clamped = Math.min(Math.max(share, 0), 1);
  const full = Math.round(clamped * WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${String(Math.round(clamped * 100)).padStart(3)} % ${label}`;
}

/** Creates a progress bar. */
export function createProgressBar(title: string, { terminal, logger }: Showing): ProgressBar {
  let lastStep = -1;
  return {
    update(share, label) {
      terminal.draw(`${title} ${barText(share, label)}`);
      const step = Math.floor(share * 10);
      if (!terminal.isTTY && step > lastStep) logger.info({ percent: step * 10, step: label }, title);
      lastStep = Math.max(step, lastStep);
    },
    done(closing) {
      terminal.draw(undefined);
      if (terminal.isTTY) terminal.write(`${closing}\n`);
      else logger.info({}, closing);
    },
    end() {
      terminal.draw(undefined);
    },
  };
}
