/** A terminal with lines of text and a progress bar below them. */
export interface Terminal {
  /** False for a file or a pipe; then no bar is drawn. */
  readonly isTTY: boolean;
  write(text: string): void;
  /** Replaces the bar; undefined removes it. Does nothing without a terminal. */
  draw(bar: string | undefined): void;
}

/** Output stream of a terminal, such as `process.stdout`. */
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
  // A width of 0 means unknown; the bar is then not cut.
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
