import { modeOf } from '@headwater/core/pixel-plan';
import { landformCodes } from '../landforms/classes.ts';

/** Terrain on which land cover is counted. */
export type CoveredTerrain = 'plain' | 'slope';

/** Classes of land cover 0 to 15 have a code on each terrain; 0, and whatever is above them, is land whose cover is not known. */
const CLASSES = 16;
/** First code of each terrain, that of class 0; code 0 is land that is neither. */
const FIRST: Readonly<Record<CoveredTerrain, number>> = { plain: 1, slope: 1 + CLASSES };

/** What each code of `landCoverCodes` means. */
export const TERRAIN_CODES: readonly {
  readonly code: number;
  readonly terrain: CoveredTerrain;
  readonly value: number;
}[] = (['plain', 'slope'] as const).flatMap((terrain) =>
  Array.from({ length: CLASSES }, (_, value) => ({ code: FIRST[terrain] + value, terrain, value })),
);

/** Planes of the same pixels, uint8. */
export interface TerrainPlanes {
  /** `landforms`. */
  readonly landforms: Uint8Array;
  /** Land-cover classes of years, oldest first. */
  readonly years: readonly Uint8Array[];
}

/**
 * Writes the code of each pixel's land cover, the most frequent one of the years (`modeOf`), on plains (landform 5) and on open slopes
 * (landform 6): `landCoverOfAreas` reads sums by them. 0 elsewhere.
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

/** Landform -> first code of its terrain, 0 for those that are neither. */
function firstOfLandform(): Uint8Array {
  const first = new Uint8Array(256);
  for (const code of landformCodes('plain')) first[code] = FIRST.plain;
  for (const code of landformCodes('slopy')) first[code] = FIRST.slope;
  return first;
}

/** Areas by class of land cover, by terrain, in the unit of what they were read from. */
export interface LandCoverByTerrain extends Readonly<Record<CoveredTerrain, readonly number[]>> {
  /** Plains and open slopes together, whatever lies on them: what the published percentages are shares of. */
  readonly plainAndSlope: number;
}

/** Areas of one zone by code of `landCoverCodes`, `[256]`, as areas by terrain and class. */
export function landCoverOfAreas(areas: ArrayLike<number>): LandCoverByTerrain {
  const part = (terrain: CoveredTerrain): readonly number[] =>
    Array.from({ length: CLASSES }, (_, value) => areas[FIRST[terrain] + value] ?? 0);
  const [plain, slope] = [part('plain'), part('slope')];
  return { plain, slope, plainAndSlope: [...plain, ...slope].reduce((sum, area) => sum + area, 0) };
}

/** Percent of a zone's plains and open slopes that each class takes on one of them, in the order of `classes`; undefined where there is neither. */
export function terrainPercentages(
  areas: LandCoverByTerrain,
  terrain: CoveredTerrain,
  classes: readonly number[],
): readonly number[] | undefined {
  const { plainAndSlope } = areas;
  if (!(plainAndSlope > 0)) return undefined;
  return classes.map((value) => (100 * (areas[terrain][value] ?? 0)) / plainAndSlope);
}
