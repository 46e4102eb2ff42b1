import { expect, test } from 'vitest';
import { pictureSize, scaleBar, type MapExtent } from './map-scale.ts';

const covering = (width: number, height: number): MapExtent => ({
  degrees: [width, height],
  middleLatitude: 0,
  widthMetres: 1000,
});

test.each([
  [4000, '1 km', 25],
  [5000, '2 km', 40],
  [26_000, '10 km', 38.46],
  [120_000, '20 km', 16.67],
  [130_000, '50 km', 38.46],
  [1300, '500 m', 38.46],
  [30, '10 m', 33.33],
])('the scale bar of a picture that covers %d m from west to east is %s long', (width, text, percent) => {
  const bar = scaleBar(width);
  expect(bar.text).toBe(text);
  expect(bar.percent).toBeCloseTo(percent, 2);
  expect((bar.percent / 100) * width).toBeCloseTo(bar.metres, 6);
});

test('pictureSize has the proportions of the extent on the ground', () => {
  const north = { degrees: [0.06, 0.04], middleLatitude: 32, widthMetres: 5000 } as const;
  const { width, height } = pictureSize(north, 1000);
  expect(width / height).toBeCloseTo(1.5 * Math.cos((32 * Math.PI) / 180), 2);
});

test('the longer side of a picture has the requested length; without an extent, the picture is a square', () => {
  expect(pictureSize(covering(1, 0.5), 512)).toEqual({ width: 512, height: 256 });
  expect(pictureSize(covering(0.25, 1), 512)).toEqual({ width: 128, height: 512 });
  expect(pictureSize(undefined, 512)).toEqual({ width: 512, height: 512 });
});
