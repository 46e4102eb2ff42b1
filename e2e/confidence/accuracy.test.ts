import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fitSample } from './fit-sample.ts';
import { fitTable, tableModule } from './fit.ts';
import type { Judged } from './observed.ts';
import { hasRealPatch } from './real-patch.ts';
import { areaUnderCurve, brierScore, calibrationError, ofClass, reliability, reliabilitySvg } from './reliability.ts';
import { curvesOf, ownSources, realSources, reportMarkdown } from './report.ts';

const TABLE = new URL('../../packages/land-cover/src/confidence/table.ts', import.meta.url);

const REPORT = new URL('../../docs/accuracy/reliability.md', import.meta.url);
const PLOT = new URL('../../docs/accuracy/reliability.svg', import.meta.url);

describe('the committed files', () => {
  const sample = fitSample();

  it('contain the same table of confidence as a new fit to the same sources, byte for byte', () =>
    expect(tableModule(fitTable(Object.values(sample).flat()))).toBe(readFileSync(TABLE, 'utf8')));

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

/**
 * Returns pixels in groups of ten. A group is given by a class, evidence, confidence and the number of its pixels that
 * are right.
 */
function judged(...groups: readonly (readonly [number, number, number, number])[]): Judged {
  const plane = (nth: 0 | 1 | 2): Uint8Array =>
    Uint8Array.from({ length: 10 * groups.length }, (_, i) => groups[Math.floor(i / 10)]?.[nth] ?? 0);
  const isRight = (pixel: number): boolean => pixel % 10 < (groups[Math.floor(pixel / 10)]?.[3] ?? 0);
  return { labels: plane(0), evidence: plane(1), confidence: plane(2), isRight };
}

describe('fitTable', () => {
  it('gives the published share without observations, and moves towards the observed share with more observations', () => {
    const empty = fitTable([]);
    expect([empty[8 * 8], empty[12 * 8 + 3], empty[0], empty[5 * 8]]).toEqual([75, 47, 0, 0]);
    const many = Array.from({ length: 100 }, () => judged([8, 7, 0, 10], [12, 0, 0, 1]));
    const table = fitTable(many);
    expect([table[8 * 8 + 7], table[12 * 8], table[8 * 8]]).toEqual([95, 16, 75]);
  });
});

describe('fitTable of evidence that contradicts itself', () => {
  it('pools the kinds of evidence, so that better evidence never has a lower confidence', () => {
    const many = Array.from({ length: 100 }, () => judged([8, 2, 0, 9], [8, 4, 0, 3], [8, 7, 0, 1]));
    const row = fitTable(many).slice(64, 72);
    expect(row.every((share, kind) => kind % 2 === 0 || share >= row[kind - 1]!)).toBe(true);
    expect(row.every((share, kind) => kind < 2 || share >= row[kind - 2]!)).toBe(true);
    expect(row[2]).toBe(row[4]);
  });
});

describe('reliability', () => {
  const all = Array.from({ length: 4 }, () => judged([8, 0, 95, 9], [8, 0, 52, 2], [0, 0, 0, 10]));

  it('puts pixels with a class into bins of ten percent', () =>
    expect(reliability(all)).toEqual([
      { confidence: expect.closeTo(0.52, 9) as number, right: 0.2, pixels: 40 },
      { confidence: expect.closeTo(0.95, 9) as number, right: 0.9, pixels: 40 },
    ]));

  it('gives the mean distance from the diagonal', () =>
    expect(calibrationError(reliability(all))).toBeCloseTo((0.32 + 0.05) / 2, 9));

  it('gives the Brier score, the area under the ROC curve, and both for one class', () => {
    const wrong = (0.95 ** 2 * 4 + 0.05 ** 2 * 36 + 0.52 ** 2 * 32 + 0.48 ** 2 * 8) / 80;
    expect(brierScore(all)).toBeCloseTo(wrong, 9);
    // 44 right pixels, 36 of them with 95 percent; 36 wrong pixels, 4 of them with 95 percent.
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
