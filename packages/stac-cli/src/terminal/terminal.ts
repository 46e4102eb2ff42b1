/** What this program prints to: lines, and at most one bar below them that moves down as lines come. */
export interface Terminal {
  /** False where a file or a pipe reads along: nothing is drawn there. */
  readonly isTTY: boolean;
  /** Writes whole lines. */
  write(text: string): void;
  /** Shows a bar in the last line instead of the one before; undefined takes it away. Nothing where this is no terminal. */
  draw(bar: string | undefined): void;
}

/** The part of a stream that is written to; `process.stdout` is one. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const ERASED_LINE = '\r\u001B[2K';

/** A terminal on a stream. */
export function createTerminal(out: Output): Terminal {
  const isTTY = out.isTTY === true;
  let shown: string | undefined;
  // Some terminals do not know their width and say 0.
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
