/** A class of a map, as far as it is drawn. */
export interface DrawnClass {
  readonly value: number;
  /** `#rrggbb`; a class without colour is not drawn. */
  readonly color: string | undefined;
}

/** Colours of the values that are shown, `#rrggbb` by value. */
export function coloursOf(classes: readonly DrawnClass[], off: ReadonlySet<number>): ReadonlyMap<number, string> {
  return new Map(
    classes.flatMap(({ value, color }) => (color === undefined || off.has(value) ? [] : [[value, color] as const])),
  );
}

/** Pixels in those colours, red, green, blue and alpha of each; other values are transparent. */
export function pixelsOf(
  values: ArrayLike<number>,
  colours: ReadonlyMap<number, string>,
): Uint8ClampedArray<ArrayBuffer> {
  const numbers = new Map([...colours].map(([value, color]) => [value, Number.parseInt(color.slice(1), 16)]));
  const pixels = new Uint8ClampedArray(values.length * 4);
  for (let index = 0; index < values.length; index++) {
    const color = numbers.get(values[index]!);
    if (color === undefined) continue;
    pixels[4 * index] = color >> 16;
    pixels[4 * index + 1] = (color >> 8) & 255;
    pixels[4 * index + 2] = color & 255;
    pixels[4 * index + 3] = 255;
  }
  return pixels;
}
