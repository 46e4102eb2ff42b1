import { describe, expect, it } from 'vitest';
import { assess, type Assessment } from '../assess/assessment.ts';
import { Tally } from '../assess/tally.ts';
import { parseLegend } from '../legend/parse-legend.ts';
import { leftOutCounts, resultTable, type ValidationResult } from './result-table.ts';
import { storedValidation } from './stored-validation.ts';

const LEGEND = parseLegend({
  classes: [
    { name: 'water', title: 'Water <b>&', color: '#0000FF', map: [1], reference: ['water'] },
    ...['trees', 'crops', 'shrubs', 'towns', 'snow'].map((name, i) => ({ name, map: [i + 2], reference: [name] })),
  ],
});
/** Pairs of label and value, with their counts; 40 and `swamp` have no class. */
const PAIRS: readonly (readonly [label: string, value: number | null, count: number])[] = [
  ['water', 1, 30],
  ['trees', 2, 41],
  ['crops', 2, 7],
  ['trees', 3, 3],
  ['crops', 3, 52],
  ['water', 4, 1],
  ['swamp', 1, 2],
  ['crops', 40, 5],
  ['crops', null, 4],
];
/** Mapped area of each class by its index, ha. Towns and snow have no sample, shrubs a single sample. */
const HECTARES = new Map([
  [5, 12.25],
  [4, 3.5],
  [2, 900.125],
  [1, 400],
  [3, 0.75],
  [0, 120],
]);

function validationOf(pairs: typeof PAIRS): ValidationResult {
  const tally = new Tally(LEGEND);
  for (const [reference, mapped, count] of pairs) tally.add({ reference, mapped }, count);
  const assessment = assess({ claim: 'consistency', design: 'polygons', legend: LEGEND, tally, mappedHa: HECTARES });
  return { assessment, tooSmall: 2, repeated: 6, labelsSha256: 'ab12', judged: { version: 3, runId: 'run-7' } };
}

const stored = (of: ValidationResult): Pick<ReturnType<typeof resultTable>, 'key' | 'rows'> =>
  JSON.parse(JSON.stringify(resultTable(of)));

function figuresOf(assessment: Assessment): Omit<Assessment, 'leftOut'> {
  const { leftOut: _, ...figures } = assessment;
  return figures;
}

describe('a validation that was stored', () => {
  it('is read back from its rows with every figure', () => {
    const of = validationOf(PAIRS);
    const read = storedValidation(stored(of));
    expect(read?.figures).toEqual(figuresOf(of.assessment));
    expect(read?.figures.unsampled.map(({ title }) => title)).toEqual(['towns', 'snow']);
    expect(read?.figures.single).toEqual([{ title: 'shrubs', hectares: 0.75 }]);
    expect(read?.figures.classes[0]).toMatchObject({ title: 'Water <b>&', color: '#0000ff', mapped: 30 });
    expect(read).toMatchObject({ labelsSha256: 'ab12', layerVersion: 3, layerRunId: 'run-7' });
  });

  it('contains the number of left-out samples by reason, but not their labels', () => {
    const of = validationOf(PAIRS);
    const read = storedValidation(stored(of));
    expect(Object.fromEntries((read?.leftOut ?? []).map(({ why, samples }) => [why, samples]))).toEqual(
      leftOutCounts(of),
    );
    expect(leftOutCounts(of)).toMatchObject({ unmapped_labels: 2, unmapped_values: 5, layer_nodata: 4, repeated: 6 });
    expect(JSON.stringify(read)).not.toContain('swamp');
  });

  it('has no figures if nothing could be compared', () => {
    const of = validationOf([['water', null, 3]]);
    const read = storedValidation(stored(of));
    expect(read?.figures).toEqual(figuresOf(of.assessment));
    expect(read?.figures).toMatchObject({ samples: 0, overall: null, kappa: null, unsampled: [] });
  });

  it('has no colours if an earlier release stored it', () => {
    const { key, rows } = stored(validationOf(PAIRS));
    const earlier = rows.map((row) => {
      const { color: _, ...others } = row;
      return others;
    });
    expect(storedValidation({ key, rows: earlier })?.figures.classes.map(({ color }) => color)).toEqual(
      LEGEND.classes.map(() => undefined),
    );
  });

  it('is undefined for a table that is not a validation', () => {
    expect(storedValidation({ key: 'uid', rows: [{ uid: '12_1', area: 3 }] })).toBeUndefined();
    expect(storedValidation({ key: 'row', rows: [{ row: 'overall', claim: 'truth', design: 'points' }] })).toBe(
      undefined,
    );
    expect(storedValidation({ key: 'row', rows: [] })).toBeUndefined();
  });
});
