import type { VectorStyle } from './vector-style.ts';

const GREENS = ['#f7fcf5', '#c7e9c0', '#74c476', '#238b45', '#00441b'] as const;

/** Five equal steps from 0 to the greatest value, light to strong. */
export function equalSteps(attribute: string, title: string, values: readonly (number | null)[]): VectorStyle {
  const top = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const step = roundUp(top / GREENS.length);
  const limits = Array.from({ length: GREENS.length + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  return { attribute, title, limits, colors: GREENS };
}

/** The next number of two digits that is not less. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}
