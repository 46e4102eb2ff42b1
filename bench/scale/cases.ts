import type { ScaleWorld } from './scenes.ts';

/** One measured case: a year of land cover with a number of threads. */
export interface ScaleCase extends ScaleWorld {
  readonly workers: number;
}

/** The quantity that an axis varies. */
export type AxisName = 'pixels' | 'dates' | 'tiles' | 'workers';

/** Measured cases that differ in one quantity. */
export interface Axis {
  readonly name: AxisName;
  readonly cases: readonly ScaleCase[];
}

/** Returns the axes of the default run, which takes a few minutes, or of the long run. */
export function axesOf({ long }: { readonly long: boolean }): readonly Axis[] {
  const side = long ? 4096 : 2048;
  const sides = long ? [1024, 2048, 4096, 8192] : [512, 1024, 1448, 2048];
  const base: ScaleCase = { side, dates: 46, tiles: 1, workers: 2 };
  return [
    { name: 'pixels', cases: sides.map((each) => ({ ...base, side: each })) },
    { name: 'dates', cases: [23, 46, 92, 140].map((dates) => ({ ...base, dates })) },
    { name: 'tiles', cases: ([1, 2, 4, 6] as const).map((tiles) => ({ ...base, side: side / 2, tiles })) },
    { name: 'workers', cases: [1, 2, 4].map((workers) => ({ ...base, workers })) },
  ];
}

/** Returns the value of a case on an axis; pixels in millions. */
export function positionOf({ side, dates, tiles, workers }: ScaleCase, axis: AxisName): number {
  return { pixels: side ** 2 / 1e6, dates, tiles, workers }[axis];
}
