/**
 * Step of a pane (part of the grid in memory) and the numbers that determine how many planes (one value per pixel) the
 * step needs. The composites need one plane for each index. Until the medians are computed, the step needs one plane
 * for each index and day.
 */
interface StepPlanes {
  readonly step: number;
  /** Number of indices. */
  readonly kept: number;
  /** Number of days with a clear pixel. */
  readonly days: number;
}

/** Order of the steps of a pane, and the number of planes that are needed for this order. */
export interface StepOrder {
  /** Steps in the order in which they are computed. */
  readonly order: readonly number[];
  /** Greatest number of planes that have values at the same time. */
  readonly planes: number;
}

/**
 * Orders the steps so that the values of the days of a step are mostly stored in the planes of later steps. Steps whose
 * days need the most additional planes come first, because at that time the fewest planes contain composites. The
 * additional planes are free again when the medians of the step are computed.
 */
export function stepOrder(steps: readonly StepPlanes[]): StepOrder {
  const waiting = ({ kept, days }: StepPlanes): number => kept * Math.max(1, days);
  const sorted = steps.filter(({ kept }) => kept > 0).toSorted((a, b) => waiting(b) - b.kept - (waiting(a) - a.kept));
  let [full, planes] = [0, 0];
  for (const step of sorted) {
    planes = Math.max(planes, full + waiting(step));
    full += step.kept;
  }
  return { order: sorted.map(({ step }) => step), planes };
}
