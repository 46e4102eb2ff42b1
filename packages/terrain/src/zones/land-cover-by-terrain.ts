import { landformCodes } from '../landforms/classes.ts';
import { areasBy, type PlaneSize, type ZoneCover } from './cover.ts';

/** Areas in m2 per class value 0-255 of a land-cover plane, by terrain. */
export interface LandCoverByTerrain {
  /** On plains (landform 5), Float64 `[256]`. */
  readonly plain: Float64Array;
  /** On open slopes (landform 6), Float64 `[256]`. */
  readonly slope: Float64Array;
  /** m2 of plains and open slopes together, whatever lies on them: what the published percentages are shares of. */
  readonly plainAndSlopeM2: number;
}

/** Planes on one grid. */
export interface TerrainPlanes {
  /** `landforms`, uint8 `[rows * cols]`. */
  readonly landforms: Uint8Array;
  /** Class values, uint8 `[rows * cols]`. */
  readonly landCover: Uint8Array;
  readonly size: PlaneSize;
}

/** Areas of land-cover classes on the plains and on the open slopes of one zone. */
export function landCoverByTerrain(cover: ZoneCover, planes: TerrainPlanes): LandCoverByTerrain {
  const { landCover, size } = planes;
  const part = partOfLandform();
  const areas = areasBy(cover, size, {
    count: 512,
    binOf: (at) => part[planes.landforms[at]!]! * 256 + landCover[at]!,
  });
  return {
    plain: areas.slice(0, 256),
    slope: areas.slice(256),
    plainAndSlopeM2: areas.reduce((sum, area) => sum + area, 0),
  };
}

/** Landform -> 0 plains, 1 open slopes, 2 neither (beyond the sums). */
function partOfLandform(): Uint8Array {
  const part = new Uint8Array(256).fill(2);
  for (const code of landformCodes('plain')) part[code] = 0;
  for (const code of landformCodes('slopy')) part[code] = 1;
  return part;
}

/**
 * Percent of `plainAndSlopeM2` that each of some class values takes on the plains or on the slopes, in the order of `values`.
 * Published columns: barren 7, forests 6, shrub 12, single kharif 8, single non-kharif 9, double 10, triple 11. Zeros where there is neither.
 */
export function terrainPercentages(
  areas: LandCoverByTerrain,
  terrain: 'plain' | 'slope',
  values: readonly number[],
): readonly number[] {
  const total = areas.plainAndSlopeM2;
  return values.map((value) => (total > 0 ? (100 * (areas[terrain][value] ?? 0)) / total : 0));
}
