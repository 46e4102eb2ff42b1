import { describe, expect, it } from 'vitest';
import { layerCells, rowOf, sheetCells } from './columns.ts';
import { cropIndicators } from './pipeline.ts';
import { cropYearOf, croppingIntensity, intensityWithoutClass11 } from './intensity.ts';

const hectares = (areas: Readonly<Record<number, number>>): readonly number[] =>
  Array.from({ length: 256 }, (_, code) => areas[code] ?? 0);

describe('cropping intensity', () => {
  // Areas such as 0.009226 ha (a pixel at 21.9 N of a grid in degrees) and 1 / 7 ha cause rounding errors.
  it.each([
    [{ 8: 100, 9: 50, 10: 30, 11: 20 }, 200, (150 + 60 + 60) / 200],
    [{ 8: 0.009226, 9: 0.027678, 10: 0.018452 }, 0.055356, 4 / 3],
    [{ 11: 7 }, 7, 3],
    [{ 10: 1 / 3 }, 1 / 7, 14 / 3],
    [{ 6: 10, 7: 20, 12: 30 }, 5, 0],
  ])('of %j hectares by class, on %d cropable hectares, is %d', (areas, total, expected) => {
    const intensity = croppingIntensity(cropYearOf(hectares(areas)), total);
    expect(Math.abs((intensity ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-12);
  });

  it('is null if no land is cropped in any year', () => {
    expect(croppingIntensity(cropYearOf(undefined), 0)).toBeNull();
    expect(cropIndicators([cropYearOf(undefined)], 0)).toEqual({
      cropping_intensity_trend: '0',
      cropping_intensity_avg: null,
      avg_single_cropped: null,
      avg_double_cropped: null,
      avg_triple_cropped: null,
      cropping_intensity_without_class_11_avg: null,
      unseen_years: 0,
    });
  });

  it('is published as a mean over the years and a trend; areas with one, two or three crops in percent of the cropped land', () => {
    const years = [10, 20, 30, 40, 50].map((double) =>
      cropYearOf(hectares({ 8: 60 - double, 9: 20, 10: double, 11: 20 })),
    );
    expect(cropIndicators(years, 100)).toEqual({
      cropping_intensity_trend: '1',
      cropping_intensity_avg: (1.5 + 1.6 + 1.7 + 1.8 + 1.9) / 5,
      avg_single_cropped: 50,
      avg_double_cropped: 30,
      avg_triple_cropped: 20,
      // Without the 20 ha of class 11: (80 - double + 2 x double) / 80.
      cropping_intensity_without_class_11_avg: (90 / 80 + 100 / 80 + 110 / 80 + 120 / 80 + 130 / 80) / 5,
      unseen_years: 0,
    });
  });

  it('of a soy-maize year is published with and without the land of class 11', () => {
    // 40 ha with two crops are mapped as class 11 (three crops), because no bare field was seen between the crops.
    const year = cropYearOf(hectares({ 10: 60, 11: 40 }));
    expect([croppingIntensity(year, 100), intensityWithoutClass11(year, 100)]).toEqual([2.4, 2]);
    expect(intensityWithoutClass11(cropYearOf(hectares({ 11: 40 })), 40)).toBeNull();
  });
});

describe('land that was not seen', () => {
  const year = (unseen: number) => cropYearOf(hectares({ 0: unseen, 10: 100 - unseen }), unseen);

  it('does not lower the intensity: the intensity of 100 ha with two crops stays 2 if up to 50 ha are not seen', () => {
    const years = [0, 10, 20, 30, 40, 50].map(year);
    expect(years.map((each) => croppingIntensity(each, 100))).toEqual([2, 2, 2, 2, 2, 2]);
    expect(cropIndicators(years, 100)).toMatchObject({
      cropping_intensity_trend: '0',
      cropping_intensity_avg: 2,
      avg_double_cropped: 100,
      unseen_years: 0,
    });
  });

  it('makes a year unknown if more than half of the cropable land was not seen; means and trend leave out such a year', () => {
    expect(croppingIntensity(year(51), 100)).toBeNull();
    expect(cropIndicators([year(0), year(51), cropYearOf(hectares({ 8: 100 }))], 100)).toMatchObject({
      cropping_intensity_avg: 1.5,
      avg_double_cropped: 50,
      avg_single_cropped: 50,
      unseen_years: 1,
    });
  });

  it('has its own columns; if less than half of the land was seen in a year, the figures of this year are null', () => {
    const history = {
      uid: '12_1',
      areaHa: 200,
      cropableEver: 100,
      years: new Map([2020, 2021].map((y, i) => [y, year(40 + 20 * i)])),
    };
    expect(rowOf(layerCells([2020, 2021]), history)).toMatchObject({
      doubly_cropped_area_2020: 60,
      cropping_intensity_2020: 2,
      unseen_area_2020: 40,
      unseen_cropable_area_2020: 40,
      doubly_cropped_area_2021: null,
      cropping_intensity_2021: null,
      cropping_intensity_without_class_11_2021: null,
      unseen_cropable_area_2021: 60,
    });
    expect(rowOf(sheetCells([2021]), history)).toMatchObject({
      'doubly_cropped_area_in_ha_2021-2022': null,
      'cropping_intensity_unit_less_2021-2022': null,
      'unseen_area_in_ha_2021-2022': 60,
      'unseen_cropable_area_in_ha_2021-2022': 60,
      sum_area_in_ha: 100,
    });
    // Without cropable land, half of the micro-watershed must be seen.
    const bare = { ...history, cropableEver: 0, years: new Map([[2021, cropYearOf(hectares({ 0: 150, 6: 50 }))]]) };
    expect(rowOf(layerCells([2021]), bare)).toMatchObject({ single_cropped_area_2021: null, unseen_area_2021: 150 });
  });
});
