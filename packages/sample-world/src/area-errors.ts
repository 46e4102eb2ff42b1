/** True and mapped area of one class in one zone, ha. */
export interface ClassArea {
  readonly zone: string;
  readonly code: number;
  readonly trueHa: number;
  readonly mappedHa: number;
}

/** Errors of mapped areas, as shares of the true area. */
export interface AreaErrors {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  /** The five areas with the largest errors, largest first. */
  readonly worst: readonly ClassArea[];
}

/** Relative errors of class areas with a true area above `minHa`; NaN if there is no such area. */
export function areaErrors(areas: readonly ClassArea[], minHa: number): AreaErrors {
  const sorted = areas.filter(({ trueHa }) => trueHa > minHa).sort((a, b) => error(a) - error(b));
  const errors = sorted.map(error);
  return {
    count: errors.length,
    median: percentile(errors, 0.5),
    p95: percentile(errors, 0.95),
    worst: sorted.slice(-5).toReversed(),
  };
}

function error({ trueHa, mappedHa }: ClassArea): number {
  return Math.abs(mappedHa - trueHa) / trueHa;
}

/** Percentile of ascending values, interpolated as in NumPy; NaN without values. */
export function percentile(ascending: readonly number[], share: number): number {
  const position = share * (ascending.length - 1);
  const low = ascending[Math.floor(position)] ?? Number.NaN;
  const high = ascending[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}
