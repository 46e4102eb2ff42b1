// Number of repetitions of tests that repeat one case (fuzzing, properties, many runs). With HEADWATER_LONG=on (`npm
// run test:long`) these tests run all repetitions.

const OFF = ['', '0', 'off'];

/** True if HEADWATER_LONG is set, not to `0` or `off`. Tests then run all repetitions. */
export const isLong = !OFF.includes((process.env.HEADWATER_LONG ?? '').toLowerCase());

/** Returns `long` under `npm run test:long`, otherwise `short`. Test titles must not contain the number. */
export const sized = (short, long) => (isLong ? long : short);
