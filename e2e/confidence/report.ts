import { LULC_METHOD_VERSION } from '@headwater/land-cover';
import { fitTable, withTable } from './fit.ts';
import { type FitSample, without } from './fit-sample.ts';
import { judgeSecondWorld, type Judged, SETTINGS } from './observed.ts';
import { judgeRealPatch } from './real-patch.ts';
import { type Bin, calibrationError, type Curve, reliability } from './reliability.ts';

/** What the report tells of one source of truth. */
export interface Source {
  readonly name: string;
  /** What it has to do with the table. */
  readonly relation: string;
  readonly curve: 'settings' | 'second world' | 'real';
  readonly judged: readonly Judged[];
}

/** Sources that are in the repository: each setting with a table that was fitted to the three others, and the second world. */
export function ownSources(sample: FitSample): readonly Source[] {
  const settings = SETTINGS.map((name): Source => {
    const table = fitTable(without(sample, name));
    const judged = sample[name].map((one) => withTable(one, table));
    return { name: `setting ${name}`, relation: 'held out: table of the three others', curve: 'settings', judged };
  });
  const relation = 'held out: no table is fitted to it';
  return [...settings, { name: 'second world', relation, curve: 'second world', judged: judgeSecondWorld() }];
}

/** The real sample beside the repository. */
export async function realSources(): Promise<readonly Source[]> {
  const years = await judgeRealPatch();
  const relation = 'held out: no table is fitted to it';
  return years.map((one) => ({
    name: `real: Slovenia ${one.year}, NDVI alone`,
    relation,
    curve: 'real',
    judged: [one],
  }));
}

const CURVES: readonly (Omit<Curve, 'bins'> & Pick<Source, 'curve'>)[] = [
  { curve: 'settings', name: 'four settings, each held out', color: '#1b7837' },
  { curve: 'second world', name: 'second world', color: '#2166ac' },
  { curve: 'real', name: 'real: Slovenia, NDVI alone', color: '#b2182b' },
];

/** The curves of the plot. */
export const curvesOf = (sources: readonly Source[]): readonly Curve[] =>
  CURVES.flatMap(({ curve, ...rest }) => {
    const judged = sources.filter((source) => source.curve === curve).flatMap((source) => source.judged);
    return judged.length === 0 ? [] : [{ ...rest, bins: reliability(judged) }];
  });

const share = (value: number): string => value.toFixed(3);

/** One line of the first table: pixels with a class, share right, mean confidence, calibration error. */
function sourceRow({ name, relation, judged }: Source): string {
  const bins = reliability(judged, 1);
  const pixels = bins.reduce((sum, bin) => sum + bin.pixels, 0);
  const mean = (of: (bin: Bin) => number): string =>
    share(bins.reduce((sum, bin) => sum + of(bin) * bin.pixels, 0) / pixels);
  const figures = [pixels, mean((bin) => bin.right), mean((bin) => bin.confidence), share(calibrationError(bins))];
  return `| ${[name, relation, ...figures].join(' | ')} |`;
}

const binRows = ({ name, bins }: Curve): readonly string[] =>
  bins.map((bin) => `| ${[name, share(bin.confidence), share(bin.right), bin.pixels].join(' | ')} |`);

/** The report as Markdown: a line for each source, and the points of the plot. */
export const reportMarkdown = (sources: readonly Source[]): string =>
  [
    '# Reliability of the confidence raster',
    '',
    `Land cover ${LULC_METHOD_VERSION}. Made by \`npm run confidence -- report\`; a test makes it again and compares. Do not edit.`,
    '',
    '![Share of pixels that are right against their confidence](reliability.svg)',
    '',
    '| source of truth | what it has to do with the table of confidence | pixels | share right | mean confidence | calibration error |',
    '| --- | --- | --- | --- | --- | --- |',
    ...sources.map(sourceRow),
    '',
    'Points of the plot, pixels in bins of ten percent of confidence:',
    '',
    '| curve | mean confidence | share right | pixels |',
    '| --- | --- | --- | --- |',
    ...curvesOf(sources).flatMap(binRows),
    '',
  ].join('\n');
