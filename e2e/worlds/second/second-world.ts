import type { SecondYear } from './calendar.ts';
import { layOut } from './land.ts';
import { type Pass, passesOver } from './passes.ts';
import { fallingRain } from './rain.ts';
import { surfaceOf, truthOf } from './surface.ts';

/** A square of land over three years with known classes, and the satellite passes over it. */
export interface SecondWorld {
  readonly passes: readonly Pass[];
  /** True classes of a year, `[SIDE * SIDE]`. */
  readonly truth: (year: SecondYear) => Uint8Array;
}

/**
 * Creates the second world: a synthetic landscape with other assumptions than the sample. Never tune its parameters to
 * a classifier, because it must stay an independent test.
 */
export function secondWorld(seed: number): SecondWorld {
  const rain = fallingRain(seed);
  const surface = surfaceOf(layOut(seed), rain, seed);
  return { passes: passesOver(surface, seed), truth: (year) => truthOf(surface, year) };
}
