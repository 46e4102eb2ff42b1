import { isMostlySeen } from '@headwater/core/values';
import { unseenOf } from '../../items/mws-layer.ts';

/** Hectares of cropland of one micro-watershed in one hydrological year, by number of crops. */
export interface CropAreas {
  /** Hectares of class 8. */
  readonly singleKharif: number;
  /** Hectares of class 9. */
  readonly singleNonKharif: number;
  /** Hectares of class 10. */
  readonly double: number;
  /** Hectares of class 11. */
  readonly triple: number;
}

/** A year of a micro-watershed: its crops, and its land with an unknown class. */
export interface CropYear extends CropAreas {
  /** Hectares of the micro-watershed without a class. */
  readonly unseen: number;
  /** Hectares without a class within the land that is cropped in any year. */
  readonly unseenCropable: number;
}

/** Classes of cropland. Land with one of these classes in any year counts as cropable. */
export const CROP_CODES: readonly number[] = [8, 9, 10, 11];

/** Returns the crop areas from hectares by class, `[256]`; all areas are 0 if the zone is missing. */
export function cropYearOf(hectares: readonly number[] | undefined, unseenCropable = 0): CropYear {
  const of = (code: number): number => hectares?.[code] ?? 0;
  return {
    singleKharif: of(8),
    singleNonKharif: of(9),
    double: of(10),
    triple: of(11),
    unseen: unseenOf(hectares),
    unseenCropable,
  };
}

/** Hectares cropped once, in any season. */
export const singleArea = ({ singleKharif, singleNonKharif }: CropAreas): number => singleKharif + singleNonKharif;

/**
 * Hectares of cropable land with a known class in a year. Null if these hectares are less than half of the cropable land, or if there
 * is no cropable land.
 */
export function seenCropable({ unseenCropable }: CropYear, cropableEver: number): number | null {
  return cropableEver === 0 || !isMostlySeen(unseenCropable, cropableEver) ? null : cropableEver - unseenCropable;
}

/**
 * Crops per year on land that has crops in any year and was observed in this year: (single + 2 double + 3 triple) / seen cropable land,
 * 0 to 3 without a unit. If all cropable land is seen, the result equals that of the published formula. Null if `seenCropable` is null.
 * `cropableEver`: hectares that had a crop class in any of the years.
 */
export function croppingIntensity(year: CropYear, cropableEver: number): number | null {
  const seen = seenCropable(year, cropableEver);
  return seen === null ? null : (singleArea(year) + 2 * year.double + 3 * year.triple) / seen;
}

/**
 * Intensity without the land of class 11: (single + 2 double) / (seen cropable land - triple). Class 11 (three crops) has weight 3, but
 * also contains annual and perennial crops, and pairs of crops between which no bare field was seen. So the intensity is also published
 * without this class. Null if all seen land has class 11.
 */
export function intensityWithoutClass11(year: CropYear, cropableEver: number): number | null {
  const seen = seenCropable(year, cropableEver);
  const others = seen === null ? 0 : seen - year.triple;
  // If all seen land has class 11, the difference may be slightly above 0 because of rounding, so it is not compared with 0.
  return others <= 1e-9 * cropableEver ? null : (singleArea(year) + 2 * year.double) / others;
}
