import type { MultiPolygon } from 'geojson';
import { expect, test } from 'vitest';
import { featureColor } from '@headwater/layer-kit';
import { mwsStyle } from './mws-layer.ts';
import { mwsPreview } from './mws-preview.ts';

const geometry: MultiPolygon = { type: 'MultiPolygon', coordinates: [] };
const layer = (...rows: readonly Record<string, number>[]) => ({
  type: 'FeatureCollection' as const,
  features: rows.map((properties) => ({ type: 'Feature' as const, geometry, properties })),
});

test('the style gives each micro-watershed the colour of its largest class; the legend has percentages over all micro-watersheds', () => {
  const rows = layer(
    { tree_forest_area_2021: 30, doubly_cropped_area_2021: 10, shrub_scrub_area_2022: 99 },
    { tree_forest_area_2021: 5, shrub_scrub_area_2021: 15 },
    { tree_forest_area_2021: 5, doubly_cropped_area_2021: 5 },
    { area_in_ha: 12 },
  );
  const style = mwsStyle(rows, 2021);
  const colors = rows.features.map(({ properties }) => featureColor(style, properties));
  expect(colors).toEqual(['#38761d', '#eaa4f0', '#38761d', '#ffffff']);
  const { legend, description } = mwsPreview(rows, 2021);
  expect(legend?.map(({ title, percentage }) => [title, percentage])).toEqual([
    ['Trees and forest', 57.1429],
    ['Double crop', 21.4286],
    ['Shrub and scrub', 21.4286],
  ]);
  expect(style.labels).toEqual(legend?.map(({ title }) => title));
  expect(style.colors).toEqual(legend?.map(({ color }) => color));
  expect(description).toContain('2021-2022');
});

test('does not give the colour of a class to a micro-watershed without a class', () => {
  const empty = layer({ area_in_ha: 12 });
  expect(mwsPreview(empty, 2021)).toEqual({ description: expect.stringContaining('2021-2022') });
  expect(featureColor(mwsStyle(empty, 2021), { area_in_ha: 12 })).toBe('#ffffff');
});
