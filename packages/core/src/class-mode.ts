/**
 * Most frequent class of a pixel among years `from` to before `to`; class 0 (nothing known) only where there is no other, of equals the
 * lowest code. `counts` is scratch space, an entry for each code that there may be.
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
