/** True if HEADWATER_LONG asks for the whole length. */
export const isLong: boolean;
/** The short count by default, the long one under `npm run test:long`. Titles of cases leave the count out. */
export function sized<Size>(short: Size, long: Size): Size;
