// npm run bench:scale [-- --long --rounds 2 --only dates --json FILE --write --strict]: measures seconds and peak
// memory of a year of land cover. `--write` replaces the plots in docs/images/.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { plotsSvg, type Plot } from '../../e2e/plots.ts';
import { header } from '../header.ts';
import { BENCH_FOLDER } from '../inputs.ts';
import { startCompute } from '../year/compute-process.ts';
import { axesOf, type Axis, type AxisName, type ScaleCase } from './cases.ts';
import { writeScaleWorld } from './scenes.ts';
import { pointsOf, verdictsOf, type ScalePoint } from './verdicts.ts';

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '2' },
    only: { type: 'string' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
const SVG = resolve(import.meta.dirname, '..', '..', 'docs', 'images', 'scale.svg');
const UNITS: Readonly<Record<AxisName, string>> = {
  pixels: 'million pixels',
  dates: 'dates',
  tiles: 'tiles (from 4 on in two zones)',
  workers: 'worker threads',
};

async function measure(folder: string, one: ScaleCase): Promise<ScalePoint['figures']> {
  const scenes = await writeScaleWorld(folder, one);
  const compute = await startCompute(scenes, one.workers);
  const rounds: ScalePoint['figures'][] = [];
  try {
    for (let round = 0; round < Number(values.rounds); round++) rounds.push(await compute.round());
  } finally {
    compute.close();
  }
  const peaks = rounds.map(({ peakMib }) => peakMib ?? Number.NaN);
  const peak = Math.max(...peaks);
  return {
    seconds: Math.min(...rounds.map(({ seconds }) => seconds)),
    cpuSeconds: Math.min(...rounds.map(({ cpuSeconds }) => cpuSeconds)),
    peakMib: Number.isNaN(peak) ? null : peak,
  };
}

function tableOf(axes: readonly Axis[], figures: ReadonlyMap<string, ScalePoint['figures']>): string {
  const cases = new Map(axes.flatMap((axis) => axis.cases.map((one) => [JSON.stringify(one), one] as const)));
  const rows = [...cases].map(([key, { side, dates, tiles, workers }]) => {
    const { seconds = 0, cpuSeconds = 0, peakMib = null } = figures.get(key) ?? {};
    const rate = (side ** 2 * dates) / 1e6 / cpuSeconds;
    return [
      `${side} x ${side}`,
      dates,
      tiles,
      workers,
      seconds.toFixed(1),
      cpuSeconds.toFixed(1),
      rate.toFixed(0),
      peakMib?.toFixed(0) ?? '-',
    ];
  });
  const head = [
    'pixels',
    'dates',
    'tiles',
    'workers',
    'seconds',
    'processor seconds',
    'Mpix x dates a processor second',
    'peak MiB',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function plotsOf(points: ReadonlyMap<AxisName, readonly ScalePoint[]>): readonly Plot[] {
  return [...points].flatMap(([name, found]) => {
    const end = `${found.at(-1)?.at.toFixed(0)} ${UNITS[name]}`;
    const plot = (title: string, of: (point: ScalePoint) => number): Plot => {
      return {
        title: `${title} over ${name}`,
        end,
        hasDots: true,
        points: found.map((point) => [point.at, of(point)]),
      };
    };
    return [
      plot('processor seconds', ({ figures }) => figures.cpuSeconds),
      plot('peak memory, MiB,', ({ figures }) => figures.peakMib ?? 0),
    ];
  });
}

console.log(header());
const axes = axesOf(values).filter(({ name }) => values.only === undefined || values.only.split(',').includes(name));
if (axes.length === 0) throw new Error(`--only ${values.only}: use pixels, dates, tiles or workers`);
mkdirSync(BENCH_FOLDER, { recursive: true });
const folder = mkdtempSync(join(BENCH_FOLDER, 'scale-'));
const figures = new Map<string, ScalePoint['figures']>();
try {
  for (const one of axes.flatMap(({ cases }) => cases)) {
    const key = JSON.stringify(one);
    if (figures.has(key)) continue;
    const found = await measure(folder, one);
    figures.set(key, found);
    console.log(
      `${key}: ${found.seconds.toFixed(1)} s, ${found.cpuSeconds.toFixed(1)} processor s, ${found.peakMib?.toFixed(0)} MiB`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const noFigures = { seconds: 0, cpuSeconds: 0, peakMib: null };
const points = new Map(
  axes.map((axis) => [axis.name, pointsOf(axis, (one) => figures.get(JSON.stringify(one)) ?? noFigures)] as const),
);
console.log(`\n${tableOf(axes, figures)}\n\nload of the machine: ${loadavg()[0]?.toFixed(0)}`);
const verdicts = verdictsOf(points);
for (const { rule, value, limit, isMet } of verdicts)
  console.log(`${rule}: ${value.toFixed(2)} (limit ${limit})${isMet ? '' : ', MISSED'}`);
if (values.write)
  writeFileSync(SVG, plotsSvg('A year of land cover over pixels, dates, tiles and workers', plotsOf(points)));
if (values.json !== undefined) {
  const rows = [...figures].map(([key, found]) => ({ ...(JSON.parse(key) as ScaleCase), ...found }));
  writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}
process.exitCode = values.strict && verdicts.some(({ isMet }) => !isMet) ? 1 : 0;
