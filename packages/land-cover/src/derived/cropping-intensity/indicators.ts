import { trendOf } from '@headwater/indicators';
import { type CropAreas, croppingIntensity, singleArea } from './intensity.ts';

/** What the indicators of a micro-watershed say about its crops, under the names of the published record. */
export interface CropIndicators {
  /** Text as in the published record: rises, falls, or neither is certain (`trendOf`). */
  readonly cropping_intensity_trend: '1' | '0' | '-1';
  /** Mean of the years. */
  readonly cropping_intensity_avg: number | null;
  /** Means of the years, percent of the land that is ever cropped. */
  readonly avg_single_cropped: number | null;
  readonly avg_double_cropped: number | null;
  readonly avg_triple_cropped: number | null;
}

/** Indicators over years, oldest first. Null where no land is ever cropped: there is nothing to take a share of. */
export function cropIndicators(years: readonly CropAreas[], cropableEver: number): CropIndicators {
  const intensities = years.map((areas) => croppingIntensity(areas, cropableEver));
  const percent = (part: (areas: CropAreas) => number): number | null =>
    mean(years.map((areas) => (cropableEver === 0 ? null : (100 * part(areas)) / cropableEver)));
  return {
    cropping_intensity_trend: trendOf(intensities),
    cropping_intensity_avg: mean(intensities),
    avg_single_cropped: percent(singleArea),
    avg_double_cropped: percent(({ double }) => double),
    avg_triple_cropped: percent(({ triple }) => triple),
  };
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
