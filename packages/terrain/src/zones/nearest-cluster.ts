/** Index of the centre with the least squared distance to `point`; the first of equals, -1 when there are none. */
export function nearestCluster(point: readonly number[], centres: readonly (readonly number[])[]): number {
  let best = -1;
  let least = Infinity;
  for (const [index, centre] of centres.entries()) {
    const distance = centre.reduce((sum, value, axis) => sum + (value - (point[axis] ?? 0)) ** 2, 0);
    if (distance >= least) continue;
    least = distance;
    best = index;
  }
  return best;
}
