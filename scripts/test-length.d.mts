/** True if HEADWATER_LONG has a value other than `0` and `off`: tests run all repetitions. */
export const isLong: boolean;
/** Returns `long` under `npm run test:long`, otherwise `short`. Titles must not contain the number. */
export function sized<Size>(short: Size, long: Size): Size;
