import type { RampStop } from '@headwater/core/ports';
import type { ClassInput, NonEmpty } from '@headwater/stac';
import { rgb, type StyleClass } from './style-class.ts';

/** Stops of a ramp in ascending order; throws a RangeError where there is none. */
export function ascending(stops: readonly StyleClass[]): {
  readonly sorted: NonEmpty<StyleClass>;
  readonly first: StyleClass;
  readonly last: StyleClass;
} {
  const [first, ...others] = stops.toSorted((a, b) => a.value - b.value);
  if (first === undefined) throw new RangeError('a ramp of colours needs one stop or more');
  return { sorted: [first, ...others], first, last: others.at(-1) ?? first };
}

/** Stops as a preview is drawn by. */
export function rampStops(stops: readonly StyleClass[]): readonly RampStop[] {
  return ascending(stops).sorted.map(({ value, color, alpha }) => ({ value, color: [...rgb(color), alpha] }));
}

/** Legend of a preview that is drawn by a ramp: its stops, numbered from 1 as a legend wants whole numbers, with their labels as titles. */
export function rampLegend(stops: readonly StyleClass[]): NonEmpty<ClassInput> {
  const [first, ...others] = ascending(stops).sorted;
  const entry = ({ label, color }: StyleClass, index: number): ClassInput => ({
    value: index + 1,
    name: `stop_${index + 1}`,
    title: label,
    description: label,
    color,
  });
  return [entry(first, 0), ...others.map((stop, index) => entry(stop, index + 1))];
}
