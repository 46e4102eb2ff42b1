/** Told how far a piece of work is, 0-1. */
export type Progress = (share: number) => void;

/** Where lines go: standard error, so that standard output stays free for the result. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** A line that is written anew as work goes on; each tenth is a line of its own where the screen is no terminal. */
export function progressLine(title: string, screen: Screen): Progress {
  let last = -1;
  return (share) => {
    const percent = Math.floor(100 * Math.min(1, share));
    const step = screen.isTTY === true ? percent : Math.floor(percent / 10) * 10;
    if (step <= last) return;
    last = step;
    if (screen.isTTY === true) screen.write(`\r${title}: ${percent} %${percent === 100 ? '\n' : ''}`);
    else screen.write(`${title}: ${step} %\n`);
  };
}
