/** Regular expression of a colour code or cursor movement of a terminal. */
export const ANSI = String.raw`${String.fromCodePoint(0x1b)}\[[0-9;?]*[ -/]*[@-~]`;

/** Matches colour codes and cursor movements. */
export const COLOURS = new RegExp(ANSI, 'g');
