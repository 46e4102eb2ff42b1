// Writes the AssemblyScript of the medians: one straight-line sorting network per number of dates, with the values in registers.
import { medianPairs } from '../src/pixels/median-kernel.ts';

const LARGEST = 16;

function medianFunction(n) {
  const m = n >> 1;
  const lines = [`function median${n}(src: usize, stride: usize, dst: usize, count: i32): void {`];
  lines.push('  const none = i16x8.splat(-32768);', '  const top = i16x8.splat(32767);');
  lines.push('  for (let i = 0; i < count; i += 8) {', '    let at = src + (<usize>i << 1);');
  lines.push(
    '    let odd = i16x8.splat(0);',
    '    let all = i16x8.splat(-1);',
    '    let bad = odd;',
    '    let low = odd;',
  );
  for (let k = 0; k < n; k++) {
    lines.push(`    let v${k} = v128.load(at);`, `    bad = i16x8.eq(v${k}, none);`);
    lines.push(
      `    v${k} = v128.bitselect(top, v${k}, v128.andnot(bad, odd));`,
      '    odd = v128.xor(odd, bad);',
      '    all = v128.and(all, bad);',
    );
    if (k < n - 1) lines.push('    at += stride;');
  }
  for (const [a, b] of medianPairs(n)) {
    lines.push(`    low = i16x8.min_s(v${a}, v${b});`, `    v${b} = i16x8.max_s(v${a}, v${b});`, `    v${a} = low;`);
  }
  lines.push(...middle(n, m));
  lines.push('    const mean = i16x8.add(v128.and(a, b), i16x8.shr_s(v128.xor(a, b), 1));');
  lines.push('    const v = v128.bitselect(none, mean, all);');
  lines.push(
    '    if (count - i >= 8) v128.store(dst + (<usize>i << 1), v);',
    '    else storeTail(dst + (<usize>i << 1), v, count - i);',
  );
  lines.push('  }', '}');
  return lines.join('\n');
}

/**
 * Lines that select the two middle values, `a` and `b`. A pixel with an odd number of missing values (`odd`) has one more filler above than
 * below, so that the middle of all rows is half a row above the middle of the valid rows.
 */
function middle(n, m) {
  if (n % 2 === 0) return [`    const a = v${m - 1};`, `    const b = v128.bitselect(v${m - 1}, v${m}, odd);`];
  return [`    const b = v${m};`, `    const a = v128.bitselect(v${m - 1}, v${m}, odd);`];
}

/** Source text of the module `median.ts`. */
export function medianSource() {
  const sizes = Array.from({ length: LARGEST - 1 }, (_, i) => i + 2);
  return [
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
