/** Source text of a regular expression that matches one colour code or cursor movement of a terminal. */
export const ANSI = String.raw`${String.fromCodePoint(0x1b)}\[[0-9;?]*[ -/]*[@-~]`;

/** Matches every colour code and cursor movement in a text. */
export const COLOURS = new RegExp(ANSI, 'g');
