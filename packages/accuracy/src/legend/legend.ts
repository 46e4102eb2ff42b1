/** A value of a raster, or a label in words. */
export type Label = number | string;

/** One class that both sides are brought to. */
export interface LegendClass {
  /** What it is called in results; no two classes share one. */
  readonly name: string;
  readonly title: string;
  /** `#rrggbb`; undefined where nobody gave one. */
  readonly color: string | undefined;
  /** Values of the map that are this class. */
  readonly map: readonly Label[];
  /** Labels or values of the reference that are this class; none for a class that only the map knows. */
  readonly reference: readonly Label[];
}

/** How the values of a map and the labels of a reference come together. */
export interface Legend {
  readonly classes: readonly LegendClass[];
  /** Values that mean "nothing is known here", beside the nodata value that a raster names itself. */
  readonly nodata: { readonly map: readonly Label[]; readonly reference: readonly Label[] };
}

/** Place of labels that mean nothing is known. */
export const NODATA = 255;
/** Place of labels that the legend does not name. */
export const UNMAPPED = 254;
/** Classes that a legend may have: places stay below the two above. */
export const MOST_CLASSES = 250;

/** The two sides of a comparison. */
export type Side = 'map' | 'reference';

/** One side of a legend: where each label belongs. */
export class LegendSide {
  readonly #places: ReadonlyMap<string, number>;

  constructor(legend: Legend, side: Side) {
    const places = legend.classes.flatMap((each, place) =>
      each[side].map((label) => [labelKey(label), place] as const),
    );
    const nodata = legend.nodata[side].map((label) => [labelKey(label), NODATA] as const);
    this.#places = new Map([...places, ...nodata]);
  }

  /** Place of a label's class in the legend, `NODATA` or `UNMAPPED`. Small and capital letters are the same; so are 80 and "80". */
  placeOf(label: Label): number {
    return this.#places.get(labelKey(label)) ?? UNMAPPED;
  }
}

/** Text that equal labels share. */
export function labelKey(label: Label): string {
  const text = String(label).normalize('NFC').trim().toLowerCase();
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text;
}
