/** Two-sided 5 % quantile of the normal distribution. */
const SIGNIFICANT = 1.959963984540054;

/**
 * Trend of yearly values: `1` a significant rise, `-1` a significant fall, `0` neither. Mann-Kendall test at 5 %,
 * two-sided, with corrections for continuity and ties (Mann 1945, 10.2307/1907187; Kendall 1975, Rank Correlation
 * Methods).
 */
export function trendOf(values: readonly (number | null)[]): '1' | '0' | '-1' {
  const known = values.filter((value) => value !== null);
  const score = scoreOf(known);
  const deviation = Math.sqrt(varianceOf(known));
  if (score === 0 || deviation === 0) return '0';
  if ((Math.abs(score) - 1) / deviation <= SIGNIFICANT) return '0';
  return score > 0 ? '1' : '-1';
}

function scoreOf(values: readonly number[]): number {
  let score = 0;
  for (const [i, before] of values.entries())
    for (const after of values.slice(i + 1)) score += Math.sign(after - before);
  return score;
}

function varianceOf(values: readonly number[]): number {
  const ties = new Map<number, number>();
  for (const value of values) ties.set(value, (ties.get(value) ?? 0) + 1);
  const part = (n: number): number => n * (n - 1) * (2 * n + 5);
  const tied = [...ties.values()].reduce((sum, count) => sum + part(count), 0);
  return (part(values.length) - tied) / 18;
}
