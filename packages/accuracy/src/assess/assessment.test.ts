import { describe, expect, it } from 'vitest';
import { parseLegend } from '../legend/parse-legend.ts';
import { ConfusionMatrix } from '../matrix/confusion-matrix.ts';
import { assess, type Assessment, type Comparison } from './assessment.ts';
import { readAssessment } from './reading.ts';
import { Tally } from './tally.ts';

const LEGEND = parseLegend({
  classes: ['Deforestation', 'Forest gain', 'Stable forest', 'Stable non-forest', 'Never'].map((name, i) => ({
    name,
    map: [i + 1],
    reference: [name],
  })),
});
const ROWS = [
  [66, 0, 5, 4],
  [0, 55, 8, 12],
  [1, 0, 153, 11],
  [2, 1, 9, 313],
];
const HA = [18_000, 13_500, 288_000, 580_500];

/** The worked example of Olofsson et al. (2014). */
function example(changes: Partial<Comparison> = {}): Assessment {
  const tally = new Tally(LEGEND);
  ROWS.forEach((row, map) =>
    row.forEach((count, of) => tally.add({ reference: LEGEND.classes[of]?.name ?? '', mapped: map + 1 }, count)),
  );
  tally.add({ reference: 'swamp', mapped: 1 }, 3);
  const mappedHa = new Map(HA.map((ha, i) => [i, ha]));
  return assess({ claim: 'accuracy', design: 'points', legend: LEGEND, tally, mappedHa, ...changes });
}

describe('an assessment of a sample', () => {
  const assessment = example();

  it('has the counts as a matrix of the classes that occur: rows of the map, columns of the reference', () => {
    expect(assessment.matrix).toEqual(ROWS);
    expect(assessment.classes.map(({ name }) => name)).toEqual(LEGEND.classes.slice(0, 4).map(({ name }) => name));
    expect([assessment.samples, assessment.classes[1]?.mapped, assessment.classes[1]?.reference]).toEqual([
      640, 75, 56,
    ]);
  });

  it('has areas and accuracies by area, in addition to accuracies by count', () => {
    const [deforestation] = assessment.classes;
    expect(deforestation?.referenceHa?.value).toBeCloseTo(21_157.76, 1);
    expect(deforestation?.mappedHa).toBe(18_000);
    expect([deforestation?.recall?.value, deforestation?.areaRecall?.value]).toEqual([
      expect.closeTo(66 / 69, 9),
      expect.closeTo(0.7487, 3),
    ]);
    expect(assessment.areaOverall?.value).toBeCloseTo(0.9465, 4);
  });

  it('is described in sentences: agreement, least reliable class, areas, left-out labels', () => {
    const text = readAssessment(assessment).map((remark) => remark.text);
    expect(text).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^94\.7 % \(92\.8 % to 96\.5 %\) of the area of the map/),
        expect.stringMatching(
          /^Least reliable on the map: Forest gain\. 73\.3 % .* the largest part of the rest is Stable non-forest in/,
        ),
        expect.stringMatching(/^Left out, .* labels of the reference: swamp \(3\)\.$/),
        expect.stringMatching(/drawn at random/),
        'The mapped area of every class lies within the interval that the sample gives for it.',
      ]),
    );
    expect(text.join(' ')).not.toMatch(/consistency|agreement with another|NaN|undefined|null/);
  });

  it('names the classes that have a wrong area on the map', () => {
    const text = readAssessment(
      example({ mappedHa: new Map([...HA.entries()].map(([i, ha]) => [i, i === 0 ? ha * 20 : ha])) }),
    );
    expect(text.map((remark) => remark.text).join(' ')).toMatch(
      /area of \d of 4 classes is wrong on the map.*Deforestation: 360,000 ha on the map/,
    );
  });

  it('names classes of the map without a sample, and classes with a single sample', () => {
    const tally = new Tally(LEGEND);
    tally.add({ reference: 'Deforestation', mapped: 1 });
    tally.add({ reference: 'Forest gain', mapped: 2 }, 60);
    const thin = example({
      tally,
      mappedHa: new Map([
        [0, 100],
        [1, 200],
        [4, 5],
      ]),
    });
    expect(thin.unsampled).toEqual([{ title: 'Never', hectares: 5 }]);
    const text = readAssessment(thin)
      .map((remark) => remark.text)
      .join(' ');
    expect(text).toMatch(
      /No sample is mapped as: Never \(5 ha\).*A single sample is mapped as: Deforestation \(100 ha\)/,
    );
    expect(text).toMatch(/Fewer than 50 samples are mapped as: Deforestation \(1\)\./);
  });

  it('does not compare the area of a class without samples or with only one sample', () => {
    const tally = new Tally(LEGEND);
    tally.add({ reference: 'Forest gain', mapped: 1 });
    const mappedHa = new Map([
      [0, 100],
      [1, 200],
    ]);
    const text = readAssessment(example({ tally, mappedHa }))
      .map((remark) => remark.text)
      .join(' ');
    expect(text).toMatch(/of 1 point has the same class/);
    expect(text).not.toMatch(/is wrong on the map|every class/);
  });

  it('warns that pixels of one polygon depend on each other, and that map and reference come from the same synthetic world', () => {
    const text = (changes: Partial<Comparison>): string =>
      readAssessment(example(changes))
        .map((remark) => remark.text)
        .join(' ');
    expect(text({ design: 'polygon-pixels' })).toMatch(/depend on each other\. So the standard errors are too small/);
    expect(text({ design: 'polygons' })).toMatch(/Each polygon counted once/);
    expect(text({ claim: 'consistency' })).toMatch(/This is consistency, not accuracy/);
    expect(text({ claim: 'agreement' })).toMatch(/This is agreement with another map, not accuracy/);
  });

  it('has no figures if there are no samples', () => {
    const empty = example({ tally: new Tally(LEGEND), mappedHa: new Map([[0, 10]]) });
    expect(empty).toMatchObject({ samples: 0, overall: null, kappa: null, areaOverall: null });
    expect(readAssessment(empty)[0]?.text).toMatch(/^Nothing could be compared/);
  });
});

it('an assessment with a reference raster has measured areas and no intervals', () => {
  const pairHa = new ConfusionMatrix();
  ROWS.forEach((row, map) => row.forEach((count, of) => pairHa.add(of, map, count / 100)));
  const assessment = example({ design: 'raster', claim: 'agreement', pairHa });
  expect(assessment.classes[0]).toMatchObject({
    mappedHa: expect.closeTo(0.75, 9),
    referenceHa: { value: expect.closeTo(0.69, 9), low: null },
    precision: { value: 0.88, standardError: null, low: null, high: null },
    areaPrecision: null,
  });
  expect(assessment.areaOverall?.value).toBeCloseTo(587 / 640, 9);
  expect(
    readAssessment(assessment)
      .map(({ text }) => text)
      .join(' '),
  ).toMatch(/nothing was sampled/);
});
