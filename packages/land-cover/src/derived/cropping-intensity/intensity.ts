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

/** Crops and unseen land of a micro-watershed in one year. */
export interface CropYear extends CropAreas {
  /** Hectares of the micro-watershed without a class. */
  readonly unseen: number;
  /** Hectares without a class within the land that is cropped in any year. */
  readonly unseenCropable: number;
}

/** Codes of cropland. Land with one of these codes in any year counts as cropable. */
export const CROP_CODES: readonly number[] = [8, 9, 10, 11];

/**
 * Returns the crop areas of a micro-watershed from its hectares by class, `[256]`. If `hectares` is undefined, all
 * areas except `unseenCropable` are 0.
 */
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
 * Hectares of cropable land with a known class in a year. Null without cropable land, or if less than half of it was
 * seen.
 */
export function seenCropable({ unseenCropable }: CropYear, cropableEver: number): number | null {
  return cropableEver === 0 || !isMostlySeen(unseenCropable, cropableEver) ? null : cropableEver - unseenCropable;
}

/**
 * Crops per year on seen cropable land, 0 to 3: (single + 2 double + 3 triple) / seen. Null if `seenCropable` is null.
 * `cropableEver`: hectares with a crop class in any year.
 */
export function croppingIntensity(year: CropYear, cropableEver: number): number | null {
  const seen = seenCropable(year, cropableEver);
  return seen === null ? null : (singleArea(year) + 2 * year.double + 3 * year.triple) / seen;
}

/**
 * Crops per year without class 11, which also contains perennial crops: (single + 2 double) / (seen cropable land -
 * triple). Null if `seenCropable` is null, or if all seen land has class 11.
 */
export function intensityWithoutClass11(year: CropYear, cropableEver: number): number | null {
  const seen = seenCropable(year, cropableEver);
  const others = seen === null ? 0 : seen - year.triple;
  // Rounding may leave a small difference, so the difference is not compared with 0.
  return others <= 1e-9 * cropableEver ? null : (singleArea(year) + 2 * year.double) / others;
}
