import { markedBlock, parseMarkers } from '@headwater/orchestrator-client';
import { runContest, seconds } from '../contest.ts';
import { isWanted } from '../options.ts';
import type { BenchResult } from '../table.ts';
import type { RowContext, RowGroup } from './context.ts';

const NAMES = ['marker_parser', 'marker_parser_block'] as const;
const PIECE = 65_536;
const LINES = 100_000;
const ITEMS = 400;

/** Extracts the marked result from the output of a container. The peer is JSON.parse of equally many bytes. */
export const markerRows: RowGroup = { names: NAMES, run };

async function run({ options, checks }: RowContext): Promise<BenchResult[]> {
  const block = markedBlock({ status: 'success', stac_items: Array.from({ length: ITEMS }, (_none, at) => item(at)) });
  const noise = Array.from({ length: LINES }, (_none, at) => line(at)).join('\n');
  const outputs = { marker_parser: `${noise}\n${block}${noise}\n`, marker_parser_block: block };
  const results: BenchResult[] = [];
  for (const name of NAMES.filter((each) => isWanted(each, options))) {
    const pieces = [...cut(outputs[name])];
    const megabytes = outputs[name].length / 1e6;
    const json = resultsOf(outputs[name].length);
    const speed = async (work: () => unknown): Promise<number> =>
      megabytes / (await seconds(async () => void (await work())));
    checks.equal(`${name}, kind`, (await parseMarkers(pieces)).kind, 'result');
    results.push(
      ...(await runContest({
        name,
        unit: 'MB/s',
        better: 'more',
        // If the whole output is a result, there is no limit. Our parser then also calls JSON.parse on the whole
        // output, so our parser cannot be faster than the peer.
        bar: name === 'marker_parser' ? 1 : null,
        rounds: options.rounds,
        ours: () => speed(() => parseMarkers(pieces)),
        peers: [{ name: 'JSON.parse of as many bytes', round: () => speed(() => JSON.parse(json)) }],
      })),
    );
  }
  return results;
}

function* cut(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

function resultsOf(length: number): string {
  const one = JSON.stringify(item(1));
  return `[${Array.from({ length: Math.max(1, Math.floor(length / (one.length + 1))) }, () => one).join(',')}]`;
}

const line = (at: number): string =>
  `[2026-11-22T03:22:52.${String(at % 1000).padStart(3, '0')}+0000] {subprocess.py:106} INFO - ${at}: 55 scenes gave values === of 58`;

const item = (at: number) => ({
  type: 'Feature',
  id: `state_district_block_land_use_land_cover_raster_${at}`,
  bbox: [78.5 + at / 1000, 17.48, 78.53, 17.51],
  properties: { title: 'Land cover "of" a tehsil', description: 'One raster per hydrological year. '.repeat(20), at },
  assets: Object.fromEntries(
    ['data', 'style', 'thumbnail'].map((name) => [name, { href: `http://h.test/${at}/${name}`, size: at }]),
  ),
});
