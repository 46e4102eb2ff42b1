import { describe, expect, it } from 'vitest';
import { ConfusionMatrix } from '../matrix/confusion-matrix.ts';
import { wilson } from './interval.ts';
import { type StratifiedEstimate, stratifiedEstimate } from './stratified.ts';

/** Rows are classes of the map, columns classes of the reference, with the codes 1, 2, ... */
function matrixOf(rows: readonly (readonly number[])[]): ConfusionMatrix {
  const matrix = new ConfusionMatrix();
  rows.forEach((row, mapped) => row.forEach((count, reference) => matrix.add(reference + 1, mapped + 1, count)));
  return matrix;
}

function estimate(rows: readonly (readonly number[])[], areas: readonly number[]): StratifiedEstimate {
  const made = stratifiedEstimate(matrixOf(rows), new Map(areas.map((area, i) => [i + 1, area])));
  if (made === undefined) throw new Error('no samples');
  return made;
}

const printed = (e: { value: number; standardError: number } | null, digits: number): string =>
  e === null ? 'none' : `${e.value.toFixed(digits)} ${(1.96 * e.standardError).toFixed(digits)}`;

describe('the worked example of Olofsson et al. 2014 (tables 8 and 9, section 5.2)', () => {
  // Deforestation, forest gain, stable forest, stable non-forest.
  const ROWS = [
    [66, 0, 5, 4],
    [0, 55, 8, 12],
    [1, 0, 153, 11],
    [2, 1, 9, 313],
  ];
  // Number of pixels of 30 m of each class on the map.
  const PIXELS = [200_000, 150_000, 3_200_000, 6_450_000];
  const HA = 0.09;
  const { overall, classes, totalArea, unsampled, single } = estimate(ROWS, PIXELS);

  it('gives the published accuracies', () => {
    expect(printed(overall, 2)).toBe('0.95 0.02');
    expect(classes.map(({ precision }) => printed(precision, 2))).toEqual([
      '0.88 0.07',
      '0.73 0.10',
      '0.93 0.04',
      '0.96 0.02',
    ]);
    // The paper prints 0.23 and 0.01 for the second and fourth class, but its equation 7 yields 0.25 and 0.02.
    expect(classes.map(({ recall }) => printed(recall, 2))).toEqual([
      '0.75 0.21',
      '0.85 0.25',
      '0.93 0.03',
      '0.96 0.02',
    ]);
  });

  it('gives the published areas: 235,086 +- 68,418 pixels of deforestation, 21,158 +- 6,158 ha', () => {
    expect([totalArea, unsampled, single]).toEqual([10_000_000, [], []]);
    expect(printed(classes[0]?.area ?? null, 0)).toBe('235086 68418');
    const inHa = estimate(
      ROWS,
      PIXELS.map((pixels) => pixels * HA),
    );
    expect(inHa.classes.map(({ area }) => printed(area, 0))).toEqual([
      '21158 6158',
      '11686 3756',
      '285770 15510',
      '581386 16282',
    ]);
    const [deforestation] = inHa.classes;
    expect(deforestation?.mappedArea).toBe(18_000);
    expect(deforestation?.area.low).toBeCloseTo(21_157.76 - 6157.63, 1);
    expect(deforestation?.area.high).toBeCloseTo(21_157.76 + 6157.63, 1);
  });

  it('gives areas that add up to the whole, and errors that do not depend on the unit', () => {
    expect(classes.reduce((sum, { area }) => sum + area.value, 0)).toBeCloseTo(10_000_000, 3);
    const shares = estimate(ROWS, [0.02, 0.015, 0.32, 0.645]);
    expect(shares.overall.standardError).toBeCloseTo(overall.standardError, 12);
    expect(shares.classes[1]?.recall?.standardError).toBeCloseTo(classes[1]?.recall?.standardError ?? 0, 12);
  });
});

describe('strata with few samples', () => {
  it('leaves a class without samples out of the estimates, and names its area', () => {
    const { totalArea, unsampled, classes } = estimate([[9, 1], [2, 8], []], [100, 300, 50]);
    expect([totalArea, unsampled]).toEqual([400, [{ code: 3, area: 50, samples: 0 }]]);
    expect(classes[2]).toMatchObject({ mappedArea: 50, precision: null, recall: null, area: { value: 0 } });
  });

  it('uses the largest variance for a class with one sample, and names the class', () => {
    const many = estimate(
      [
        [30, 0],
        [0, 30],
      ],
      [100, 100],
    );
    const { single, overall } = estimate(
      [
        [30, 0],
        [0, 1],
      ],
      [100, 100],
    );
    expect(single).toEqual([{ code: 2, area: 100, samples: 1 }]);
    expect(overall.standardError).toBeCloseTo(Math.sqrt(0.5 ** 2 * 0.25), 12);
    expect(overall.low).toBeLessThan(many.overall.low);
  });

  it('gives no precision for a class that is not on the map, but estimates its area', () => {
    const [, second] = estimate([[8, 2]], [1000]).classes;
    expect(second).toMatchObject({
      code: 2,
      mappedArea: 0,
      precision: null,
      recall: { value: 0 },
      area: { value: 200 },
    });
  });

  it('refuses samples of a mapped class without an area, and returns undefined without samples', () => {
    expect(() =>
      estimate(
        [
          [5, 0],
          [1, 4],
        ],
        [100],
      ),
    ).toThrow(/class 2.*give the area/);
    expect(stratifiedEstimate(new ConfusionMatrix(), new Map([[1, 5]]))).toBeUndefined();
  });
});

describe('estimates whose variance is 0', () => {
  const { overall, classes } = estimate(
    [
      [20, 0],
      [0, 5],
    ],
    [900, 100],
  );

  it('have the width of Wilson’s interval, not zero', () => {
    expect(classes[1]?.precision).toMatchObject({ value: 1, standardError: 0, method: 'wilson', ...wilson(1, 5) });
    expect(overall.value).toBe(1);
    expect(overall.low).toBeCloseTo(1 - Math.hypot(0.9 * (1 - wilson(1, 20).low), 0.1 * (1 - wilson(1, 5).low)), 12);
  });

  it('have an interval for areas and recall too, because the samples of the large class may have missed errors', () => {
    const [large, small] = classes;
    expect(small?.area.value).toBe(100);
    expect(small?.area.low).toBeLessThan(100);
    expect(small?.area.high).toBeGreaterThan(100 + 900 * 0.1);
    expect(small?.recall?.low).toBeLessThan(large?.recall?.low ?? 0);
    expect([small?.recall?.value, small?.recall?.high]).toEqual([1, 1]);
  });
});
