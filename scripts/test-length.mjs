// Length of tests that repeat one case many times: fuzzing, properties, many runs. HEADWATER_LONG=on (`npm run test:long`) asks for the whole.

const OFF = ['', '0', 'off'];

/** True if HEADWATER_LONG asks for the whole length. */
export const isLong = !OFF.includes((process.env.HEADWATER_LONG ?? '').toLowerCase());

/** The short count by default, the long one under `npm run test:long`. Titles of cases leave the count out. */
export const sized = (short, long) => (isLong ? long : short);
