import { expect, test } from 'vitest';
import { byTheme } from './themes.ts';

const layers = (...themes: readonly (string | undefined)[]) => themes.map((theme, id) => ({ id, theme }));

test('few layers are in one group', () => {
  expect(byTheme(layers('terrain', 'terrain', 'land use'), 'Others')).toHaveLength(1);
});

test('many layers are grouped by theme, themes in order of first appearance; layers without a theme or alone in one come last', () => {
  const many = layers('terrain', 'grid', ...Array.from({ length: 9 }, () => 'change detection'), undefined, 'terrain');
  expect(byTheme(many, 'Others').map(({ title, layers: own }) => [title, own.map(({ id }) => id)])).toEqual([
    ['Terrain', [0, 12]],
    ['Change detection', [2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['Others', [1, 11]],
  ]);
});
