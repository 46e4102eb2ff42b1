import type { ConfusionMatrix } from '../matrix/confusion-matrix.ts';
import { binomial, type Estimate, normal, wilson } from './interval.ts';

/** Accuracy of one class from counts; a figure is null if its divisor is 0. */
export interface ClassAccuracy {
  readonly code: number;
  /** Numbers of samples with the class on the map, in the reference, and in both. */
  readonly mapped: number;
  readonly reference: number;
  readonly agreed: number;
  /** User's accuracy: share of the mapped class that is right. */
  readonly precision: Estimate | null;
  /** Producer's accuracy: share of the class that was found. */
  readonly recall: Estimate | null;
  readonly f1: Estimate | null;
}

/** Accuracies from counts, with equal weight of all samples. */
export interface SampleAccuracy {
  readonly total: number;
  /** Share of samples that agree; null without samples. */
  readonly overall: Estimate | null;
  /** Cohen's kappa. Null without samples, and if the expected chance agreement is 1 (a single class on both sides). */
  readonly kappa: Estimate | null;
  readonly classes: readonly ClassAccuracy[];
}

/**
 * Computes accuracies with the standard errors of a simple random sample, which are too small for dependent samples.
 */
export function sampleAccuracy(matrix: ConfusionMatrix, codes: readonly number[] = matrix.classes): SampleAccuracy {
  const total = matrix.total;
  const agreed = codes.reduce((sum, code) => sum + matrix.count(code, code), 0);
  return {
    total,
    overall: binomial(agreed, total),
    kappa: kappaEstimate(matrix),
    classes: codes.map((code) => classAccuracy(matrix, code)),
  };
}

function classAccuracy(matrix: ConfusionMatrix, code: number): ClassAccuracy {
  const [mapped, reference] = [matrix.mappedCount(code), matrix.referenceCount(code)];
  const agreed = matrix.count(code, code);
  const precision = binomial(agreed, mapped);
  const recall = binomial(agreed, reference);
  return { code, mapped, reference, agreed, precision, recall, f1: f1Estimate(agreed, mapped + reference) };
}

/**
 * F1 = 2j / (1 + j). Of the samples with the class on at least one side, j is the share with the class on both
 * sides. The standard error of F1 is 2 / (1 + j)^2 times the standard error of j.
 */
function f1Estimate(agreed: number, sides: number): Estimate | null {
  const either = binomial(agreed, sides - agreed);
  if (either === null) return null;
  const f1 = (j: number): number => (2 * j) / (1 + j);
  const { value: j, standardError } = either;
  const { low, high } = wilson(j, sides - agreed);
  const slope = 2 / (1 + j) ** 2;
  return { value: f1(j), standardError: slope * standardError, low: f1(low), high: f1(high), method: 'wilson' };
}

/**
 * Kappa with its standard error (Fleiss, Cohen and Everitt 1969, doi:10.1037/h0028106, in the form of Congalton and
 * Green).
 */
function kappaEstimate(matrix: ConfusionMatrix): Estimate | null {
  const { total, kappa } = matrix;
  if (total === 0 || !Number.isFinite(kappa)) return null;
  const rows = new Map(matrix.classes.map((code) => [code, matrix.referenceCount(code) / total]));
  const cols = new Map(matrix.classes.map((code) => [code, matrix.mappedCount(code) / total]));
  const sides = (a: number, b: number): number => (rows.get(a) ?? 0) + (cols.get(b) ?? 0);
  const t1 = matrix.overallAccuracy;
  const t2 = matrix.classes.reduce((sum, code) => sum + (rows.get(code) ?? 0) * (cols.get(code) ?? 0), 0);
  let [t3, t4] = [0, 0];
  for (const { reference, mapped, count } of matrix.pairs()) {
    if (reference === mapped) t3 += (count / total) * sides(reference, reference);
    t4 += (count / total) * sides(mapped, reference) ** 2;
  }
  const rest = 1 - t2;
  const variance =
    (t1 * (1 - t1)) / rest ** 2 +
    (2 * (1 - t1) * (2 * t1 * t2 - t3)) / rest ** 3 +
    ((1 - t1) ** 2 * (t4 - 4 * t2 ** 2)) / rest ** 4;
  // Rounding may make a variance of zero slightly negative.
  const standardError = Math.sqrt(Math.max(0, variance) / total);
  if (standardError > 0) return normal(kappa, standardError, { least: -1 });
  // If the variance is 0, the interval is Wilson's, because otherwise it would have no width.
  const { low, high } = wilson(t1, total);
  return { value: kappa, standardError, low: (low - t2) / rest, high: (high - t2) / rest, method: 'wilson' };
}
