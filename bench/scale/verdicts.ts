import { positionOf, type Axis } from './cases.ts';
import type { YearLine } from '../year/compute-process.ts';

/** A case of an axis, and its measured figures. */
export interface ScalePoint {
  readonly at: number;
  readonly figures: Pick<YearLine, 'seconds' | 'cpuSeconds' | 'peakMib'>;
}

/** Returns the points of one axis, in the order of its cases. */
export function pointsOf(axis: Axis, figuresOf: (one: Axis['cases'][number]) => ScalePoint['figures']): ScalePoint[] {
  return axis.cases.map((one) => ({ at: positionOf(one, axis.name), figures: figuresOf(one) }));
}

/** A rule for an axis: a value that must be at most the limit. */
export interface Verdict {
  readonly rule: string;
  readonly value: number;
  readonly limit: number;
  readonly isMet: boolean;
}

/** Largest allowed ratio: the largest peak memory, divided by the peak memory with the fewest dates. */
const MEMORY_LIMIT = 1.1;
/** Limit of the exponent of processor time over size: 1 is linear growth, and 0.15 is allowed for noise. */
const EXPONENT_LIMIT = 1.15;

/** Checks that time grows linearly with pixels and dates, and that memory does not depend on the dates. */
export function verdictsOf(axes: ReadonlyMap<string, readonly ScalePoint[]>): readonly Verdict[] {
  const linear = ['pixels', 'dates'].flatMap((name) => {
    const points = axes.get(name);
    return points === undefined
      ? []
      : [verdict(`exponent of processor time over ${name}`, exponentOf(points), EXPONENT_LIMIT)];
  });
  const dates = axes.get('dates');
  if (dates === undefined) return linear;
  const peaks = dates.map(({ figures }) => figures.peakMib ?? Number.NaN);
  const growth = Math.max(...peaks) / (peaks[0] ?? Number.NaN);
  return [...linear, verdict('largest peak memory over the peak memory with the fewest dates', growth, MEMORY_LIMIT)];
}

const verdict = (rule: string, value: number, limit: number): Verdict => {
  return { rule, value, limit, isMet: value <= limit };
};

/** Slope between the last two points on logarithmic axes. */
function exponentOf(points: readonly ScalePoint[]): number {
  const [one, other] = points.slice(-2);
  if (one === undefined || other === undefined) return Number.NaN;
  return Math.log(other.figures.cpuSeconds / one.figures.cpuSeconds) / Math.log(other.at / one.at);
}
