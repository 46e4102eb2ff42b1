/** A value of a raster, or a label in words. */
export type Label = number | string;

/** Class of a comparison, with the values of the map and the labels of the reference that mean this class. */
export interface LegendClass {
  readonly name: string;
  readonly title: string;
  /** `#rrggbb`; undefined if the legend states no colour. */
  readonly color: string | undefined;
  readonly map: readonly Label[];
  /** Labels of the reference that are this class; may be empty. */
  readonly reference: readonly Label[];
}

/** Mapping of a map's values and a reference's labels to common classes. */
export interface Legend {
  readonly classes: readonly LegendClass[];
  /** Values that mean no data, in addition to the nodata value of a raster. */
  readonly nodata: { readonly map: readonly Label[]; readonly reference: readonly Label[] };
}

/** Result of `LegendSide.placeOf` for labels that mean no data. */
export const NODATA = 255;
/** Result of `LegendSide.placeOf` for labels that the legend does not contain. */
export const UNMAPPED = 254;
/** Maximum number of classes in a legend, so that indexes are lower than `NODATA` and `UNMAPPED`. */
export const MOST_CLASSES = 250;

/** The two sides of a comparison: the map and the reference. */
export type Side = 'map' | 'reference';

/** One side of a legend: finds the class of a label. */
export class LegendSide {
  readonly #places: ReadonlyMap<string, number>;

  constructor(legend: Legend, side: Side) {
    const places = legend.classes.flatMap((each, place) =>
      each[side].map((label) => [labelKey(label), place] as const),
    );
    const nodata = legend.nodata[side].map((label) => [labelKey(label), NODATA] as const);
    this.#places = new Map([...places, ...nodata]);
  }

  /** Returns the index of a label's class, or `NODATA` or `UNMAPPED`. Ignores case; 80 and "80" are equal. */
  placeOf(label: Label): number {
    return this.#places.get(labelKey(label)) ?? UNMAPPED;
  }
}

/** Returns an equal key for labels that count as equal. */
export function labelKey(label: Label): string {
  const text = String(label).normalize('NFC').trim().toLowerCase();
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text;
}
