import { plotsSvg, shown } from '../plots.ts';

/** Values of one quantity over time. */
export interface Series {
  /** Quantity and unit, such as `service: resident memory, MB`. */
  readonly name: string;
  /** Largest allowed growth after the warm-up, in the unit of the series. */
  readonly bar: number;
  /** Time (s) and value of each sample. */
  readonly points: readonly (readonly [number, number])[];
}

/** A series with its growth after the warm-up; `isFlat` is true if the growth is within the limit. */
export interface Verdict extends Series {
  readonly growth: number;
  readonly isFlat: boolean;
}

/**
 * Number of groups of samples. Only the lowest sample of a group counts: before a garbage collection, the memory also
 * contains unused objects.
 */
const GROUPS = 24;

/** Computes the growth after the time `from` (s) from the median slope (Theil-Sen) of the lowest values. */
export function judge(series: Series, from: number): Verdict {
  const end = series.points.at(-1)?.[0] ?? 0;
  const lows = lowest(
    series.points.filter(([at]) => at >= from),
    (end - from) / GROUPS,
  );
  const slopes = lows.flatMap(([a, low], i) => lows.slice(i + 1).map(([b, high]) => (high - low) / (b - a)));
  const growth = (median(slopes) ?? 0) * (end - from);
  return { ...series, growth, isFlat: growth <= series.bar };
}

function lowest(points: Series['points'], width: number): [number, number][] {
  const groups = new Map<number, [number, number]>();
  for (const [at, value] of points) {
    const group = Math.floor(at / width);
    const low = groups.get(group);
    if (low === undefined || value < low[1]) groups.set(group, [at, value]);
  }
  return [...groups.values()];
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Returns an SVG with one plot per series; the warm-up until `from` (s) is grey. */
export function plots(verdicts: readonly Verdict[], title: string, from: number): string {
  return plotsSvg(
    title,
    verdicts.map(({ name, points, growth, isFlat }) => ({
      title: `${name} (${growth < 0 ? '' : '+'}${shown(growth)}${isFlat ? '' : ', grows'})`,
      points,
      end: `${((points.at(-1)?.[0] ?? 1) / 60).toFixed(1)} min`,
      greyUntil: from,
      hasFailed: !isFlat,
    })),
  );
}
