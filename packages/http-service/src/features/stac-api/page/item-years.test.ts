import { expect, it } from 'vitest';
import { shownYears } from './item-years.ts';

const layers = Array.from({ length: 15 }, (_, i) => ({ id: `lulc_${2024 - i}` }));
const idsFor = (page: string): readonly string[] => shownYears(layers, page).map(({ id }) => id);

it('shows the 12 newest years', () => {
  expect(idsFor('lulc_2024')).toEqual(layers.slice(0, 12).map(({ id }) => id));
  expect(idsFor('lulc_2013')).toEqual(idsFor('lulc_2024'));
  expect(shownYears(layers.slice(0, 3), 'lulc_2023')).toHaveLength(3);
});

it('shows the year of the page even if it is older; the oldest of the 12 newest years is then left out', () => {
  expect(idsFor('lulc_2010')).toEqual([...layers.slice(0, 11).map(({ id }) => id), 'lulc_2010']);
});
