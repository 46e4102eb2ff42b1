import { LULC_CLASSES, LULC_METHOD_VERSION } from '@headwater/land-cover';
import { fitWeights, withWeights } from './fit.ts';
import { type FitSample, without } from './fit-sample.ts';
import { SIDE } from '../worlds/second/calendar.ts';
import { judgeSecondWorld, type Judged, judgeNeighbours, judgePixels, SETTINGS } from './observed.ts';
import { judgeRealPatch, REAL_COLS } from './real-patch.ts';
import {
  areaUnderCurve,
  type Bin,
  brierScore,
  calibrationError,
  type Curve,
  ofClass,
  reliability,
} from './reliability.ts';

/** A source of pixels with known classes; a row of the report. */
export interface Source {
  readonly name: string;
  /**
   * Relation of the source to the weights of confidence. If the source is held out, the weights are fitted without it.
   */
  readonly relation: string;
  /** Curve of the plot; absent for sources that are not plotted. */
  readonly curve?: 'settings' | 'second world' | 'years' | 'real';
  readonly judged: readonly Judged[];
}

const HELD_OUT = 'held out: no weight is fitted to it';

/**
 * Returns the sources of the repository: the second world, and each setting with weights of the three other settings.
 */
export function ownSources(sample: FitSample): readonly Source[] {
  const settings = SETTINGS.map((name): Source => {
    const weights = fitWeights(without(sample, name));
    const judged = sample[name].map((one) => withWeights(one, weights));
    return {
      name: `setting ${name}`,
      relation: 'held out: the weights are fitted to the three other settings',
      curve: 'settings',
      judged,
    };
  });
  const alone = judgeSecondWorld();
  const second = alone.map((one) => judgePixels(one, SIDE));
  return [
    ...settings,
    { name: 'second world, each pixel alone', relation: HELD_OUT, judged: alone },
    { name: 'second world', relation: HELD_OUT, curve: 'second world', judged: second },
    {
      name: 'second world, with the agreement of its years',
      relation: 'not held out: the three steps of agreement were chosen with it; the other weights are held out',
      curve: 'years',
      judged: judgeNeighbours(second),
    },
  ];
}

/** Returns the sources of the real sample outside of the repository. */
export async function realSources(): Promise<readonly Source[]> {
  const years = await judgeRealPatch();
  return years.flatMap((one) => [
    { name: `real: Slovenia ${one.year}, NDVI alone, each pixel alone`, relation: HELD_OUT, judged: [one] },
    {
      name: `real: Slovenia ${one.year}, NDVI alone`,
      relation:
        'not held out: the two steps of neighbouring pixels were chosen with it; the other weights are held out',
      curve: 'real',
      judged: [judgePixels(one, REAL_COLS)],
    },
  ]);
}

const CURVES: readonly (Omit<Curve, 'bins'> & Required<Pick<Source, 'curve'>>)[] = [
  { curve: 'settings', name: 'four settings, each held out', color: '#1b7837' },
  { curve: 'second world', name: 'second world', color: '#2166ac' },
  { curve: 'years', name: 'second world, agreement of years', color: '#762a83' },
  { curve: 'real', name: 'real: Slovenia, NDVI alone', color: '#b2182b' },
];

/** Returns the curves of the plot. */
export const curvesOf = (sources: readonly Source[]): readonly Curve[] =>
  CURVES.flatMap(({ curve, ...rest }) => {
    const judged = sources.filter((source) => source.curve === curve).flatMap((source) => source.judged);
    return judged.length === 0 ? [] : [{ ...rest, bins: reliability(judged) }];
  });

const share = (value: number): string => value.toFixed(3);

function figuresOf(judged: readonly Judged[]): readonly (string | number)[] {
  const bins = reliability(judged, 1);
  const pixels = bins.reduce((sum, bin) => sum + bin.pixels, 0);
  if (pixels === 0) return [0, '-', '-', '-', '-', '-'];
  const mean = (of: (bin: Bin) => number): string =>
    share(bins.reduce((sum, bin) => sum + of(bin) * bin.pixels, 0) / pixels);
  const auc = areaUnderCurve(judged);
  const scores = [share(brierScore(judged)), share(calibrationError(bins)), Number.isNaN(auc) ? '-' : share(auc)];
  return [pixels, mean((bin) => bin.right), mean((bin) => bin.confidence), ...scores];
}

const sourceRow = ({ name, relation, judged }: Source): string =>
  `| ${[name, relation, ...figuresOf(judged)].join(' | ')} |`;

function classRows(sources: readonly Source[]): readonly string[] {
  const of = (curve: Required<Source>['curve']) =>
    sources.filter((source) => source.curve === curve).flatMap(({ judged }) => judged);
  const kinds = [
    ['four settings, each held out', of('settings')],
    ['second world', of('second world')],
    ['second world, agreement of years', of('years')],
  ] as const;
  return LULC_CLASSES.filter(({ code }) => code !== 0 && code !== 5).flatMap(({ code, title }) =>
    kinds.map(([name, judged]) => `| ${[`${code} ${title}`, name, ...figuresOf(ofClass(judged, code))].join(' | ')} |`),
  );
}

const binRows = ({ name, bins }: Curve): readonly string[] =>
  bins.map((bin) => `| ${[name, share(bin.confidence), share(bin.right), bin.pixels].join(' | ')} |`);

/** Returns the report as Markdown: a row for each source, rows for each class, and the points of the plot. */
export const reportMarkdown = (sources: readonly Source[]): string =>
  [
    '# Reliability of the confidence raster',
    '',
    `Land cover ${LULC_METHOD_VERSION}. Generated by \`npm run confidence -- report\`; a test generates it again and compares. Do not edit.`,
    '',
    '![Share of right pixels, by their confidence](reliability.svg)',
    '',
    'Brier score: mean squared difference of confidence and outcome. ECE: expected calibration error, in bins of ten percent. AUC: area under the ROC',
    'curve, the share of pairs of a right and a wrong pixel in which the right one has more confidence; 0.5 is no better than chance.',
    '',
    '| source of truth | relation to the weights of confidence | pixels | share right | mean confidence | Brier | ECE | AUC |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...sources.map(sourceRow),
    '',
    'By mapped class:',
    '',
    '| class | source of truth | pixels | share right | mean confidence | Brier | ECE | AUC |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...classRows(sources),
    '',
    'Points of the plot, pixels in bins of ten percent of confidence:',
    '',
    '| curve | mean confidence | share right | pixels |',
    '| --- | --- | --- | --- |',
    ...curvesOf(sources).flatMap(binRows),
    '',
  ].join('\n');
