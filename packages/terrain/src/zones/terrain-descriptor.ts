import type { ZoneCover } from '@headwater/core/geo';
import { LANDFORMS, type TerrainGroup } from '../landforms/classes.ts';

/** Index of the centre with the least squared distance; -1 without centres. */
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

/** Percentages of landform groups. */
export type TerrainShares = Readonly<Record<TerrainGroup, number>>;

/** A kind of micro-watershed. */
export interface TerrainCluster {
  readonly id: number;
  readonly title: string;
  /** `#rrggbb` of the published style. */
  readonly color: string;
  /** Shares 0-1 in the order of `CLUSTER_AXES`. */
  readonly centre: readonly number[];
}

/** Groups in the order of `TerrainCluster.centre`. */
export const CLUSTER_AXES: readonly TerrainGroup[] = ['slopy', 'plain', 'ridge', 'valley', 'hill_slope'];

/** Published clusters with ids and centres (k-means over many tehsils). */
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
  /** Percentages with sum 100; all 0 without data. */
  readonly shares: TerrainShares;
  /** Area with a landform, m2. */
  readonly areaM2: number;
  /** Nearest cluster; absent without data. */
  readonly cluster?: TerrainCluster;
}

/** Shares of landforms in a zone, and the nearest cluster. `classes` is the result of `landforms`. */
export function terrainDescriptor(
  cover: ZoneCover,
  { classes, size }: { classes: Uint8Array; size: PlaneSize },
): TerrainDescriptor {
  return descriptorOfAreas(areasBy(cover, size, { count: 256, binOf: (at) => classes[at]! }));
}

/** Terrain descriptor from areas (m2) by landform code, `[256]`. */
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

/** Size of a plane, and areas of pixels. */
export interface PlaneSize {
  readonly cols: number;
  /** Area of a pixel by row, m2. */
  readonly rowAreas: Float64Array;
}

/** Sums areas of pixels (m2) in a cover by bin, Float64 `[count]`. Bins below 0 or from `count` are left out. */
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
