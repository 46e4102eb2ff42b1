import type { Judged } from './observed.ts';

/** Pixels of similar confidence: mean confidence (0-1), share of right pixels (0-1), number of pixels. */
export interface Bin {
  readonly confidence: number;
  readonly right: number;
  readonly pixels: number;
}

/** A curve of the plot, for one source of true classes. */
export interface Curve {
  readonly name: string;
  readonly color: string;
  readonly bins: readonly Bin[];
}

const WIDTH = 10;
/** Minimum number of pixels of a bin, because a share of few pixels depends too much on chance. */
const FEWEST = 30;

/** Returns bins of ten percent of confidence, without unclassified pixels and bins of fewer than `fewest` pixels. */
export function reliability(judged: readonly Judged[], fewest = FEWEST): readonly Bin[] {
  const bins = Array.from({ length: 100 / WIDTH }, () => ({ confidence: 0, right: 0, pixels: 0 }));
  for (const { confidence, isRight } of judged)
    confidence.forEach((percent, i) => {
      const bin = bins[Math.min(bins.length - 1, Math.floor(percent / WIDTH))];
      if (percent === 0 || bin === undefined) return;
      bin.confidence += percent / 100;
      bin.right += isRight(i) ? 1 : 0;
      bin.pixels++;
    });
  return bins
    .filter(({ pixels }) => pixels >= fewest)
    .map(({ confidence, right, pixels }) => ({ confidence: confidence / pixels, right: right / pixels, pixels }));
}

/**
 * Expected calibration error, 0-1: mean distance between confidence and share of right pixels (Naeini et al. 2015,
 * AAAI).
 */
export function calibrationError(bins: readonly Bin[]): number {
  const all = bins.reduce((sum, { pixels }) => sum + pixels, 0);
  return bins.reduce((sum, { confidence, right, pixels }) => sum + (pixels / all) * Math.abs(confidence - right), 0);
}

/** Brier score (1950), 0-1: mean squared difference between confidence and outcome; lower is better. */
export function brierScore(judged: readonly Judged[]): number {
  let [sum, all] = [0, 0];
  for (const { confidence, isRight } of judged)
    confidence.forEach((percent, i) => {
      if (percent === 0) return;
      sum += (percent / 100 - Number(isRight(i))) ** 2;
      all += 1;
    });
  return sum / all;
}

/** Area under the ROC curve, 0-1 (Hanley and McNeil 1982). NaN if all pixels are right, or all are wrong. */
export function areaUnderCurve(judged: readonly Judged[]): number {
  const right = new Float64Array(101);
  const wrong = new Float64Array(101);
  for (const { confidence, isRight } of judged)
    confidence.forEach((percent, i) => {
      const counts = isRight(i) ? right : wrong;
      if (percent > 0) counts[percent] = counts[percent]! + 1;
    });
  let [pairs, below, ofRight] = [0, 0, 0];
  for (let percent = 0; percent <= 100; percent += 1) {
    pairs += right[percent]! * (below + wrong[percent]! / 2);
    below += wrong[percent]!;
    ofRight += right[percent]!;
  }
  return pairs / (below * ofRight);
}

/** Returns the pixels with confidence 0 for all pixels that are not mapped as the class. */
export const ofClass = (judged: readonly Judged[], label: number): readonly Judged[] =>
  judged.map((one) => ({
    ...one,
    confidence: one.confidence.map((percent, i) => (one.labels[i] === label ? percent : 0)),
  }));

const [SIZE, EDGE] = [360, 50];
const at = (share: number): number => EDGE + (SIZE - EDGE - 20) * share;
const x = (share: number): string => at(share).toFixed(1);
const y = (share: number): string => (SIZE - at(share)).toFixed(1);

/** Draws the plot as SVG: confidence on the x axis, share of right pixels on the y axis. */
export function reliabilitySvg(curves: readonly Curve[]): string {
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((t) => [
    `<text x="${x(t)}" y="${SIZE - EDGE + 18}" text-anchor="middle">${t}</text>`,
    `<text x="${EDGE - 8}" y="${Number(y(t)) + 4}" text-anchor="end">${t}</text>`,
    `<path d="M${x(t)} ${y(0)}V${y(1)}M${x(0)} ${y(t)}H${x(1)}" stroke="#dddddd"/>`,
  ]);
  const drawn = curves.flatMap(({ name, color, bins }, nth) => [
    `<polyline fill="none" stroke="${color}" stroke-width="2" points="${bins.map((b) => `${x(b.confidence)},${y(b.right)}`).join(' ')}"/>`,
    ...bins.map((b) => `<circle cx="${x(b.confidence)}" cy="${y(b.right)}" r="3" fill="${color}"/>`),
    `<text x="${EDGE + 12}" y="${34 + 16 * nth}" fill="${color}">${name}</text>`,
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" font-family="sans-serif" font-size="12" role="img">`,
    '<title>Share of right pixels, by their confidence</title>',
    `<rect width="${SIZE}" height="${SIZE}" fill="#ffffff"/>`,
    ...ticks,
    `<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#888888" stroke-dasharray="4 3"/>`,
    ...drawn,
    `<text x="${SIZE / 2}" y="${SIZE - 8}" text-anchor="middle">confidence</text>`,
    `<text transform="translate(14 ${SIZE / 2}) rotate(-90)" text-anchor="middle">share that is right</text>`,
    '</svg>',
    '',
  ].join('\n');
}
