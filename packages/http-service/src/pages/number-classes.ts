// `@headwater/http-service/number-classes`: classes of the numbers on a map, for pages of the server and for the map in
// a browser.

/** Colours from low to high, safe for people with colour blindness. */
const RAMP = ['#ffffcc', '#a1dab4', '#41b6c4', '#2c7fb8', '#253494'] as const;

/** A class of numbers on a map. */
export interface NumberClass {
  readonly from: number;
  /** Upper limit: exclusive, but inclusive in the last class. */
  readonly to: number;
  readonly color: string;
}

/** At most five classes with about equally many values. Empty without values. */
export function classesOf(values: readonly number[]): readonly NumberClass[] {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  const [least] = sorted;
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return [];
  const limits = RAMP.map((_, index) => sorted[Math.floor((index * sorted.length) / RAMP.length)]!);
  const starts = [...new Set(limits)];
  return starts.map((from, index) => ({
    from,
    to: starts[index + 1] ?? most,
    color: RAMP[starts.length === 1 ? 2 : Math.round((index * (RAMP.length - 1)) / (starts.length - 1))]!,
  }));
}

/** Class of a value; undefined if the value is not a number, or is below all classes. */
export function classOf(classes: readonly NumberClass[], value: unknown): NumberClass | undefined {
  return typeof value === 'number' ? classes.findLast(({ from }) => value >= from) : undefined;
}

/** Number with at most three decimals; large numbers have fewer. */
export function numberText(value: number): string {
  const digits = Math.max(0, Math.min(3, 3 - Math.floor(Math.log10(Math.abs(value) || 1))));
  return value.toLocaleString('en', { maximumFractionDigits: digits, useGrouping: false });
}
