import { ownCpu } from './cpu.ts';
import { judge, median } from './table.ts';
import type { BenchResult } from './table.ts';

/** One side of a comparison: our code, or a peer (a comparable program). `round` returns one measurement. */
export interface Side {
  readonly name: string;
  readonly round: () => Promise<number>;
  /** Processor time of the side so far, s; null if unknown. */
  readonly cpu?: () => number | null;
}

/** A peer. If `rule` is false, the peer uses another method, and has a separate row in the printed table. */
export interface PeerSide extends Side {
  readonly rule?: false;
  /** Suffix of the peer's separate row, `{contest}_vs_{label}`; required if `rule` is false. */
  readonly label?: string;
  /** Lowest ratio that passes in the peer's separate row. */
  readonly bar?: number;
}

/** A comparison of our code with peers that do the same work. */
export interface Contest {
  readonly name: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** Lowest `ratio` (see `BenchResult`) that passes; null if there is no limit. */
  readonly bar: number | null;
  readonly rounds: number;
  /**
   * If true, each side runs an uncounted round before each counted round, because a side that was idle is slow at
   * first. Default: false.
   */
  readonly warm?: boolean;
  readonly ours: () => Promise<number>;
  /** Processor time of our side so far, s; default: the processor time of this process. */
  readonly cpu?: () => number | null;
  readonly peers: readonly PeerSide[];
}

/** Measures all sides. Their order alternates, so that other work on the machine affects all sides equally. */
async function measure(
  sides: readonly Side[],
  { rounds, warm = false }: Pick<Contest, 'rounds' | 'warm'>,
): Promise<Map<string, Figures>> {
  const figures = new Map(sides.map(({ name }): [string, Figures] => [name, { values: [], cpu: [] }]));
  for (const side of sides) await side.round();
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      if (warm) await side.round();
      const before = side.cpu?.() ?? null;
      const { values, cpu } = figures.get(side.name)!;
      values.push(await side.round());
      const after = side.cpu?.() ?? null;
      if (before !== null && after !== null) cpu.push(after - before);
    }
  }
  return figures;
}

interface Figures {
  readonly values: number[];
  readonly cpu: number[];
}

/** Unit of contests about pixels: million pixels per second. */
export const PIXELS = { unit: 'Mpix/s', better: 'more', warm: true } as const;

/**
 * Runs a contest. The first row compares our side with the fastest peer that uses our method. Each other peer with
 * a label has a separate row.
 */
export async function runContest(contest: Contest): Promise<BenchResult[]> {
  const { name, unit, better, bar, peers, cpu = ownCpu } = contest;
  const figures = await measure([{ name: 'ours', round: contest.ours, cpu }, ...peers], contest);
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

/** Returns the duration of `work`, s. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Returns the processor time of `work`, s. `work` must run only in this process. */
export async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Repeats `work` during one second, because otherwise the first rounds would run code that Node has not optimised. */
export async function warmUp(work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 1000;
  while (performance.now() < end) await work();
}
