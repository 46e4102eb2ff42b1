import { expect, test } from 'vitest';
import { byTheme } from './themes.ts';

const layers = (...themes: readonly (string | undefined)[]) => themes.map((theme, id) => ({ id, theme }));

test('a list of 12 or fewer layers is one group, whatever the themes of the layers', () => {
  expect(byTheme(layers('terrain', 'terrain', 'land use'), 'Others')).toHaveLength(1);
});

test('more than 12 layers are grouped by theme, in the order of the first layer of each theme; layers without a theme, and themes with one layer, come last', () => {
  const many = layers('terrain', 'grid', ...Array.from({ length: 9 }, () => 'change detection'), undefined, 'terrain');
  expect(byTheme(many, 'Others').map(({ title, layers: own }) => [title, own.map(({ id }) => id)])).toEqual([
    ['Terrain', [0, 12]],
    ['Change detection', [2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['Others', [1, 11]],
  ]);
});
