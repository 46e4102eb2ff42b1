import type { Legend } from '../legend/legend.ts';
import type { ConfusionMatrix } from '../matrix/confusion-matrix.ts';
import type { Estimate } from '../statistics/interval.ts';
import { sampleAccuracy } from '../statistics/sample-accuracy.ts';
import { type StratifiedEstimate, stratifiedEstimate } from '../statistics/stratified.ts';
import type { LeftOut, Tally } from './tally.ts';

/**
 * Names of the result by kind of reference: `accuracy` for labels of real land, `agreement` for another map,
 * `consistency` for generated data.
 */
export const CLAIMS = ['accuracy', 'agreement', 'consistency'] as const;
/** One of `CLAIMS`. */
export type Claim = (typeof CLAIMS)[number];

/** Units that are compared: points, polygons, each pixel of polygons, each pixel of a raster. */
export const DESIGNS = ['points', 'polygons', 'polygon-pixels', 'raster'] as const;
/** One of `DESIGNS`. */
export type Design = (typeof DESIGNS)[number];

/** Input of an assessment. */
export interface Comparison {
  readonly claim: Claim;
  readonly design: Design;
  readonly legend: Legend;
  readonly tally: Tally;
  /** Hectares of each class on the whole map, by index in the legend. */
  readonly mappedHa: ReadonlyMap<number, number>;
  /** Hectares of each pair of classes (map, reference), only for a reference raster. */
  readonly pairHa?: ConfusionMatrix | undefined;
}

/** A figure of a report with its 95 % interval. Standard error and interval are null if every pixel was compared. */
export interface Figure {
  readonly value: number;
  readonly standardError: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** One class of the legend in an assessment; figures without data are null. */
export interface AssessedClass {
  readonly name: string;
  readonly title: string;
  readonly color: string | undefined;
  /** Numbers of samples with the class on the map, in the reference, and in both. */
  readonly mapped: number;
  readonly reference: number;
  readonly agreed: number;
  /** User's accuracy, producer's accuracy and F1 from counts. */
  readonly precision: Figure | null;
  readonly recall: Figure | null;
  readonly f1: Figure | null;
  /** User's and producer's accuracy by area (Olofsson et al. 2014); null for a raster. */
  readonly areaPrecision: Figure | null;
  readonly areaRecall: Figure | null;
  /** Hectares on the whole map; for a reference raster, on the compared area. */
  readonly mappedHa: number;
  readonly referenceHa: Figure | null;
}

/** A class of the map with no sample or only one sample. */
export interface ThinClass {
  readonly title: string;
  readonly hectares: number;
}

/** Figures of the fit between a map and a reference. */
export interface Figures {
  readonly claim: Claim;
  readonly design: Design;
  /** Number of compared samples; for a reference raster, number of compared pixels. */
  readonly samples: number;
  readonly overall: Figure | null;
  readonly kappa: Figure | null;
  /**
   * Share of the map's area that agrees (Olofsson et al. 2014, eq. 1). For a reference raster: share of the compared
   * area.
   */
  readonly areaOverall: Figure | null;
  /** Classes that occur, in the order of the legend. */
  readonly classes: readonly AssessedClass[];
  /** Numbers of samples by class: `matrix[map][reference]`, in the order of `classes`. */
  readonly matrix: readonly (readonly number[])[];
  /** Classes of the map without a sample; excluded from `areaOverall` and `referenceHa`. */
  readonly unsampled: readonly ThinClass[];
  /** Classes of the map with a single sample. */
  readonly single: readonly ThinClass[];
}

/** Figures of a comparison, and the samples that could not be compared. */
export interface Assessment extends Figures {
  readonly leftOut: LeftOut;
}

/** Computes every figure of a comparison. */
export function assess(comparison: Comparison): Assessment {
  const { claim, design, legend, tally, mappedHa } = comparison;
  const { matrix } = tally;
  const isSample = design !== 'raster';
  const figure = (estimate: Estimate | null | undefined): Figure | null => toFigure(estimate ?? null, isSample);
  const areas = isSample ? stratifiedEstimate(matrix, mappedHa) : undefined;
  const codes = occurring(comparison);
  const counted = sampleAccuracy(matrix, codes);
  const thin = (strata: StratifiedEstimate['single'] | undefined): ThinClass[] =>
    (strata ?? [])
      .toSorted((a, b) => a.code - b.code)
      .map(({ code, area }) => ({ title: legend.classes[code]?.title ?? '', hectares: area }));
  return {
    claim,
    design,
    samples: counted.total,
    overall: figure(counted.overall),
    kappa: figure(counted.kappa),
    areaOverall: isSample ? figure(areas?.overall) : shareOfArea(comparison.pairHa),
    classes: counted.classes.map(({ code, precision, recall, f1, ...counts }) => {
      const { name, title, color } = legend.classes[code] ?? { name: '', title: '', color: undefined };
      const area = areas?.classes.find((each) => each.code === code);
      const { mapped, reference, agreed } = counts;
      const rates = { precision: figure(precision), recall: figure(recall), f1: figure(f1) };
      const byArea = { areaPrecision: figure(area?.precision), areaRecall: figure(area?.recall) };
      return {
        name,
        title,
        color,
        mapped,
        reference,
        agreed,
        ...rates,
        ...byArea,
        ...hectares(comparison, code, area),
      };
    }),
    matrix: codes.map((mapped) => codes.map((reference) => matrix.count(reference, mapped))),
    unsampled: thin(areas?.unsampled),
    single: thin(areas?.single),
    leftOut: tally.leftOut,
  };
}

function occurring({ legend, tally, mappedHa }: Comparison): number[] {
  const seen = new Set(tally.matrix.classes);
  return legend.classes.flatMap((_, place) => (seen.has(place) || (mappedHa.get(place) ?? 0) > 0 ? [place] : []));
}

function hectares(
  { mappedHa, pairHa }: Comparison,
  code: number,
  area: { readonly area: Estimate } | undefined,
): Pick<AssessedClass, 'mappedHa' | 'referenceHa'> {
  if (pairHa === undefined) {
    return { mappedHa: mappedHa.get(code) ?? 0, referenceHa: toFigure(area?.area ?? null, true) };
  }
  return { mappedHa: pairHa.mappedCount(code), referenceHa: plain(pairHa.referenceCount(code)) };
}

function shareOfArea(pairHa: ConfusionMatrix | undefined): Figure | null {
  return pairHa === undefined || pairHa.total === 0 ? null : plain(pairHa.overallAccuracy);
}

function toFigure(estimate: Estimate | null, isSample: boolean): Figure | null {
  if (estimate === null) return null;
  if (!isSample) return plain(estimate.value);
  const { value, standardError, low, high } = estimate;
  return { value, standardError, low, high };
}

const plain = (value: number): Figure => ({ value, standardError: null, low: null, high: null });
