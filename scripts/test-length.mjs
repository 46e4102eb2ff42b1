// Number of repetitions of a test. HEADWATER_LONG=on (`npm run test:long`) runs all repetitions.

const OFF = ['', '0', 'off'];

/** True if HEADWATER_LONG has a value other than `0` and `off`: tests run all repetitions. */
export const isLong = !OFF.includes((process.env.HEADWATER_LONG ?? '').toLowerCase());

/** Returns `long` under `npm run test:long`, otherwise `short`. Titles must not contain the number. */
export const sized = (short, long) => (isLong ? long : short);
