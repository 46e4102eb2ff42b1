/** A terminal that shows lines of text and, below the last line, at most one progress bar. */
export interface Terminal {
  /** False for a file or a pipe; then no bar is drawn. */
  readonly isTTY: boolean;
  /** Writes whole lines. */
  write(text: string): void;
  /** Replaces the bar in the last line; undefined removes the bar. Does nothing if the output is not a terminal. */
  draw(bar: string | undefined): void;
}

/** The members of an output stream that a terminal uses, such as `process.stdout`. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const ERASED_LINE = '\r\u001B[2K';

/** Creates a terminal that writes to a stream. */
export function createTerminal(out: Output): Terminal {
  const isTTY = out.isTTY === true;
  let shown: string | undefined;
  // Some terminals report a width of 0 columns, which means that the width is unknown. In this case the bar is not cut.
  const cut = (bar: string | undefined): string => bar?.slice(0, out.columns || undefined) ?? '';
  return {
    isTTY,
    write(text) {
      out.write(shown === undefined ? text : `${ERASED_LINE}${text}${cut(shown)}`);
    },
    draw(bar) {
      if (!isTTY) return;
      if (shown !== undefined || bar !== undefined) out.write(`${ERASED_LINE}${cut(bar)}`);
      shown = bar;
    },
  };
}
