/** One measured comparison. `ratio` > 1 = ours is better, whatever the unit. */
export interface BenchResult {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number | null;
  readonly peerName: string | null;
  readonly ratio: number | null;
  /** Least ratio that passes (or greatest value for `ceiling` rows); null = shown only. */
  readonly bar: number | null;
  readonly pass: boolean | null;
  readonly spread: string;
}

/** Median of at least one number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

const COLUMNS = ['name', 'unit', 'ours', 'peer', 'ratio', 'bar', 'pass', 'spread of ours | peer', 'peer name'];

/** Text table of results. */
export function formatTable(results: readonly BenchResult[]): string {
  const rows = results.map((result) => [
    result.name,
    result.unit,
    figure(result.ours),
    result.peer == null ? '-' : figure(result.peer),
    result.ratio == null ? '-' : result.ratio.toFixed(2),
    result.bar == null ? '-' : String(result.bar),
    result.pass == null ? '-' : result.pass ? 'yes' : 'NO',
    result.spread,
    result.peerName ?? '-',
  ]);
  const widths = COLUMNS.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string => cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd();
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
