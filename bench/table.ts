/** One measured comparison. A `ratio` above 1 means that our result is better. */
export interface BenchResult {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly peer: number | null;
  readonly peerName: string | null;
  readonly ratio: number | null;
  /** The peer's processor time divided by ours; null if a time is unknown or too short. */
  readonly cpuRatio: number | null;
  /** Limit of the row: the lowest ratio or, if `ceiling` is true, the greatest value that passes. Null for no limit. */
  readonly bar: number | null;
  readonly ceiling: boolean;
  /** True if the result is within the limit; null if there is no limit, or no peer for a ratio. */
  readonly pass: boolean | null;
  /** Smallest and largest result of each side. */
  readonly spread: string;
}

/** Results of the rounds of both sides, and the rule of their comparison. */
export interface Rounds {
  readonly name: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  readonly bar: number | null;
  /** If true, `bar` is the greatest value of our side that passes, in the row's unit. */
  readonly ceiling?: true;
  readonly ours: readonly number[];
  readonly peer: { readonly name: string; readonly rounds: readonly number[] } | undefined;
  /** Processor times of the rounds, s. */
  readonly cpu?: Readonly<Record<'ours' | 'peer', readonly number[]>>;
}

/** Returns the median; throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('the list is empty, so it has no median');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Computes medians, ratio and verdict of one row. */
export function judge({ name, unit, better, bar, ceiling, ours: mine, peer: theirs, cpu }: Rounds): BenchResult {
  const ours = median(mine);
  const peer = theirs === undefined ? null : median(theirs.rounds);
  const ratio = peer === null ? null : better === 'more' ? ours / peer : peer / ours;
  const pass = bar === null ? null : ceiling ? ours <= bar : ratio === null ? null : ratio >= bar;
  return {
    name,
    unit,
    ours,
    peer,
    peerName: theirs?.name ?? null,
    ratio,
    cpuRatio: cpu === undefined ? null : cpuRatioOf(cpu),
    bar,
    ceiling: ceiling === true,
    pass,
    spread: [mine, theirs?.rounds ?? []]
      .filter((values) => values.length > 0)
      .map(spreadOf)
      .join(' | '),
  };
}

/**
 * Shortest processor time that is compared, s. Shorter times are inexact, because the system counts hundredths of a
 * second.
 */
const LEAST_CPU = 0.02;

/** Compares means. Medians would jump, because the system counts only whole hundredths of a second. */
function cpuRatioOf({ ours, peer }: NonNullable<Rounds['cpu']>): number | null {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
  const [mine, theirs] = [mean(ours), mean(peer)];
  return mine < LEAST_CPU || theirs < LEAST_CPU ? null : theirs / mine;
}

/** Returns the names of rows whose limit is a ratio and whose peer is absent; all `names` if the group was skipped. */
export function absentPeers(rows: readonly BenchResult[], names: readonly string[]): readonly string[] {
  if (rows.length === 0) return names;
  return rows.filter(({ bar, ceiling, peer }) => bar !== null && !ceiling && peer === null).map(({ name }) => name);
}

const spreadOf = (values: readonly number[]): string =>
  `${figure(Math.min(...values))}..${figure(Math.max(...values))}`;

const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

const COLUMNS = [
  'name',
  'unit',
  'ours',
  'peer',
  'ratio',
  'cpu ratio',
  'bar',
  'pass',
  'spread of ours | peer',
  'peer name',
];

/** Formats results as a text table. */
export function formatTable(results: readonly BenchResult[]): string {
  const rows = results.map((result) => [
    result.name,
    result.unit,
    figure(result.ours),
    result.peer === null ? '-' : figure(result.peer),
    result.ratio === null ? '-' : result.ratio.toFixed(2),
    result.cpuRatio === null ? '-' : result.cpuRatio.toFixed(2),
    result.bar === null ? '-' : `${result.ceiling ? '<= ' : ''}${result.bar}`,
    result.pass === null ? '-' : result.pass ? 'yes' : 'NO',
    result.spread,
    result.peerName ?? '-',
  ]);
  const widths = COLUMNS.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Returns results in the format of `--json`, with 4 decimals. */
export function jsonRows(results: readonly BenchResult[]): readonly Readonly<Record<string, unknown>>[] {
  const short = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(4)));
  return results.map(({ name, unit, ours, peer, peerName, ratio, bar, pass }) => {
    return { name, unit, ours: short(ours), peer: short(peer), peerName, ratio: short(ratio), bar, pass };
  });
}
