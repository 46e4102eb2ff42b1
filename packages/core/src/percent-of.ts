/** Share of a part in percent, to four decimals as in Items; 0 if the whole is 0. */
export const percentOf = (part: number, all: number): number => (all === 0 ? 0 : Math.round((1e6 * part) / all) / 1e4);
