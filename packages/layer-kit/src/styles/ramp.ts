import type { RampStop } from '@headwater/core/ports';
import type { ClassInput, NonEmpty } from '@headwater/stac';

/** A class of a raster, or a stop of a ramp. `alpha` is 0-255. */
export interface StyleClass {
  readonly value: number;
  readonly label: string;
  readonly color: string;
  readonly alpha: number;
}

/** Converts `#rrggbb` to three numbers 0-255. */
export function rgb(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Stops in ascending order. Throws a RangeError if there are none. */
export function ascending(stops: readonly StyleClass[]): {
  readonly sorted: NonEmpty<StyleClass>;
  readonly first: StyleClass;
  readonly last: StyleClass;
} {
  const [first, ...others] = stops.toSorted((a, b) => a.value - b.value);
  if (first === undefined) throw new RangeError('a ramp of colours needs at least one stop');
  return { sorted: [first, ...others], first, last: others.at(-1) ?? first };
}

/** Converts stops to colours of a preview. */
export function rampStops(stops: readonly StyleClass[]): readonly RampStop[] {
  return ascending(stops).sorted.map(({ value, color, alpha }) => ({ value, color: [...rgb(color), alpha] }));
}

/** Legend of a ramp. The `value` of an entry is its number from 1, because a legend requires integers. */
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
