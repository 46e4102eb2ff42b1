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
 * Creates the second world: a synthetic landscape that is built on other assumptions than the sample. Plants have a leaf area instead of
 * cover shares, each band saturates at its own rate, and covers mix bilinearly instead of linearly. Growth follows harmonics, and gamma
 * curves that end at the harvest, instead of logistic curves. Scrub follows daily rain. There are smog, cloud rims that no mask contains,
 * two orbits, registration errors of less than a pixel, and outages. The code uses no index and no threshold of the classifier. Its
 * parameters must never be tuned to the results of a classifier, because this landscape would then no longer be an independent test of
 * the classifier.
 */
export function secondWorld(seed: number): SecondWorld {
  const rain = fallingRain(seed);
  const surface = surfaceOf(layOut(seed), rain, seed);
  return { passes: passesOver(surface, seed), truth: (year) => truthOf(surface, year) };
}
