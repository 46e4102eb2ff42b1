import { modeOf } from '@headwater/core/pixel-plan';
import { isMostlySeen } from '@headwater/core/values';
import { landformCodes } from '../landforms/classes.ts';

/** Terrain on which land cover is counted. */
export type CoveredTerrain = 'plain' | 'slope';

/** Classes 0 to 15; class 0 and classes above 15 are unknown cover. */
const CLASSES = 16;
/** Code of class 0; code 0 is outside of both terrains. */
const FIRST: Readonly<Record<CoveredTerrain, number>> = { plain: 1, slope: 1 + CLASSES };

/** Meaning of each code of `landCoverCodes`. */
export const TERRAIN_CODES: readonly {
  readonly code: number;
  readonly terrain: CoveredTerrain;
  readonly value: number;
}[] = (['plain', 'slope'] as const).flatMap((terrain) =>
  Array.from({ length: CLASSES }, (_, value) => ({ code: FIRST[terrain] + value, terrain, value })),
);

/** Planes of the same pixels, uint8. */
export interface TerrainPlanes {
  /** Result of `landforms`. */
  readonly landforms: Uint8Array;
  /** Land-cover classes by year, oldest first. */
  readonly years: readonly Uint8Array[];
}

/**
 * Codes of terrain and most frequent land cover (`modeOf`) on plains and open slopes; 0 elsewhere. `landCoverOfAreas`
 * decodes summed areas.
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

function firstOfLandform(): Uint8Array {
  const first = new Uint8Array(256);
  for (const code of landformCodes('plain')) first[code] = FIRST.plain;
  for (const code of landformCodes('slopy')) first[code] = FIRST.slope;
  return first;
}

/** Areas by terrain and land-cover class, in the unit of the input. */
export interface LandCoverByTerrain extends Readonly<Record<CoveredTerrain, readonly number[]>> {
  /** Area of both terrains with known cover, the base of published percentages. */
  readonly plainAndSlope: number;
  /** Area of both terrains with unknown cover. */
  readonly unseen: number;
}

/** Converts areas of a zone by code, `[256]`, to areas by terrain and class. */
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
 * Percentage of each of `classes` on a terrain, of all plains and slopes with known cover. Undefined if less than half
 * of this land is known.
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
