import type { ZoneCover } from '@headwater/core/geo';
import { LANDFORMS, type TerrainGroup } from '../landforms/classes.ts';

/**
 * Index of the centre with the least squared distance to `point`. If several centres have this distance, the first of
 * them is returned; -1 if there are no centres.
 */
export function nearestCluster(point: readonly number[], centres: readonly (readonly number[])[]): number {
  let best = -1;
  let least = Infinity;
  for (const [index, centre] of centres.entries()) {
    const distance = centre.reduce((sum, value, axis) => sum + (value - (point[axis] ?? 0)) ** 2, 0);
    if (distance >= least) continue;
    least = distance;
    best = index;
  }
  return best;
}

/** Percent of a zone's area in each group of landforms. */
export type TerrainShares = Readonly<Record<TerrainGroup, number>>;

/** A kind of micro-watershed. */
export interface TerrainCluster {
  readonly id: number;
  readonly title: string;
  /** `#rrggbb` of the published style. */
  readonly color: string;
  /** Shares 0-1 of slopy, plain, ridge, valley and hill slope (`CLUSTER_AXES`). */
  readonly centre: readonly number[];
}

/** Groups in the order of `TerrainCluster.centre`. */
export const CLUSTER_AXES: readonly TerrainGroup[] = ['slopy', 'plain', 'ridge', 'valley', 'hill_slope'];

/**
 * The published clusters, with their published ids and centres. The centres were computed by k-means over watersheds
 * of many tehsils.
 */
export const TERRAIN_CLUSTERS: readonly TerrainCluster[] = [
  cluster(0, ['Broad Sloppy and Hilly', '#324a1c'], [0.36255426, 0.21039965, 0.12161905, 0.17393119, 0.13149585]),
  cluster(1, ['Mostly Plains', '#97c76b'], [0.09171062, 0.84299211, 0.035222, 0.02172654, 0.00834873]),
  cluster(2, ['Mostly Hills and Valleys', '#673a13'], [0.08497599, 0.01051893, 0.23763531, 0.37992855, 0.28694122]),
  cluster(3, ['Broad Plains and Slopes', '#e5e059'], [0.22301813, 0.5611825, 0.08511123, 0.07314189, 0.05754624]),
];

function cluster(id: number, [title, color]: readonly [string, string], centre: readonly number[]): TerrainCluster {
  return { id, title, color, centre };
}

/** Terrain of one zone. */
export interface TerrainDescriptor {
  /** Shares in percent. The sum of the shares is 100; in a zone without data all shares are 0. */
  readonly shares: TerrainShares;
  /** Area with a landform, m2. */
  readonly areaM2: number;
  /** Cluster with the most similar shares; absent in a zone without data. */
  readonly cluster?: TerrainCluster;
}

/**
 * Shares of landform groups in a zone, and the nearest cluster. `classes` is the result of `landforms`, uint8 `[rows
 * * cols]`.
 */
export function terrainDescriptor(
  cover: ZoneCover,
  { classes, size }: { classes: Uint8Array; size: PlaneSize },
): TerrainDescriptor {
  return descriptorOfAreas(areasBy(cover, size, { count: 256, binOf: (at) => classes[at]! }));
}

/** Terrain descriptor that is computed from areas (m2) by landform code, `[256]`. */
export function descriptorOfAreas(areas: ArrayLike<number>): TerrainDescriptor {
  const sums: Record<TerrainGroup, number> = { plain: 0, slopy: 0, hill_slope: 0, ridge: 0, valley: 0 };
  for (const { code, group } of LANDFORMS) sums[group] += areas[code] ?? 0;
  const areaM2 = CLUSTER_AXES.reduce((sum, group) => sum + sums[group], 0);
  if (areaM2 === 0) return { shares: sums, areaM2 };
  const nearest = nearestCluster(
    CLUSTER_AXES.map((group) => sums[group] / areaM2),
    TERRAIN_CLUSTERS.map(({ centre }) => centre),
  );
  for (const group of CLUSTER_AXES) sums[group] *= 100 / areaM2;
  return { shares: sums, areaM2, cluster: TERRAIN_CLUSTERS[nearest]! };
}

/** Size of a plane, with the areas of its pixels. */
export interface PlaneSize {
  readonly cols: number;
  /** Area in m2 of one pixel of each row, `[rows]`. */
  readonly rowAreas: Float64Array;
}

/**
 * Sums the areas (m2) of the pixels in a cover, by the bin `binOf(at)` of each pixel; Float64 `[count]`. Pixels whose
 * bin is not in the range 0 to count - 1 are left out.
 */
export function areasBy(
  cover: ZoneCover,
  { cols, rowAreas }: PlaneSize,
  { count, binOf }: { readonly count: number; readonly binOf: (at: number) => number },
): Float64Array {
  const sums = new Float64Array(count);
  for (let row = 0; row < cover.rows; row += 1) {
    const base = (cover.top + row) * cols;
    const area = rowAreas[cover.top + row]!;
    for (let run = cover.start[row]!; run < cover.start[row + 1]!; run += 1) {
      const weight = cover.fraction[run]! * area;
      for (let at = base + cover.from[run]!; at < base + cover.to[run]!; at += 1) {
        const bin = binOf(at);
        if (bin >= 0 && bin < count) sums[bin] = sums[bin]! + weight;
      }
    }
  }
  return sums;
}
