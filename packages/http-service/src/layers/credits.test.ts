import { expect, test } from 'vitest';
import { creditsOf } from './credits.ts';

const credits = (own: string | undefined, ...layers: readonly (string | undefined)[]): readonly string[] =>
  creditsOf(
    own === undefined ? {} : { attribution: own },
    layers.map((attribution) => ({ attribution })),
  );

test('merges credits that differ only in their years, lists each credit once, and puts the credit of the operator last', () => {
  const [a, b] = [
    'Contains modified Copernicus Sentinel data 2021-2022',
    'Contains modified Copernicus Sentinel data 2019',
  ];
  expect(credits('Example Institute', a, b, a, 'Synthetic scenes', undefined, 'Synthetic scenes')).toEqual([
    'Contains modified Copernicus Sentinel data 2019-2022',
    'Synthetic scenes',
    'Example Institute',
  ]);
  expect(credits(undefined, b)).toEqual([b]);
  expect(credits(undefined)).toEqual([]);
  expect(credits('Lab', 'Lab')).toEqual(['Lab']);
});

test('splits the credit of a layer with two sources, so that no source is credited twice', () => {
  const [scenes, elevations] = ['Synthetic scenes', 'Synthetic elevations'];
  expect(credits(undefined, scenes, `${elevations}; ${scenes}`, elevations)).toEqual([scenes, elevations]);
});
