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

/** Classes of cropland. Land with one of these classes in any year counts as cropable. */
export const CROP_CODES: readonly number[] = [8, 9, 10, 11];

/** Returns the crop areas from hectares by class, `[256]`; zeros for a missing zone. */
export function cropAreasOf(hectares: readonly number[] | undefined): CropAreas {
  const of = (code: number): number => hectares?.[code] ?? 0;
  return { singleKharif: of(8), singleNonKharif: of(9), double: of(10), triple: of(11) };
}

/** Hectares cropped once, in any season. */
export const singleArea = ({ singleKharif, singleNonKharif }: CropAreas): number => singleKharif + singleNonKharif;

/**
 * Crops per year on land that is cropped in any year: (single + 2 double + 3 triple) / `cropableEver`, 0 to 3 without a unit, as in the
 * published layer. Null if no land is cropped in any year. `cropableEver`: hectares that had a crop class in any of the years.
 */
export function croppingIntensity(areas: CropAreas, cropableEver: number): number | null {
  if (cropableEver === 0) return null;
  return (singleArea(areas) + 2 * areas.double + 3 * areas.triple) / cropableEver;
}
