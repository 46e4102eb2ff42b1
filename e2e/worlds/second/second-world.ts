import type { SecondYear } from './calendar.ts';
import { layOut } from './land.ts';
import { type Pass, passesOver } from './passes.ts';
import { fallingRain } from './rain.ts';
import { surfaceOf, truthOf } from './surface.ts';

/** A square of land over three years that is known in every pixel, and what a satellite saw of it. */
export interface SecondWorld {
  readonly passes: readonly Pass[];
  /** True classes of a year, `[SIDE * SIDE]`. */
  readonly truth: (year: SecondYear) => Uint8Array;
}

/**
 * The second sample world, by other assumptions than the first: leaf area instead of cover shares, bands that saturate at their own rates and
 * bilinear mixing instead of a linear one; gamma curves cut by the harvest and harmonics instead of logistic ones; scrub that follows
 * daily rain; smog, cloud rims that no mask finds, two orbits, dates misplaced by parts of a pixel, outages. It knows no index and no
 * threshold, it lives in memory, and it is never tuned to what a classifier makes of it.
 */
export function secondWorld(seed: number): SecondWorld {
  const rain = fallingRain(seed);
  const surface = surfaceOf(layOut(seed), rain, seed);
  return { passes: passesOver(surface, seed), truth: (year) => truthOf(surface, year) };
}
