import { modeOf } from '@headwater/core/pixel-plan';
import { isMostlySeen } from '@headwater/core/values';
import { landformCodes } from '../landforms/classes.ts';

/** Terrain on which land cover is counted. */
export type CoveredTerrain = 'plain' | 'slope';

/**
 * Number of land-cover classes that have a code on each terrain: classes 0 to 15. Class 0 and classes above 15 mean
 * that the cover is unknown.
 */
const CLASSES = 16;
/** Code of class 0 on each terrain. Code 0 means that a pixel is on neither terrain. */
const FIRST: Readonly<Record<CoveredTerrain, number>> = { plain: 1, slope: 1 + CLASSES };

/** Meaning of each code of `landCoverCodes`. */
export const TERRAIN_CODES: readonly {
  readonly code: number;
  readonly terrain: CoveredTerrain;
  readonly value: number;
}[] = (['plain', 'slope'] as const).flatMap((terrain) =>
  Array.from({ length: CLASSES }, (_, value) => ({ code: FIRST[terrain] + value, terrain, value })),
);

/** Planes that cover the same pixels, uint8. */
export interface TerrainPlanes {
  /** Result of `landforms`. */
  readonly landforms: Uint8Array;
  /** Land-cover classes of years, oldest first. */
  readonly years: readonly Uint8Array[];
}

/**
 * Writes a code for each pixel on plains (landform 5) and open slopes (landform 6); 0 elsewhere. The code stands for
 * the terrain and the most frequent land cover of the years (`modeOf`). `landCoverOfAreas` converts areas that were
 * summed by these codes.
 */
export function landCoverCodes({ landforms, years }: TerrainPlanes, codes: Uint8Array): void {
  const first = firstOfLandform();
  const labels = new Uint8Array(years.length);
  const counts = new Uint8Array(CLASSES);
  for (let at = 0; at < codes.length; at += 1) {
    const terrain = first[landforms[at]!]!;
    if (terrain === 0) {
      codes[at] = 0;
      continue;
    }
    for (let year = 0; year < labels.length; year += 1) labels[year] = years[year]![at]!;
    codes[at] = terrain + modeOf(labels, [0, labels.length], counts);
  }
}

/** First code of the terrain of each landform; 0 for landforms that are neither plain nor slope. */
function firstOfLandform(): Uint8Array {
  const first = new Uint8Array(256);
  for (const code of landformCodes('plain')) first[code] = FIRST.plain;
  for (const code of landformCodes('slopy')) first[code] = FIRST.slope;
  return first;
}

/** Areas by land-cover class and terrain, in the unit of the input. */
export interface LandCoverByTerrain extends Readonly<Record<CoveredTerrain, readonly number[]>> {
  /** Area of plains and open slopes together, with any known cover. The published percentages refer to this area. */
  readonly plainAndSlope: number;
  /** Area of plains and open slopes with unknown cover (class 0 or above 15 in all years). */
  readonly unseen: number;
}

/** Converts the areas of one zone by code (`landCoverCodes`), `[256]`, to areas by terrain and class. */
export function landCoverOfAreas(areas: ArrayLike<number>): LandCoverByTerrain {
  const part = (terrain: CoveredTerrain): readonly number[] =>
    Array.from({ length: CLASSES }, (_, value) => areas[FIRST[terrain] + value] ?? 0);
  const [plain, slope] = [part('plain'), part('slope')];
  const unseen = (plain[0] ?? 0) + (slope[0] ?? 0);
  return {
    plain,
    slope,
    plainAndSlope: [...plain.slice(1), ...slope.slice(1)].reduce((sum, area) => sum + area, 0),
    unseen,
  };
}

/**
 * Area of each class on one terrain, in the order of `classes`, as a percentage of the zone's plains and open slopes
 * with a known cover. Undefined if the zone has neither plains nor open slopes, or if the cover of less than half of
 * this land is known.
 */
export function terrainPercentages(
  areas: LandCoverByTerrain,
  terrain: CoveredTerrain,
  classes: readonly number[],
): readonly number[] | undefined {
  const { plainAndSlope, unseen } = areas;
  if (!(plainAndSlope > 0) || !isMostlySeen(unseen, plainAndSlope + unseen)) return undefined;
  return classes.map((value) => (100 * (areas[terrain][value] ?? 0)) / plainAndSlope);
}
