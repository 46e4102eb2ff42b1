import type { ClassInput, NonEmpty } from '@headwater/stac';

/** Shape of the features of a vector layer. */
export type VectorShape = 'polygon' | 'point' | 'line';

/** Style of polygons, points or lines: graduated by one attribute, from light to strong. */
export interface VectorStyle {
  /** Left out: polygons. */
  readonly geometry?: VectorShape;
  /** Attribute that decides the colour. */
  readonly attribute: string;
  readonly title: string;
  /** Ascending class limits, in the attribute's unit; one more than there are colours. Empty: all features have one colour. */
  readonly limits: readonly number[];
  readonly colors: readonly string[];
  /** Meaning of each colour; left out: its limits. */
  readonly labels?: readonly string[];
}

/** Colour of features without a value: paper. */
const NO_VALUE = '#ffffff';

/** Meaning of the colour at `index` of a style. */
export const stepLabel = ({ limits, labels }: Pick<VectorStyle, 'limits' | 'labels'>, index: number): string =>
  labels?.[index] ?? `${limits[index]} - ${limits[index + 1]}`;

/** True if all features have the same colour. */
export const isPlain = ({ limits }: Pick<VectorStyle, 'limits'>): boolean => limits.length === 0;

/** Colour of a value of the style's attribute, `#rrggbb`; paper without a value, unless all features have one colour. */
export function stepColor(style: VectorStyle, value: number | null): string {
  const { limits, colors } = style;
  if (isPlain(style)) return colors[0] ?? NO_VALUE;
  if (value === null) return NO_VALUE;
  const step = limits.slice(1, -1).filter((limit) => value >= limit).length;
  return colors[step] ?? NO_VALUE;
}

/**
 * Legend of a preview with such a style, numbered from 1 since a legend requires integers above 0. Throws a RangeError without a colour.
 */
export function stepsLegend(style: VectorStyle): NonEmpty<ClassInput> {
  const entry = (color: string, index: number): ClassInput => {
    const title = stepLabel(style, index);
    return { value: index + 1, name: `step_${index + 1}`, title, description: title, color };
  };
  const [first, ...others] = style.colors;
  if (first === undefined) throw new RangeError('a style needs one colour or more');
  return [entry(first, 0), ...others.map((color, index) => entry(color, index + 1))];
}

const GREENS = ['#f7fcf5', '#c7e9c0', '#74c476', '#238b45', '#00441b'] as const;

/** Five equal steps from 0 to the greatest value, light to strong. */
export function equalSteps(attribute: string, title: string, values: readonly (number | null)[]): VectorStyle {
  const top = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const step = roundUp(top / GREENS.length);
  const limits = Array.from({ length: GREENS.length + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  return { attribute, title, limits, colors: GREENS };
}

/** Rounds up to two significant digits. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}
