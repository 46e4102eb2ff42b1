/** Draws the progress of one run on a terminal, or as plain lines (each 5 %) where stdout is none. */
export interface ProgressBar {
  update(share: number, label: string): void;
  /** Ends the line and prints `closing`. */
  done(closing: string): void;
}

const WIDTH = 30;

/** Text of a bar for a share of 0-1. */
export function barText(share: number, label: string): string {
  const clamped = Math.min(Math.max(share, 0), 1);
  const full = Math.round(clamped * WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${String(Math.round(clamped * 100)).padStart(3)} % ${label}`;
}

/** A bar titled `title` on `out`. */
export function createProgressBar(title: string, out: NodeJS.WriteStream): ProgressBar {
  let lastStep = -1;
  const live = out.isTTY;
  return {
    update(share, label) {
      const line = `${title} ${barText(share, label)}`;
      const step = Math.floor(share * 20);
      if (live) out.write(`\r\u001B[2K${line.slice(0, out.columns)}`);
      else if (step > lastStep) out.write(`${line}\n`);
      lastStep = Math.max(step, lastStep);
    },
    done(closing) {
      out.write(`${live ? '\r\u001B[2K' : ''}${closing}\n`);
    },
  };
}
