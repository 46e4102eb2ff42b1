// Writes the AssemblyScript of the medians: one sorting network without loops for each number of dates up to 16.
import { medianPairs, sortPairs } from '../src/pixels/median-kernel.ts';

const LARGEST = 16;

const SORTED = 8;

function medianFunction(n) {
  return [
    `function median${n}(src: usize, stride: usize, dst: usize, count: i32): void {`,
    '  const none = v128.load(LEAST);',
    '  for (let i = 0; i < count; i += 8) {',
    '    let at = src + (<usize>i << 1);',
    '    let low = none;',
    ...(n <= SORTED ? sorted(n) : filled(n)),
    '    const mean = i16x8.add(v128.and(a, b), i16x8.shr_s(v128.xor(a, b), 1));',
    n <= SORTED ? '    const v = mean;' : '    const v = v128.bitselect(none, mean, i16x8.eq(a, none));',
    '    if (count - i >= 8) v128.store(dst + (<usize>i << 1), v);',
    '    else storeTail(dst + (<usize>i << 1), v, count - i);',
    '  }',
    '}',
  ].join('\n');
}

const exchanges = (pairs) =>
  pairs.map(([a, b]) => `    low = i16x8.min_s(v${a}, v${b}); v${b} = i16x8.max_s(v${a}, v${b}); v${a} = low;`);

/**
 * Sorts all values and selects the two middle values `a` and `b`. Missing values are the smallest numbers, so each one
 * moves the middle up by half a row.
 */
function sorted(n) {
  const lines = [];
  for (let k = 0; k < n; k++) lines.push(`    let v${k} = v128.load(at);`, ...(k < n - 1 ? ['    at += stride;'] : []));
  lines.push(...exchanges(sortPairs(n)));
  let [low, high] = [(n - 1) >> 1, n >> 1];
  lines.push(`    let a = v${low};`, `    let b = v${high};`, '    let bad = none;');
  for (let missing = 1; missing < n; missing++) {
    lines.push(`    bad = i16x8.eq(v${missing - 1}, none);`);
    const name = low === high ? 'b' : 'a';
    if (low === high) high += 1;
    else low += 1;
    lines.push(`    ${name} = v128.bitselect(v${name === 'a' ? low : high}, ${name}, bad);`);
  }
  return lines;
}

/**
 * Replaces missing values alternately by the greatest and the smallest number, so that the middle of all rows is the
 * middle of the valid rows. `odd`: the number of missing values is odd.
 */
function filled(n) {
  const m = n >> 1;
  const lines = ['    let odd = i16x8.splat(0);', '    let bad = odd;'];
  for (let k = 0; k < n; k++) {
    lines.push(
      `    let v${k} = v128.load(at);`,
      `    bad = i16x8.eq(v${k}, none);`,
      // The inverted smallest number is the greatest number.
      `    v${k} = v128.xor(v${k}, v128.andnot(bad, odd));`,
      '    odd = v128.xor(odd, bad);',
      ...(k < n - 1 ? ['    at += stride;'] : []),
    );
  }
  lines.push(...exchanges(medianPairs(n)));
  const [even, other] =
    n % 2 === 0
      ? [`v${m - 1}`, `v128.bitselect(v${m - 1}, v${m}, odd)`]
      : [`v128.bitselect(v${m - 1}, v${m}, odd)`, `v${m}`];
  return [...lines, `    const a = ${even};`, `    const b = ${other};`];
}

/** Returns the source text of the module `median.ts`. */
export function medianSource() {
  const sizes = Array.from({ length: LARGEST - 1 }, (_, i) => i + 2);
  return [
    "import { LEAST } from './constants';",
    "import { storeTail } from './tail';",
    ...sizes.map(medianFunction),
    '/** Median of `n` <= 16 planes that are `stride` bytes apart; -32768 = nodata. False if n is not 2..16. */',
    'export function median(n: i32, src: usize, stride: usize, dst: usize, count: i32): bool {',
    '  switch (n) {',
    ...sizes.map((n) => `    case ${n}: median${n}(src, stride, dst, count); return true;`),
    '    default: return false;',
    '  }',
    '}',
    '',
  ].join('\n');
}
