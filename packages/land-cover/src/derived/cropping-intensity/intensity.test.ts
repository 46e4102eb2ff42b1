import { describe, expect, it } from 'vitest';
import { cropIndicators } from './pipeline.ts';
import { cropAreasOf, croppingIntensity } from './intensity.ts';

const hectares = (areas: Readonly<Record<number, number>>): readonly number[] =>
  Array.from({ length: 256 }, (_, code) => areas[code] ?? 0);

describe('cropping intensity', () => {
  // A pixel of 10 m at 21.9 N has 0.0092260 ha. Thirds and sevenths of it are not exact binary fractions.
  it.each([
    [{ 8: 100, 9: 50, 10: 30, 11: 20 }, 200, (150 + 60 + 60) / 200],
    [{ 8: 0.009226, 9: 0.027678, 10: 0.018452 }, 0.055356, 4 / 3],
    [{ 11: 7 }, 7, 3],
    [{ 10: 1 / 3 }, 1 / 7, 14 / 3],
    [{ 6: 10, 7: 20, 12: 30 }, 5, 0],
  ])('of %j hectares on %d is %d', (areas, total, expected) => {
    const intensity = croppingIntensity(cropAreasOf(hectares(areas)), total);
    expect(Math.abs((intensity ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-12);
  });

  it('is null if no land is cropped in any year', () => {
    expect(croppingIntensity(cropAreasOf(undefined), 0)).toBeNull();
    expect(cropIndicators([cropAreasOf(undefined)], 0)).toEqual({
      cropping_intensity_trend: '0',
      cropping_intensity_avg: null,
      avg_single_cropped: null,
      avg_double_cropped: null,
      avg_triple_cropped: null,
    });
  });

  it('has means over its years, as shares of the land that is cropped in any year, and a trend', () => {
    const years = [10, 20, 30, 40, 50].map((double) =>
      cropAreasOf(hectares({ 8: 60 - double, 9: 20, 10: double, 11: 20 })),
    );
    expect(cropIndicators(years, 100)).toEqual({
      cropping_intensity_trend: '1',
      cropping_intensity_avg: (1.5 + 1.6 + 1.7 + 1.8 + 1.9) / 5,
      avg_single_cropped: 50,
      avg_double_cropped: 30,
      avg_triple_cropped: 20,
    });
  });
});
