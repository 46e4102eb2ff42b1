/**
 * Comparators (low row, high row) that bring the two middle rows of `n` into place: Batcher's merge exchange (Knuth, TAOCP 3,
 * algorithm 5.2.2 M) without those on which the middle does not depend.
 */
export function medianPairs(n: number): readonly (readonly [number, number])[] {
  const all: [number, number][] = [];
  const top = 1 << (Math.ceil(Math.log2(Math.max(n, 2))) - 1);
  for (let p = top; p > 0; p >>= 1) {
    for (let q = top, r = 0, d = p; ; d = q - p, q >>= 1, r = p) {
      for (let i = 0; i < n - d; i++) if ((i & p) === r) all.push([i, i + d]);
      if (q === p) break;
    }
  }
  const needed = new Set([Math.max((n >> 1) - 1, 0), n >> 1]);
  const kept: [number, number][] = [];
  for (const [a, b] of all.toReversed()) {
    if (!needed.has(a) && !needed.has(b)) continue;
    needed.add(a).add(b);
    kept.push([a, b]);
  }
  return kept.toReversed();
}
