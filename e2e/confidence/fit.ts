import type { Judged } from './observed.ts';

/** Classes 0..12 and kinds of evidence, as `confidence/evidence.ts` of land-cover counts them. */
const [CLASSES, EVIDENCES] = [13, 8];
/**
 * Share of pixels of a class that are right on all global 10 m maps together (Venter et al. 2022, doi:10.3390/rs14164101; fields by crop; fields with
 * their number of cycles a little lower): what is expected before anything is seen.
 */
const PRIOR = [0, 0.83, 0.92, 0.92, 0.92, 0, 0.81, 0.57, 0.75, 0.75, 0.75, 0.65, 0.47];
/** Pixels that the prior weighs: worlds that we made are kinder than the world, so a cell of few pixels stays near it. */
const WEIGHT = 200;
/** Greatest confidence, percent: no map of this kind is known to be better on labels of the ground. */
const MOST = 95;

/** Expected share right of each class and kind of evidence, percent, `[class * 8 + evidence]`. */
export function fitTable(judged: readonly Judged[]): readonly number[] {
  const right = new Float64Array(CLASSES * EVIDENCES);
  const all = new Float64Array(CLASSES * EVIDENCES);
  for (const { labels, evidence, isRight } of judged)
    labels.forEach((label, i) => {
      const cell = label * EVIDENCES + (evidence[i] ?? 0);
      all[cell] = (all[cell] ?? 0) + 1;
      if (isRight(i)) right[cell] = (right[cell] ?? 0) + 1;
    });
  return Array.from(all, (count, cell) => {
    const prior = PRIOR[Math.floor(cell / EVIDENCES)] ?? 0;
    if (prior === 0) return 0;
    return Math.min(MOST, Math.round((100 * ((right[cell] ?? 0) + WEIGHT * prior)) / (count + WEIGHT)));
  });
}

/** Pixels with the confidence that another table gives them. */
export function withTable(judged: Judged, table: readonly number[]): Judged {
  const { labels, evidence } = judged;
  return { ...judged, confidence: labels.map((label, i) => table[label * EVIDENCES + (evidence[i] ?? 0)] ?? 0) };
}

/** The table as the module that holds it. */
export function tableModule(table: readonly number[]): string {
  const rows = Array.from({ length: CLASSES }, (_, label) => {
    const cells = table.slice(label * EVIDENCES, (label + 1) * EVIDENCES);
    return `  ${cells.map((cell) => `${cell},`).join(' ')} // ${label}`;
  });
  return [
    '/**',
    ' * Confidence in percent, a row per class 0..12, a column per kind of evidence 0..7. Made by `npm run confidence` from the four settings of',
    ' * sample-world and published accuracies of global maps; a test makes it again and compares. Do not edit.',
    ' */',
    '// oxfmt-ignore',
    'export const CONFIDENCE: readonly number[] = [',
    ...rows,
    '];',
    '',
  ].join('\n');
}
