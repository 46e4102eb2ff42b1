import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peerEnvironment } from '../../scripts/peers.mjs';
import { runContest } from '../contest.ts';
import type { PeerSide } from '../contest.ts';
import { sceneFolder } from '../inputs.ts';
import { isWanted } from '../options.ts';
import { peers } from '../peer.ts';
import type { PeerLine } from '../peer.ts';
import { judge } from '../table.ts';
import type { BenchResult } from '../table.ts';
import { startCompute, type YearLine } from '../year/compute-process.ts';
import type { RowContext, RowGroup } from './context.ts';
import { THREADS } from './context.ts';

const BAR = 0.6;
/** Lowest allowed ratio of the peer's peak memory to ours. */
const MEMORY_BAR = 1.67;

/** Computes the class COG and class areas of a year. Our side also writes PNG, styles and Items. */
export const tehsilYearRows: RowGroup = { names: ['tehsil_year', 'tehsil_year_peak_rss'], run };

async function run({ options }: RowContext): Promise<BenchResult[]> {
  const scenes = sceneFolder(options.quick);
  if (scenes === undefined) return [];
  const [ourPeaks, peerPeaks]: [number[], number[]] = [[], []];
  const compute = await startCompute(scenes, THREADS);
  const timings: YearLine['timings'][] = [];
  const ours = async (): Promise<number> => {
    const line = await compute.round();
    if (line.peakMib !== null) ourPeaks.push(line.peakMib);
    timings.push(line.timings);
    return line.seconds;
  };
  try {
    const contest = { name: 'tehsil_year', unit: 's', better: 'less', bar: BAR, rounds: options.rounds } as const;
    const rows = await runContest({ ...contest, ours, peers: yearPeer(scenes, peerPeaks) });
    console.log(`tehsil_year, our steps in s (last round): ${JSON.stringify(timings.at(-1))}`);
    const results = [...rows, ...peakRow(ourPeaks.slice(1), peerPeaks.slice(1))];
    return results.filter(({ name }) => isWanted(name, options));
  } finally {
    compute.close();
  }
}

function peakRow(ours: readonly number[], theirs: readonly number[]): BenchResult[] {
  if (ours.length === 0) {
    console.log('tehsil_year_peak_rss skipped: this system has no /proc/self/status');
    return [];
  }
  const peer = theirs.length === 0 ? undefined : { name: 'tehsil_year_peak_rss', rounds: theirs };
  const row = { name: 'tehsil_year_peak_rss', unit: 'MiB', better: 'less', bar: MEMORY_BAR } as const;
  return [judge({ ...row, ours, peer })];
}

// The peer has no option --serve, so each round starts the peer again.
function yearPeer(scenes: string, peaks: number[]): PeerSide[] {
  const where = peers();
  if ('reason' in where) {
    console.log(`peer tehsil_year.py skipped: ${where.reason}`);
    return [];
  }
  const args = [
    scenes,
    '--polygons',
    join(scenes, 'polygons.geojson'),
    '--threads',
    String(THREADS),
    '--json',
    '--rounds',
    '1',
  ];
  const round = async (): Promise<number> => {
    const options = { env: peerEnvironment(), maxBuffer: 1 << 24 };
    const { stdout } = await promisify(execFile)(
      where.python,
      [join(where.folder, 'tehsil_year.py'), ...args],
      options,
    );
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as PeerLine);
    const valueOf = (name: string): number => lines.find((line) => line.name === name)?.value ?? Number.NaN;
    peaks.push(valueOf('tehsil_year_peak_rss'));
    return valueOf('tehsil_year_s');
  };
  // Without `cpu`, because the processor time of the peer's process includes its start and its warm-up.
  return [{ name: 'tehsil_year.py', round }];
}
