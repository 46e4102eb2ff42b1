import { expect, test } from 'vitest';
import { mapExtent } from '../layers/map-extent.ts';
import { mapScale, pictureSize, scaleBar } from './map-scale.ts';

test.each([
  [4000, '1 km', 25],
  [5000, '2 km', 40],
  [26_000, '10 km', 38.46],
  [120_000, '20 km', 16.67],
  [130_000, '50 km', 38.46],
  [1300, '500 m', 38.46],
  [30, '10 m', 33.33],
])('on a picture of %d m the bar is %s', (width, text, percent) => {
  const bar = scaleBar(width);
  expect(bar.text).toBe(text);
  expect(bar.percent).toBeCloseTo(percent, 2);
  expect((bar.percent / 100) * width).toBeCloseTo(bar.metres, 6);
});

test('the same degrees are fewer kilometres in the north, and the bar follows', async () => {
  const lengthAt = async (latitude: number): Promise<number> => {
    const extent = mapExtent({ bbox: [75, latitude - 0.1, 75.2, latitude + 0.1] });
    if (extent === undefined) throw new Error('no extent');
    const text = String(await mapScale(extent));
    expect(text).toContain(`Bar: 5 km from east to west at ${latitude.toFixed(1)}° N`);
    expect(text).toContain('north is up');
    return Number(/class="length" width="([\d.]+)"/.exec(text)?.[1]);
  };
  const [south, north] = [await lengthAt(10), await lengthAt(35)];
  expect(north / south).toBeCloseTo(Math.cos((10 * Math.PI) / 180) / Math.cos((35 * Math.PI) / 180), 2);
});

test('a picture has the proportions of its extent before it has come', () => {
  expect(pictureSize(mapExtent({ bbox: [75, 20, 76, 20.5] }), 512)).toEqual({ width: 512, height: 256 });
  expect(pictureSize(mapExtent({ bbox: [75, 20, 75.25, 21] }), 512)).toEqual({ width: 128, height: 512 });
  expect(pictureSize(undefined, 512)).toEqual({ width: 512, height: 512 });
});
