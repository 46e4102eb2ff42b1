// Length of tests that repeat one case many times (fuzzing, properties, many runs). HEADWATER_LONG=on (`npm run test:long`) runs all
// repetitions.

const OFF = ['', '0', 'off'];

/** True if HEADWATER_LONG is set: tests run all repetitions. */
export const isLong = !OFF.includes((process.env.HEADWATER_LONG ?? '').toLowerCase());

/** Returns `short` by default, `long` under `npm run test:long`. Test titles must not contain the count. */
export const sized = (short, long) => (isLong ? long : short);
