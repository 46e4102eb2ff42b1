import type { ClassInput, NonEmpty } from '@headwater/stac';

/** Shape of the features of a vector layer. */
export type VectorShape = 'polygon' | 'point' | 'line';

/** Style of features: graduated by one attribute, or by the largest of several columns. */
export interface VectorStyle {
  /** Default: polygons. */
  readonly geometry?: VectorShape;
  /** Attribute that determines the colour. */
  readonly attribute: string;
  readonly title: string;
  /** Limits of the classes, ascending; one more limit than colours. If empty, all features have one colour. */
  readonly limits: readonly number[];
  readonly colors: readonly string[];
  /** Colour and meaning of features without a value. Default: white in previews, left out of QML, SLD and legends. */
  readonly unknown?: { readonly color: string; readonly label: string };
  /** Meaning of each colour. Default: limits of the class. */
  readonly labels?: readonly string[];
  /**
   * Columns, one per colour. The largest column (the first of equal columns) determines the colour; `attribute` and
   * `limits` are ignored. A null counts as 0. A feature without a value above 0 is white.
   */
  readonly largestOf?: readonly string[];
}

/** Label of features without a value above 0 in the columns of `largestOf`. */
export const NO_CLASS = 'No class';

/** Colour of features without a value: white, like the paper of a map. */
export const NO_VALUE = '#ffffff';

/** Returns the meaning of the style's colour at `index`. */
export const stepLabel = ({ limits, labels }: Pick<VectorStyle, 'limits' | 'labels'>, index: number): string =>
  labels?.[index] ?? `${limits[index]} - ${limits[index + 1]}`;

/** True if all features have the same colour. */
export const isPlain = ({ limits, largestOf }: Pick<VectorStyle, 'limits' | 'largestOf'>): boolean =>
  limits.length === 0 && largestOf === undefined;

/** Colour (`#rrggbb`) of a feature with these properties. */
export function featureColor(style: VectorStyle, properties: Readonly<Record<string, unknown>>): string {
  const numberOf = (name: string): number | null => {
    const value = properties[name];
    return typeof value === 'number' ? value : null;
  };
  if (style.largestOf === undefined) return stepColor(style, numberOf(style.attribute));
  let largest: { readonly value: number; readonly color: string } = { value: 0, color: NO_VALUE };
  for (const [index, column] of style.largestOf.entries()) {
    const value = numberOf(column) ?? 0;
    if (value > largest.value) largest = { value, color: style.colors[index] ?? NO_VALUE };
  }
  return largest.color;
}

/** Colour (`#rrggbb`) for a value of the style's attribute. */
export function stepColor(style: VectorStyle, value: number | null): string {
  const { limits, colors } = style;
  if (isPlain(style)) return colors[0] ?? NO_VALUE;
  if (value === null) return style.unknown?.color ?? NO_VALUE;
  const step = limits.slice(1, -1).filter((limit) => value >= limit).length;
  return colors[step] ?? NO_VALUE;
}

/** Legend of a style, numbered from 1. Throws a RangeError if there is no colour. */
export function stepsLegend(style: VectorStyle): NonEmpty<ClassInput> {
  const entry = (color: string, index: number): ClassInput => {
    const title = stepLabel(style, index);
    return { value: index + 1, name: `step_${index + 1}`, title, description: title, color };
  };
  const [first, ...others] = style.colors;
  if (first === undefined) throw new RangeError('a style needs at least one colour');
  const { unknown } = style;
  const last = style.colors.length + 1;
  return [
    entry(first, 0),
    ...others.map((color, index) => entry(color, index + 1)),
    ...(unknown === undefined
      ? []
      : [{ value: last, name: 'unknown', title: unknown.label, description: unknown.label, color: unknown.color }]),
  ];
}

const GREENS = ['#f7fcf5', '#c7e9c0', '#74c476', '#238b45', '#00441b'] as const;

/** Makes a style with five equal steps from 0 to at least the greatest value. */
export function equalSteps(attribute: string, title: string, values: readonly (number | null)[]): VectorStyle {
  const top = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const step = roundUp(top / GREENS.length);
  const limits = Array.from({ length: GREENS.length + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  return { attribute, title, limits, colors: GREENS };
}

/** Rounds up to two significant digits. Returns 1 if the value is not above 0, so that the limits differ. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}
