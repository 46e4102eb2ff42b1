import { DomainError } from '@headwater/core/errors';
import type { ConfusionMatrix } from '../matrix/confusion-matrix.ts';
import { type Estimate, type Interval, normal, wilson } from './interval.ts';

interface Part {
  readonly weight: number;
  readonly share: number;
  readonly samples: number;
}

/**
 * Sum of shares whose variance is 0. A normal interval would have no width, so Wilson's intervals are combined
 * (Zou and Donner 2008, doi:10.1002/sim.3095).
 */
function recoveredSum(parts: readonly Part[]): Estimate {
  const value = sumOf(parts);
  return { value, standardError: 0, ...around(parts), method: 'wilson' };
}

/**
 * Estimate of the ratio `found` (parts with `isOwn` to all parts), whose variance is 0. Its interval is combined from
 * Wilson's intervals of the parts.
 */
function recoveredRatio(found: number, parts: readonly (Part & { readonly isOwn: boolean })[]): Estimate {
  const own = around(parts.filter(({ isOwn }) => isOwn));
  const others = around(parts.filter(({ isOwn }) => !isOwn));
  const share = (inside: number, outside: number): number =>
    inside + outside === 0 ? found : inside / (inside + outside);
  // Rounding must not move an end beyond the estimate.
  const low = Math.min(found, share(own.low, others.high));
  const high = Math.max(found, share(own.high, others.low));
  return { value: found, standardError: 0, low, high, method: 'wilson' };
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { weight, share }) => sum + weight * share, 0);

function around(parts: readonly Part[]): Interval {
  let [below, above] = [0, 0];
  for (const { weight, share, samples } of parts) {
    const { low, high } = wilson(share, samples);
    below += (weight * (share - low)) ** 2;
    above += (weight * (high - share)) ** 2;
  }
  const value = sumOf(parts);
  return { low: Math.max(0, value - Math.sqrt(below)), high: value + Math.sqrt(above) };
}

/** One class of the map as a stratum of the sample. */
export interface Stratum {
  readonly code: number;
  /** Area of the class on the map, in the unit of `StratifiedEstimate.totalArea`. */
  readonly area: number;
  readonly samples: number;
}

/** A class with its estimates from the sample, by equations of Olofsson et al. 2014. */
export interface ClassEstimate {
  readonly code: number;
  /** Area on the map; 0 for a class that was never mapped. */
  readonly mappedArea: number;
  /** Area according to the reference: the error-adjusted estimate, eq. 8-11. */
  readonly area: Estimate;
  /** User's accuracy, eq. 2 and 6; null if no sample was mapped as the class. */
  readonly precision: Estimate | null;
  /** Producer's accuracy, eq. 3 and 7; null if no sample has the class in the reference. */
  readonly recall: Estimate | null;
}

/** Accuracies and areas of a map whose classes are the strata of a probability sample. */
export interface StratifiedEstimate {
  /** Area of all strata with samples, to which the estimates apply. */
  readonly totalArea: number;
  readonly overall: Estimate;
  readonly classes: readonly ClassEstimate[];
  /** Classes on the map without a sample; their area is not in `totalArea`. */
  readonly unsampled: readonly Stratum[];
  /** Classes with one sample, which have the largest possible variance (1/4). */
  readonly single: readonly Stratum[];
}

/** A stratum with samples, and the shares of the reference classes. */
export interface SampledStratum extends Stratum {
  readonly weight: number;
  readonly share: (code: number) => number;
}

/**
 * Estimates of Olofsson et al. 2014 (doi:10.1016/j.rse.2014.02.015), eq. 1-11. The samples must be random within each
 * class of the map, or random over the whole map. `areas`: code -> area on the map. Undefined without samples. Throws
 * `validation` for samples of a class without area.
 */
