/** One drawn value: its label and `#rrggbb`; `alpha` 0-255. */
export interface StyleClass {
  readonly value: number;
  readonly label: string;
  readonly color: string;
  readonly alpha: number;
}

/** `#rrggbb` -> 0-255 each. */
export function rgb(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
