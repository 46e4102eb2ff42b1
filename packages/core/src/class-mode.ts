/**
 * Returns the most frequent class of a pixel; of equally frequent classes, the lowest. Counts the years `from` to
 * `to` (excluded) of `labels`. Returns 0 only if the class is unknown in all these years. Overwrites `counts`, which
 * has an element for each code.
 */
export function modeOf(labels: Uint8Array, [from, to]: readonly [number, number], counts: Uint8Array): number {
  counts.fill(0);
  for (let year = from; year < to; year += 1) counts[labels[year]!]! += 1;
  let mode = 0;
  let most = 0;
  for (let code = 1; code < counts.length; code += 1) {
    if (counts[code]! <= most) continue;
    most = counts[code]!;
    mode = code;
  }
  return mode;
}
