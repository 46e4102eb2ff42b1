import type { AssessedClass, Assessment, Figure, Figures } from './assessment.ts';
import type { Unknown } from './tally.ts';

/** A sentence about an assessment: a finding, or a caution. */
export interface Remark {
  readonly kind: 'finding' | 'caution';
  readonly text: string;
}

/** Recommended minimum number of samples of a class (Olofsson et al. 2014, section 5.1.1). */
const FEW = 50;

/** Formats a share as percent: `94.7 %`. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Formats a number with commas: `21,158`. Fractions below 10 get two decimals, below 100 one. */
export function amount(value: number): string {
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Formats a figure with its interval, if there is one: `94.7 % (92.8 % to 96.5 %)`. */
export function withInterval({ value, low, high }: Figure, words: (value: number) => string): string {
  return low === null || high === null ? words(value) : `${words(value)} (${words(low)} to ${words(high)})`;
}

/** Describes an assessment in sentences, findings first. */
export function readAssessment(assessment: Assessment): readonly Remark[] {
  return [...readFigures(assessment), ...remarks('caution', leftOutTexts(assessment))];
}

/** Describes figures, without the samples that could not be compared. */
export function readFigures(figures: Figures): readonly Remark[] {
  const findings = [overallText(figures), kappaText(figures), ...classTexts(figures), areaText(figures)];
  const cautions = [claimText(figures), designText(figures), fewText(figures), thinText(figures)];
  return [...remarks('finding', findings), ...remarks('caution', cautions)];
}

function remarks(kind: Remark['kind'], texts: readonly (string | undefined)[]): Remark[] {
  return texts.flatMap((text) => (text === undefined ? [] : [{ kind, text }]));
}

const UNITS = {
  points: ['point', 'points'],
  polygons: ['polygon', 'polygons'],
  'polygon-pixels': ['pixel in polygons', 'pixels in polygons'],
  raster: ['pixel', 'pixels'],
} as const;

/** Returns the noun of a design's unit for this count: `point`, `points`. */
export const unitsOf = (design: keyof typeof UNITS, count: number): string => UNITS[design][count === 1 ? 0 : 1];

function overallText({ overall, areaOverall, samples, design }: Figures): string {
  const units = unitsOf(design, samples);
  if (overall === null) return `Nothing could be compared: no ${units} have a class of the legend on both sides.`;
  const counted = `${withInterval(overall, percent)} of ${amount(samples)} ${units} ${samples === 1 ? 'has' : 'have'} the same class on the map and in the reference.`;
  if (areaOverall === null || design === 'raster') return counted;
  return `${withInterval(areaOverall, percent)} of the area of the map has the same class as the reference. ${counted}`;
}

function kappaText({ kappa }: Figures): string | undefined {
  if (kappa === null) return undefined;
  const text = withInterval(kappa, (value) => value.toFixed(3));
  return `Kappa is ${text}: 0 means no more agreement than by chance, 1 means complete agreement.`;
}

function classTexts({ classes, matrix, design }: Figures): (string | undefined)[] {
  const units = unitsOf(design, 2);
  const of = (each: AssessedClass): number => classes.indexOf(each);
  const [falsest] = lowest(classes, ({ precision }) => precision);
  const [missed] = lowest(classes, ({ recall }) => recall);
  const wrong =
    falsest === undefined
      ? undefined
      : largest(classes, (i) => (i === of(falsest) ? 0 : (matrix[of(falsest)]?.[i] ?? 0)));
  const taken =
    missed === undefined ? undefined : largest(classes, (i) => (i === of(missed) ? 0 : (matrix[i]?.[of(missed)] ?? 0)));
  return [
    falsest?.precision === undefined || falsest.precision === null || wrong === undefined
      ? undefined
      : `Least reliable on the map: ${falsest.title}. ${withInterval(falsest.precision, percent)} of the ${units} that are mapped as this class are right; the largest part of the rest is ${wrong} in the reference.`,
    missed?.recall === undefined || missed.recall === null || taken === undefined
      ? undefined
      : `Most often missed: ${missed.title}. ${withInterval(missed.recall, percent)} of its ${units} were found; the largest part of the rest is mapped as ${taken}.`,
  ];
}

function lowest(
  classes: readonly AssessedClass[],
  of: (each: AssessedClass) => Figure | null,
): readonly AssessedClass[] {
  return classes.filter((each) => of(each) !== null).toSorted((a, b) => (of(a)?.value ?? 1) - (of(b)?.value ?? 1));
}

function largest(classes: readonly AssessedClass[], count: (index: number) => number): string | undefined {
  const counts = classes.map((_, i) => count(i));
  const most = Math.max(0, ...counts);
  return most === 0 ? undefined : classes[counts.indexOf(most)]?.title;
}

/** Sentence about the areas of classes (Olofsson et al. 2014, eq. 8), without classes of fewer than two samples. */
function areaText({ classes, design, unsampled, single }: Figures): string | undefined {
  const withoutInterval = new Set(design === 'raster' ? [] : [...unsampled, ...single].map(({ title }) => title));
  const known = classes.filter(({ title, referenceHa }) => referenceHa !== null && !withoutInterval.has(title));
  if (known.length === 0) return undefined;
  const text = ({ title, mappedHa, referenceHa }: AssessedClass): string =>
    `${title}: ${amount(mappedHa)} ha on the map, ${referenceHa === null ? '' : withInterval(referenceHa, amount)} ha according to the reference`;
  if (design === 'raster') {
    const gap = ({ mappedHa, referenceHa }: AssessedClass): number => Math.abs(mappedHa - (referenceHa?.value ?? 0));
    const worst = known
      .toSorted((a, b) => gap(b) - gap(a))
      .slice(0, 3)
      .filter((each) => gap(each) > 0);
    return worst.length === 0
      ? 'Every class has the same area on the map and in the reference.'
      : `The largest differences of area, over the compared pixels. ${worst.map(text).join('; ')}.`;
  }
  const outside = known.filter(({ mappedHa, referenceHa }) => {
    return mappedHa < (referenceHa?.low ?? 0) || mappedHa > (referenceHa?.high ?? Infinity);
  });
  if (outside.length === 0)
    return `${withoutInterval.size === 0 ? 'The mapped area of every class' : 'The mapped area of every class with several samples'} lies within the interval that the sample gives for it.`;
  return `The area of ${outside.length} of ${known.length} classes is wrong on the map; the difference is too large to be chance. ${outside.map(text).join('; ')}.`;
}

function claimText({ claim }: Figures): string | undefined {
  if (claim === 'consistency')
    return 'This is consistency, not accuracy: one program generated both the map and the reference. The figures show that the parts work together; they do not describe any real place.';
  if (claim === 'agreement')
    return 'This is agreement with another map, not accuracy. Errors of the other map count as errors of this map. Errors that both maps share are not counted.';
  return undefined;
}

function designText({ design }: Figures): string {
  if (design === 'raster')
    return 'Every pixel was compared, so nothing was sampled: figures have no standard errors and no intervals.';
  const random =
    'Intervals (95 %) and areas are valid for places drawn at random, within the classes of the map or over the whole map. They are not valid for places that were chosen because they were near or easy to recognise.';
  if (design === 'polygon-pixels')
    return `Each pixel of a polygon counted as a sample. Pixels of one polygon depend on each other. So the standard errors are too small, and the intervals too narrow. ${random}`;
  if (design === 'polygons') return `Each polygon counted once, with its most frequent class on the map. ${random}`;
  return random;
}

function fewText({ classes, design }: Figures): string | undefined {
  if (design === 'raster') return undefined;
  const few = classes.filter(({ mapped, reference }) => Math.max(mapped, reference) > 0 && mapped < FEW);
  if (few.length === 0) return undefined;
  const list = few.map(({ title, mapped }) => `${title} (${amount(mapped)})`).join(', ');
  return `Fewer than ${FEW} samples are mapped as: ${list}. More samples would narrow the intervals; Olofsson et al. (2014) recommend 50 to 100 for a small class.`;
}

function thinText({ unsampled, single }: Figures): string | undefined {
  const list = (classes: Figures['single']): string =>
    classes.map(({ title, hectares }) => `${title} (${amount(hectares)} ha)`).join(', ');
  const none =
    unsampled.length === 0
      ? []
      : [
          `No sample is mapped as: ${list(unsampled)}. The areas and accuracies by area describe only the rest of the map.`,
        ];
  const one =
    single.length === 0
      ? []
      : [
          `A single sample is mapped as: ${list(single)}. One sample shows no variance, so the largest possible variance is used.`,
        ];
  return none.length + one.length === 0 ? undefined : [...none, ...one].join(' ');
}

function leftOutTexts({ leftOut, design }: Assessment): (string | undefined)[] {
  const names = (unknown: readonly Unknown[]): string => {
    const first = unknown.slice(0, 10).map(({ label, count }) => `${label} (${amount(count)})`);
    return [...first, ...(unknown.length > 10 ? [`${unknown.length - 10} more`] : [])].join(', ');
  };
  const { unknownReference, unknownMap, referenceNodata, mapNodata } = leftOut;
  return [
    unknownReference.length === 0
      ? undefined
      : `Left out, because the legend has no class for these labels of the reference: ${names(unknownReference)}.`,
    unknownMap.length === 0
      ? undefined
      : `Left out, because the legend has no class for these values of the map: ${names(unknownMap)}.`,
    mapNodata === 0
      ? undefined
      : `Left out, because the map has no data there: ${amount(mapNodata)} ${unitsOf(design, mapNodata)}.`,
    referenceNodata === 0
      ? undefined
      : `Left out, because the reference has no data there: ${amount(referenceNodata)} ${unitsOf(design, referenceNodata)}.`,
  ];
}
