/** Planes of one step of a pane: one plane for each index, and the planes of its days until their medians are computed. */
interface StepPlanes {
  readonly step: number;
  /** Number of indices. */
  readonly kept: number;
  /** Number of days with a clear pixel. */
  readonly days: number;
}

/** Order of the steps of a pane, and the number of planes that it needs. */
export interface StepOrder {
  /** Steps in the order in which they are computed. */
  readonly order: readonly number[];
  /** Greatest number of planes that have values at the same time. */
  readonly planes: number;
}

/**
 * Orders the steps. In this order, the days of a step use the planes of later steps as far as possible. A step with
 * many days frees many planes when its medians are computed. Steps with the most days come first, because the fewest
 * planes are full then.
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
