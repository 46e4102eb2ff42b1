import { LAND } from './land-classes.ts';
import { chance } from './random.ts';
import { SIZE } from './sample-frame.ts';
import { ranks, smoothField } from './smooth-field.ts';
import type { WaterBody } from './water-bodies.ts';

/** Properties of the land that determine its use; fields are ranks 0-1 over `[SIZE * SIZE]`. */
export interface Land {
  readonly seed: number;
  readonly height: Float32Array;
  readonly irrigation: Float32Array;
  readonly outcrop: Float32Array;
  readonly soil: Float32Array;
  readonly waters: readonly WaterBody[];
  readonly towns: readonly (readonly [row: number, col: number, radius: number])[];
}

/** Surveys the land of a seed: heights, irrigation, rock, soil, waters and towns. */
export function surveyLand(seed: number): Land {
  const field = (salt: number, waves: readonly (readonly [number, number])[]): Float32Array =>
    ranks(smoothField({ size: SIZE, seed: seed + salt, waves }));
  const height = field(1, [
    [190, 1],
    [60, 0.25],
  ]);
  const at = (low: number, high: number, salt: number): readonly [number, number] =>
    lowSpot(height, { low, high, seed: seed + salt });
  const spots: (readonly [number, number])[] = [];
  for (const salt of [11, 12, 13, 14, 15, 16, 17, 18])
    spots.push(farSpot(spots, (k) => at(0.02, 0.55, salt + 100 * k)));
  const [reservoir, tank, pondA, pondB, town, hamletA, hamletB, hamletC] = spots as SpotList;
  return {
    seed,
    height,
    irrigation: field(2, [
      [120, 1],
      [45, 0.15],
    ]),
    outcrop: field(3, [[80, 1]]),
    soil: field(4, [
      [150, 1],
      [40, 0.3],
    ]),
    waters: [
      {
        id: 1,
        landClass: LAND.waterAllYear,
        centre: reservoir,
        radius: 34,
        lobe: { landClass: LAND.waterTwoSeasons, from: 0.62 },
      },
      { id: 3, landClass: LAND.waterTwoSeasons, centre: tank, radius: 20 },
      { id: 4, landClass: LAND.waterKharif, centre: pondA, radius: 21 },
      { id: 5, landClass: LAND.waterKharif, centre: pondB, radius: 17 },
    ].map((body) => ({ ...body, seed: seed + body.id })),
    towns: [
      [...town, 40],
      [...hamletA, 17],
      [...hamletB, 15],
      [...hamletC, 14],
    ],
  };
}

type Spot = readonly [number, number];
type SpotList = [Spot, Spot, Spot, Spot, Spot, Spot, Spot, Spot];

/** The first of many candidates that is far enough from the others, so that town and waters do not overlap. */
function farSpot(taken: readonly Spot[], candidate: (attempt: number) => Spot): Spot {
  let best: Spot = candidate(0);
  let bestGap = -1;
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const spot = candidate(attempt);
    const gap = Math.min(400, ...taken.map((other) => Math.hypot(spot[0] - other[0], spot[1] - other[1])));
    if (gap > 85) return spot;
    if (gap > bestGap) [best, bestGap] = [spot, gap];
  }
  return best;
}

/** A place (row, col) away from the edge whose rank of height is between `low` and `high`. */
function lowSpot(height: Float32Array, { low, high, seed }: { low: number; high: number; seed: number }): Spot {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const row = Math.floor(50 + chance(seed, attempt, 1) * (SIZE - 100));
    const col = Math.floor(50 + chance(seed, attempt, 2) * (SIZE - 100));
    const rank = height[row * SIZE + col] ?? 1;
    if (rank >= low && rank <= high) return [row, col];
  }
  return [SIZE / 2, SIZE / 2];
}
