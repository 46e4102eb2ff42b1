/**
 * Step of a pane. Until its medians are computed, it needs a plane for each index and day; afterwards, one plane for
 * each index.
 */
interface StepPlanes {
  readonly step: number;
  readonly kept: number;
  /** Number of days with a clear pixel; for an estimate, of all days with a scene. */
  readonly days: number;
}

/** Order of the steps of a pane, and the number of planes that the order needs. */
export interface StepOrder {
  /** Steps in the order of their computation. */
  readonly order: readonly number[];
  /** Greatest number of planes that have values at the same time. */
  readonly planes: number;
}

/** Sorts the steps by the number of additional planes, largest first, because most planes are free at the beginning. */
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
