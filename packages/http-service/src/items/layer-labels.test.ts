import { expect, test } from 'vitest';
import { labelOf, withDistinctLabels } from './layer-labels.ts';

const day = '2026-11-22T03:19:11.840Z';
const [start, end] = ['2021-07-01T00:00:00Z', '2024-06-30T00:00:00Z'];

test.each([
  [{ start, end, isVector: false }, '2021-2024'],
  [{ start, end, isVector: true }, 'Vector 2021-2024'],
  [{ start: day, end: day, isVector: false }, 'Map'],
  [{ start: day, end: day, isVector: true }, 'Vector'],
  [{ start: undefined, end: undefined, isVector: false }, 'Map'],
])('the label of %j is %s', (layer, label) => expect(labelOf(layer)).toBe(label));

test('layers with equal labels are labelled with their titles, without place and years', () => {
  const layers = ['crops', 'trees'].map((cover) => ({
    title: `NDVI of ${cover} per micro-watershed of Jalsrota: 2021-2024 (synthetic sample)`,
    label: 'Vector 2021-2024',
  }));
  expect(withDistinctLabels(layers, 'Jalsrota').map(({ label }) => label)).toEqual([
    'NDVI of crops per micro-watershed',
    'NDVI of trees per micro-watershed',
  ]);
  expect(withDistinctLabels(layers.slice(1), 'Jalsrota')).toEqual(layers.slice(1));
});
