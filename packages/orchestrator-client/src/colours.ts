/** One colour or cursor movement of a terminal, as the source of an expression. */
export const ANSI = String.raw`${String.fromCodePoint(0x1b)}\[[0-9;?]*[ -/]*[@-~]`;

/** Each of them in a text. */
export const COLOURS = new RegExp(ANSI, 'g');
