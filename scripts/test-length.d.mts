/** True if HEADWATER_LONG is set. Tests then run all repetitions. */
export const isLong: boolean;
/** Returns `short` by default, `long` under `npm run test:long`. Test titles must not contain the count. */
export function sized<Size>(short: Size, long: Size): Size;
