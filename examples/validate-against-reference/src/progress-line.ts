/** Callback with the progress of an operation, 0-1. */
export type Progress = (share: number) => void;

/** Output of progress lines. The command uses standard error, so that standard output contains only the result. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Prints progress: on a terminal, one line that changes; otherwise, one line per tenth. */
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
