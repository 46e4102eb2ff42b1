import type { MultiPolygon } from 'geojson';
import { expect, test } from 'vitest';
import { mwsPreview } from './mws-preview.ts';

const geometry: MultiPolygon = { type: 'MultiPolygon', coordinates: [] };
const layer = (...rows: readonly Record<string, number>[]) => ({
  type: 'FeatureCollection' as const,
  features: rows.map((properties) => ({ type: 'Feature' as const, geometry, properties })),
});

test('gives each micro-watershed the colour of its largest class, and a legend with the sums over all micro-watersheds', () => {
  const { colors, shown } = mwsPreview(
    layer(
      { tree_forest_area_2021: 30, doubly_cropped_area_2021: 10, shrub_scrub_area_2022: 99 },
      { tree_forest_area_2021: 5, shrub_scrub_area_2021: 15 },
    ),
    2021,
  );
  expect(colors).toEqual(['#38761d', '#eaa4f0']);
  expect(shown.legend?.map(({ title, percentage }) => [title, percentage])).toEqual([
    ['Trees and forest', 58.3333],
    ['Double crop', 16.6667],
    ['Shrub and scrub', 25],
  ]);
  expect(shown.description).toContain('2021-2022');
});

test('does not give the colour of a class to a micro-watershed without a class', () => {
  expect(mwsPreview(layer({ area_in_ha: 12 }), 2021)).toEqual({
    colors: ['#ffffff'],
    shown: { description: expect.stringContaining('2021-2022') },
  });
});
