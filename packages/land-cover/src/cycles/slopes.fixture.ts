/** `rises` and `falls` of `SeriesCoverage` for the steps `first` to `last` of a series. */
export function slopesOf(values: ArrayLike<number>, first: number, last: number): { rises: number; falls: number } {
  let [rises, falls] = [0, 0];
  for (let s = first; s < last; s++) {
    const change = (values[s + 1] ?? Number.NaN) - (values[s] ?? Number.NaN);
    if (change > 0) rises |= 1 << s;
    if (change < 0) falls |= 1 << s;
  }
  return { rises, falls };
}
