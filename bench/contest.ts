import { ownCpu } from './cpu.ts';
import { judge, median } from './table.ts';
import type { BenchResult } from './table.ts';

/**
 * One side of a comparison: our code, or a peer (a comparable program). `round` returns one measurement in the unit of
 * the comparison.
 */
export interface Side {
  readonly name: string;
  readonly round: () => Promise<number>;
  /** Processor time that the side has used so far, s; null if it is unknown. */
  readonly cpu?: () => number | null;
}

/**
 * A peer. `rule: false` marks a peer that computes by another rule than our code, or a peer that is shown only because
 * many people use it. Such a peer gets a separate row of the printed table, and is never in the first row.
 */
export interface PeerSide extends Side {
  readonly rule?: false;
  /** Suffix of the peer's own row, `{contest}_vs_{label}`; required if `rule` is false. */
  readonly label?: string;
  /** Lowest ratio that passes in the peer's own row; default: no limit. */
  readonly bar?: number;
}

/** A comparison of our code with peers that do the same work. */
export interface Contest {
  readonly name: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** Lowest ratio that passes; null if there is no limit. */
  readonly bar: number | null;
  readonly rounds: number;
  readonly ours: () => Promise<number>;
  /** Processor time of our side so far, s; default: the processor time of this process. */
  readonly cpu?: () => number | null;
  readonly peers: readonly PeerSide[];
}

/**
 * Runs one uncounted round of each side, and then the counted rounds. Each round runs all sides, in the reverse order
 * of the previous round, so that other work on the machine affects all sides equally.
 */
async function measure(sides: readonly Side[], rounds: number): Promise<Map<string, Figures>> {
  const figures = new Map(sides.map(({ name }): [string, Figures] => [name, { values: [], cpu: [] }]));
  for (const side of sides) await side.round();
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = side.cpu?.() ?? null;
      const { values, cpu } = figures.get(side.name)!;
      values.push(await side.round());
      const after = side.cpu?.() ?? null;
      if (before !== null && after !== null) cpu.push(after - before);
    }
  }
  return figures;
}

/** Results of the rounds of a side, and their processor times in seconds. */
interface Figures {
  readonly values: number[];
  readonly cpu: number[];
}

/** Unit of contests about pixels: million pixels per second. */
export const PIXELS = { unit: 'Mpix/s', better: 'more' } as const;

/**
 * Runs a contest. The first row compares our code with the fastest peer that uses the same rule. Each other peer with a label gets a
 * further row.
 */
export async function runContest(contest: Contest): Promise<BenchResult[]> {
  const { name, unit, better, bar, rounds, peers, cpu = ownCpu } = contest;
  const figures = await measure([{ name: 'ours', round: contest.ours, cpu }, ...peers], rounds);
  const of = (side: string): readonly number[] => figures.get(side)?.values ?? [];
  const cpuOf = (side: string): readonly number[] => figures.get(side)?.cpu ?? [];
  const sign = better === 'more' ? 1 : -1;
  const [fastest] = peers
    .filter(({ rule }) => rule !== false)
    .toSorted((a, b) => sign * (median(of(b.name)) - median(of(a.name))));
  const row = (title: string, peer: Side | undefined, limit: number | null): BenchResult =>
    judge({
      name: title,
      unit,
      better,
      bar: limit,
      ours: of('ours'),
      peer: peer && { name: peer.name, rounds: of(peer.name) },
      cpu: { ours: cpuOf('ours'), peer: cpuOf(peer?.name ?? '') },
    });
  const others = peers.filter((peer) => peer !== fastest && peer.label !== undefined);
  return [row(name, fastest, bar), ...others.map((peer) => row(`${name}_vs_${peer.label}`, peer, peer.bar ?? null))];
}

/** Returns the duration of `work` in seconds. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/**
 * Returns the processor time of `work` in seconds; `work` must run only in this process. Other work on the machine
 * changes the processor time less than it changes the duration.
 */
export async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/**
 * Repeats `work` for a second. Node optimises WebAssembly and JavaScript in the background, so without this repetition the first rounds
 * would run slow code. The peers need no such repetition, because numba compiles before its first round.
 */
export async function warmUp(work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 1000;
  while (performance.now() < end) await work();
}
