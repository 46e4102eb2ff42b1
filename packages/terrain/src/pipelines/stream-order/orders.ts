import type { StyleClass, VectorStyle } from '@headwater/layer-kit';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import { GREATEST_ORDER } from '../../zones/stream-order-shares.ts';

/** Light to dark blue for streams, then purple for rivers. */
const COLORS: readonly string[] = [
  '#8cc5e3',
  '#459bd0',
  '#1b6fb0',
  '#0a4a8c',
  '#062f66',
  '#031836',
  '#6a51a3',
  '#54278f',
  '#3f007d',
  '#7a0177',
  '#49006a',
];

/** Greatest possible order, the end of the last style class. The next value, 255, is `UNKNOWN_ORDER`. */
const MOST = 254;

const LAND = '#f4f4ee';

/** `#rrggbb` of an order. Order 0 is land; orders above `GREATEST_ORDER` have the colour of `GREATEST_ORDER`. */
export const orderColor = (order: number): string =>
  order < 1 ? LAND : (COLORS[Math.min(order, GREATEST_ORDER) - 1] ?? LAND);

/** Style classes of orders 1 to `GREATEST_ORDER`. */
export const ORDER_CLASSES: readonly StyleClass[] = COLORS.map((color, index) => ({
  value: index + 1,
  label: index + 1 === GREATEST_ORDER ? `Order ${GREATEST_ORDER} and above` : `Order ${index + 1}`,
  color,
  alpha: 255,
}));

/** Style classes of orders 1 to `greatest`, but at least one class, because a style cannot be empty. */
export const ordersTo = (greatest: number): readonly StyleClass[] =>
  ORDER_CLASSES.filter(({ value }) => value <= Math.max(1, greatest));

/** Orders as classes of an Item; `more` adds fields. */
export function orderClasses(
  more: (order: number) => Pick<ClassInput, 'count' | 'percentage'> = () => ({}),
): NonEmpty<ClassInput> {
  const [first, ...others] = ORDER_CLASSES.map(({ value, label, color }): ClassInput => ({
    value,
    name: `order_${value}`,
    title: label,
    description: `Streams of Strahler order ${value}${value === GREATEST_ORDER ? ' and above' : ''}`,
    color,
    ...more(value),
  }));
  if (first === undefined) throw new RangeError('the list of Strahler orders is empty');
  return [first, ...others];
}

/** Style of features by stream order. The orders of the classes must be consecutive. */
export const orderStyle = (
  attribute: string,
  title: string,
  classes: readonly StyleClass[] = ORDER_CLASSES,
): VectorStyle => ({
  attribute,
  title,
  limits: [
    (classes[0]?.value ?? 0) - 0.5,
    ...classes.map(({ value }) => (value === GREATEST_ORDER ? MOST : value) + 0.5),
  ],
  colors: classes.map(({ color }) => color),
  labels: classes.map(({ label }) => label),
});