export function stratifiedEstimate(
  matrix: ConfusionMatrix,
  areas: ReadonlyMap<number, number>,
): StratifiedEstimate | undefined {
  const all = [...areas]
    .filter(([, area]) => area > 0)
    .map(([code, area]): Stratum => ({ code, area, samples: matrix.mappedCount(code) }));
  checkStrata(matrix, all);
  const sampled = all.filter(({ samples }) => samples > 0);
  if (sampled.length === 0) return undefined;
  const totalArea = sampled.reduce((sum, { area }) => sum + area, 0);
  const strata = sampled.map((stratum): SampledStratum => ({
    ...stratum,
    weight: stratum.area / totalArea,
    share: (code) => matrix.count(code, stratum.code) / stratum.samples,
  }));
  const codes = [...new Set([...matrix.classes, ...all.map(({ code }) => code)])].sort((a, b) => a - b);
  return {
    totalArea,
    overall: sumEstimate(strata, (stratum) => stratum.share(stratum.code)),
    classes: codes.map((code) => classEstimate(code, strata, { totalArea, mappedArea: areas.get(code) ?? 0 })),
    unsampled: all.filter(({ samples }) => samples === 0),
    single: sampled.filter(({ samples }) => samples === 1),
  };
}

function checkStrata(matrix: ConfusionMatrix, strata: readonly Stratum[]): void {
  const known = new Set(strata.map(({ code }) => code));
  const lost = matrix.classes.find((code) => matrix.mappedCount(code) > 0 && !known.has(code));
  if (lost === undefined) return;
  throw new DomainError(
    'validation',
    `areas: class ${lost} has samples but no area; give the area of each class on the map`,
  );
}

/** Variance of a share among the samples of one stratum: p (1 - p) / (n - 1); 1/4 for a single sample. */
export function shareVariance(share: number, samples: number): number {
  return samples === 1 ? 0.25 : (share * (1 - share)) / (samples - 1);
}

/** Sum over strata of weight times share, with its variance (eq. 1 and 5 for accuracies, 9 and 10 for areas). */
function sumEstimate(strata: readonly SampledStratum[], share: (stratum: SampledStratum) => number): Estimate {
  const parts = strata.map((stratum) => ({ weight: stratum.weight, samples: stratum.samples, share: share(stratum) }));
  const value = parts.reduce((sum, part) => sum + part.weight * part.share, 0);
  const variance = parts.reduce((sum, p) => sum + p.weight ** 2 * shareVariance(p.share, p.samples), 0);
  return variance > 0 ? normal(value, Math.sqrt(variance)) : recoveredSum(parts);
}

interface Areas {
  readonly totalArea: number;
  readonly mappedArea: number;
}

function classEstimate(code: number, strata: readonly SampledStratum[], areas: Areas): ClassEstimate {
  const share = sumEstimate(strata, (stratum) => stratum.share(code));
  const own = strata.find((stratum) => stratum.code === code);
  return {
    code,
    mappedArea: areas.mappedArea,
    area: scaled(share, areas.totalArea),
    precision: own === undefined ? null : sumEstimate([{ ...own, weight: 1 }], (stratum) => stratum.share(code)),
    recall: recallEstimate(code, strata),
  };
}

function scaled({ value, standardError, low, high, method }: Estimate, by: number): Estimate {
  return { value: value * by, standardError: standardError * by, low: low * by, high: high * by, method };
}

/** Share of a class's area that was mapped as this class (eq. 3 and 7). */
function recallEstimate(code: number, strata: readonly SampledStratum[]): Estimate | null {
  const parts = strata.map(({ weight, samples, code: mapped, share }) => ({
    weight,
    samples,
    share: share(code),
    isOwn: mapped === code,
  }));
  const total = parts.reduce((sum, part) => sum + part.weight * part.share, 0);
  if (total === 0) return null;
  const found = parts.reduce((sum, part) => sum + (part.isOwn ? part.weight * part.share : 0), 0) / total;
  const variance = parts.reduce((sum, { weight, samples, share, isOwn }) => {
    const factor = isOwn ? 1 - found : found;
    return sum + (weight * factor) ** 2 * shareVariance(share, samples);
  }, 0);
  return variance > 0 ? normal(found, Math.sqrt(variance) / total) : recoveredRatio(found, parts);
}
