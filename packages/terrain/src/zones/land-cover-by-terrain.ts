import { modeOf } from '@headwater/core/pixel-plan';
import { isMostlySeen } from '@headwater/core/values';
import { landformCodes } from '../landforms/classes.ts';

/** Terrain on which land cover is counted. */
export type CoveredTerrain = 'plain' | 'slope';

/** Number of classes with a code: 0 to 15. Class 0 means unknown cover. */
const CLASSES = 16;
/** First code of each terrain, for class 0; the codes of the other classes follow. Code 0 means neither terrain. */
const FIRST: Readonly<Record<CoveredTerrain, number>> = { plain: 1, slope: 1 + CLASSES };

/** Meaning of each code of `landCoverCodes`. */
export const TERRAIN_CODES: readonly {
  readonly code: number;
  readonly terrain: CoveredTerrain;
  readonly value: number;
}[] = (['plain', 'slope'] as const).flatMap((terrain) =>
  Array.from({ length: CLASSES }, (_, value) => ({ code: FIRST[terrain] + value, terrain, value })),
);

/** Planes with the same pixels, uint8. */
export interface TerrainPlanes {
  /** Result of `landforms`. */
  readonly landforms: Uint8Array;
  /** Land-cover classes by year, oldest first. */
  readonly years: readonly Uint8Array[];
}

/**
 * Writes codes of terrain (plain or open slope) and most frequent cover (`modeOf`); 0 elsewhere. `landCoverOfAreas`
 * decodes areas by code.
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
  /** Area of plains and slopes with known cover, to which percentages refer. */
  readonly plainAndSlope: number;
  /** Area of plains and slopes with unknown cover. */
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
 * Share of each class on a terrain, in percent of plains and slopes with known cover. Undefined if there are none, or
 * if the cover of more than half of the plains and slopes is unknown.
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
