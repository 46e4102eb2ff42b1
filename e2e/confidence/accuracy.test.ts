import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fitSample } from './fit-sample.ts';
import { fitWeights, tableModule, withWeights } from './fit.ts';
import type { Judged } from './observed.ts';
import { hasRealPatch } from './real-patch.ts';
import { areaUnderCurve, brierScore, calibrationError, ofClass, reliability, reliabilitySvg } from './reliability.ts';
import { curvesOf, ownSources, realSources, reportMarkdown } from './report.ts';

const TABLE = new URL('../../packages/land-cover/src/confidence/table.ts', import.meta.url);

const REPORT = new URL('../../docs/accuracy/reliability.md', import.meta.url);
const PLOT = new URL('../../docs/accuracy/reliability.svg', import.meta.url);

describe('the committed files', () => {
  const sample = fitSample();

  it('contain weights of confidence that equal a new fit to the same sources, byte for byte', () =>
    expect(tableModule(fitWeights(Object.values(sample).flat()))).toBe(readFileSync(TABLE, 'utf8')));

  it('contain the same report and plot as a new run with the same sources, byte for byte', async () => {
    const report = readFileSync(REPORT, 'utf8');
    if (hasRealPatch()) {
      const sources = [...ownSources(sample), ...(await realSources())];
      expect(reportMarkdown(sources)).toBe(report);
      expect(reliabilitySvg(curvesOf(sources))).toBe(readFileSync(PLOT, 'utf8'));
    } else {
      console.log('the real sample is not next to the repository: its lines of the report are not compared');
      expect(reportMarkdown(ownSources(sample))).toBe(report.replaceAll(/^\| real: .*\n/gm, ''));
    }
  });
});

/** Returns ten pixels for each group. A group consists of class, evidence, confidence and number of right pixels. */
function judged(...groups: readonly (readonly [number, number, number, number])[]): Judged {
  const plane = (nth: 0 | 1 | 2): Uint8Array =>
    Uint8Array.from({ length: 10 * groups.length }, (_, i) => groups[Math.floor(i / 10)]?.[nth] ?? 0);
  const isRight = (pixel: number): boolean => pixel % 10 < (groups[Math.floor(pixel / 10)]?.[3] ?? 0);
  return { labels: plane(0), evidence: plane(1), confidence: plane(2), isRight };
}

describe('fitWeights', () => {
  const fitted = (sample: readonly Judged[], ...pixels: readonly (readonly [number, number])[]): readonly number[] => {
    const one = judged(...pixels.map(([label, evidence]) => [label, evidence, 0, 0] as const));
    return [...withWeights(one, fitWeights(sample)).confidence].filter((_, pixel) => pixel % 10 === 0);
  };

  it('gives a confidence near the prior if there are no observations', () => {
    const [crop = 0, shrub = 0, none, removed] = fitted([], [8, 64 + 20 + 2], [12, 64 + 20 + 2], [0, 0], [5, 0]);
    expect([Math.abs(crop - 75) < 8, shrub < crop, none, removed]).toEqual([true, true, 0, 0]);
  });

  it('moves the confidence from the prior towards the observed share of right pixels if there are many observations', () => {
    const many = Array.from({ length: 200 }, () => judged([8, 255, 0, 10], [8, 252, 0, 2]));
    const [best = 0, worst = 0] = fitted(many, [8, 255], [8, 252]);
    expect([best > 85, best - worst > 20]).toEqual([true, true]);
  });

  it('gives no weight to evidence that is stronger where the class is wrong', () => {
    const many = Array.from({ length: 200 }, () => judged([12, 3, 0, 2], [12, 0, 0, 9]));
    expect(fitWeights(many)[12]?.[1]).toBe(0);
  });
});

describe('reliability', () => {
  const all = Array.from({ length: 4 }, () => judged([8, 0, 95, 9], [8, 0, 52, 2], [0, 0, 0, 10]));

  it('puts pixels with a class into bins of ten percent', () =>
    expect(reliability(all)).toEqual([
      { confidence: expect.closeTo(0.52, 9) as number, right: 0.2, pixels: 40 },
      { confidence: expect.closeTo(0.95, 9) as number, right: 0.9, pixels: 40 },
    ]));

  it('gives the calibration error: the mean distance from the diagonal', () =>
    expect(calibrationError(reliability(all))).toBeCloseTo((0.32 + 0.05) / 2, 9));

  it('gives the Brier score, and the area under the ROC curve of all classes and of one class', () => {
    const wrong = (0.95 ** 2 * 4 + 0.05 ** 2 * 36 + 0.52 ** 2 * 32 + 0.48 ** 2 * 8) / 80;
    expect(brierScore(all)).toBeCloseTo(wrong, 9);
    // 36 of 44 right pixels and 4 of 36 wrong pixels have a confidence of 95 percent.
    expect(areaUnderCurve(all)).toBeCloseTo((36 * (32 + 2) + 8 * 16) / (44 * 36), 9);
    const two = [judged([8, 0, 90, 10], [9, 0, 50, 0])];
    expect([areaUnderCurve(two), areaUnderCurve(ofClass(two, 8))]).toEqual([1, Number.NaN]);
  });

  it('omits bins of few pixels', () => expect(reliability(all.slice(0, 2))).toEqual([]));

  it('draws each curve with its name', () => {
    const svg = reliabilitySvg([{ name: 'one', color: '#112233', bins: reliability(all) }]);
    expect(svg).toContain('>one</text>');
    expect(svg.match(/<circle/g)).toHaveLength(2);
  });
});
