import { confidences, sharesOf } from '../../packages/land-cover/src/confidence/evidence.ts';
import type { Judged } from './observed.ts';

/**
 * Weights of each class 0..12. First the log-odds without evidence, then the increase by the best level of each kind of
 * evidence (`EVIDENCE_LEVELS`). Last the increase by the weaker of margin and shape.
 */
export type Weights = readonly (readonly number[])[];

const CLASSES = 13;
/** Groups of similar classes. No sample has water. */
const GROUPS: readonly (readonly number[])[] = [[2, 3, 4], [1], [7], [6], [12], [8, 9, 10, 11]];
/**
 * Prior of each class: share of right pixels on global 10 m maps (Venter et al. 2022, doi:10.3390/rs14164101); lower
 * for crops.
 */
const PRIOR = [0, 0.83, 0.92, 0.92, 0.92, 0, 0.81, 0.57, 0.75, 0.75, 0.75, 0.65, 0.47];
/**
 * Number of pixels that the prior counts as. Without the prior, the synthetic pixels would make the confidence too
 * high.
 */
const PRIOR_PIXELS = 400;
/**
 * Expected increases of the log-odds by the best level of each kind of evidence, and the weight of this expectation.
 */
const [EXPECTED, RIDGE] = [[1, 1, 1, 1, 1], 20] as const;
/** Expected weights of a group of classes with too few pixels. */
const UNSEEN = [1, 1, 1, 1, 0];
/** Weight of the expectation that a class has the same weights as its group. */
const GROUP_RIDGE = 40;
/** Minimum number of pixels; with fewer pixels, the weights are not fitted. */
const FEWEST = PRIOR_PIXELS / 3;
/**
 * Number of rounds, and damping of each step. Undamped steps would be too large if several kinds of evidence always
 * rise together.
 */
const [ROUNDS, DAMPING] = [1500, 0.2];
/** Assumed mean levels of evidence (0-1) for classes with too few pixels. */
const MIDDLE = [0.6, 0.6, 0.6, 0, 0.6];

interface Cell {
  readonly label: number;
  readonly levels: readonly number[];
  readonly evidence: number;
  pixels: number;
  right: number;
}

function cellsOf(judged: readonly Judged[]): readonly Cell[] {
  const cells = new Map<number, Cell>();
  for (const { labels, evidence, isRight } of judged)
    labels.forEach((label, i) => {
      if ((PRIOR[label] ?? 0) === 0) return;
      const byte = evidence[i] ?? 0;
      const key = label * 256 + byte;
      const cell = cells.get(key) ?? { label, levels: sharesOf(byte), evidence: byte, pixels: 0, right: 0 };
      cell.pixels++;
      if (isRight(i)) cell.right++;
      cells.set(key, cell);
    });
  return [...cells.values()].toSorted((a, b) => a.label - b.label || a.evidence - b.evidence);
}

const logit = (share: number): number => Math.log(share / (1 - share));

interface Fit {
  readonly bases: readonly number[];
  readonly weights: readonly number[];
  readonly means: readonly number[];
}

interface Ridge {
  readonly expected: readonly number[];
  readonly ridge: number;
}

/**
 * Fits the weights by logistic regression, first for each group of classes, then for each class. Weights of evidence
 * are never negative.
 */
export function fitWeights(judged: readonly Judged[]): Weights {
  const cells = cellsOf(judged);
  const rows: number[][] = Array.from({ length: CLASSES }, () => []);
  for (const group of GROUPS) {
    const expected = pixelsOf(cells, group) < FEWEST ? UNSEEN : EXPECTED;
    const shared = fitClasses(group, cells, { expected, ridge: RIDGE });
    for (const label of group)
      rows[label] = rowOf(
        group.length === 1 ? shared : fitClasses([label], cells, { expected: shared.weights, ridge: GROUP_RIDGE }),
      );
  }
  return rows;
}

function rowOf({ bases: [base], weights, means }: Fit): number[] {
  const offset = weights.reduce((sum, weight, k) => sum + weight * means[k]!, 0);
  return [base! - offset, ...weights].map((value) => Math.round(100 * value) / 100);
}

const pixelsOf = (cells: readonly Cell[], labels: readonly number[]): number =>
  cells.reduce((sum, { label, pixels }) => sum + (labels.includes(label) ? pixels : 0), 0);

/** `ridge` shrinks the weights towards `expected`. */
function fitClasses(labels: readonly number[], all: readonly Cell[], { expected, ridge }: Ridge): Fit {
  const cells = all.filter(({ label }) => labels.includes(label));
  const pixels = pixelsOf(cells, labels);
  const bases = labels.map((label) => logit(PRIOR[label]!));
  if (pixels < FEWEST) return { bases, weights: expected, means: MIDDLE };
  const counts = labels.map((label) => pixelsOf(cells, [label]));
  const means = expected.map((_, k) => cells.reduce((sum, cell) => sum + cell.levels[k]! * cell.pixels, 0) / pixels);
  const weights = [...expected];
  for (let round = 0; round < ROUNDS; round++) {
    const [slopes, bends] = [weights.map((weight, k) => ridge * (expected[k]! - weight)), weights.map(() => ridge)];
    const [lifts, curves] = [bases.map(() => 0), bases.map(() => 1e-9)];
    for (const { label, levels, pixels: own, right } of cells) {
      const nth = labels.indexOf(label);
      const prior = (PRIOR_PIXELS * own) / counts[nth]!;
      const odds = weights.reduce((sum, weight, k) => sum + weight * (levels[k]! - means[k]!), bases[nth]!);
      const share = 1 / (1 + Math.exp(-odds));
      const error = right + prior * PRIOR[label]! - (own + prior) * share;
      const curve = (own + prior) * share * (1 - share);
      lifts[nth]! += error;
      curves[nth]! += curve;
      for (const [k, level] of levels.entries()) {
        slopes[k]! += error * (level - means[k]!);
        bends[k]! += curve * (level - means[k]!) ** 2;
      }
    }
    for (const nth of bases.keys()) bases[nth]! += (DAMPING * lifts[nth]!) / curves[nth]!;
    for (const k of weights.keys()) weights[k] = Math.max(0, weights[k]! + (DAMPING * slopes[k]!) / bends[k]!);
  }
  return { bases, weights, means };
}

/** Returns the pixels with the confidence of the given weights. */
export function withWeights(judged: Judged, weights: Weights): Judged {
  const { labels, evidence } = judged;
  const table = confidences(weights);
  return { ...judged, confidence: labels.map((label, i) => table[label * 256 + (evidence[i] ?? 0)] ?? 0) };
}

/** Returns the source of the module that contains the weights. */
export function tableModule(weights: Weights): string {
  return [
    '/**',
    ' * Weights of the confidence by class 0..12: log-odds without evidence, then the increase by the best evidence, in the',
    ' * order of `sharesOf`. Generated by `npm run confidence`, and checked by a test. Do not edit.',
    ' */',
    '// oxfmt-ignore',
    'export const WEIGHTS: readonly (readonly number[])[] = [',
    ...weights.map((row, label) => `  [${row.join(', ')}], // ${label}`),
    '];',
    '',
  ].join('\n');
}
