import { labelRuns, type LabelledRuns, type Mask, regionAt } from './label-runs.ts';
import { type Corner, type Ring, traceRings } from './trace-rings.ts';

/** A connected region of set pixels. */
export interface Region {
  /** Number of pixels. */
  readonly pixels: number;
  /**
   * Polygons of pixel corners: counter-clockwise exterior, then clockwise holes. Parts that share only corners are
   * separate polygons.
   */
  readonly polygons: readonly (readonly (readonly Corner[])[])[];
}

/** Result of `regionsOf`. */
export interface Regions {
  /** Regions in the order of their first pixel, row by row from north. */
  readonly regions: readonly Region[];
  readonly runs: LabelledRuns;
}

/**
 * Finds the 8-connected regions of a mask with their outlines. Changes the mask: `traceRings` marks set pixels with
 * bit 1 (value 2).
 */
export function regionsOf(mask: Mask): Regions {
  const runs = labelRuns(mask, 1);
  const parts = labelRuns(mask, 0);
  const polygons: (readonly Corner[])[][] = Array.from({ length: parts.count }, () => []);
  const owner = new Int32Array(parts.count);
  for (const ring of traceRings(mask)) {
    const part = regionAt(parts, ring.row, ring.col);
    owner[part] = regionAt(runs, ring.row, ring.col);
    const rings = polygons[part]!;
    if (isExterior(ring)) rings.unshift(ring.corners);
    else rings.push(ring.corners);
  }
  const regions = Array.from({ length: runs.count }, () => ({ pixels: 0, polygons: [] as (readonly Corner[])[][] }));
  polygons.forEach((rings, part) => regions[owner[part]!]!.polygons.push(rings));
  for (let run = 0; run < runs.starts.length; run++) {
    regions[runs.regions[run]!]!.pixels += runs.ends[run]! - runs.starts[run]!;
  }
  return { regions, runs };
}

function isExterior({ corners }: Ring): boolean {
  let twice = 0;
  for (let i = 1; i < corners.length; i++) {
    const [[x0, y0], [x1, y1]] = [corners[i - 1]!, corners[i]!];
    twice += x0 * y1 - x1 * y0;
  }
  // Rows increase to the south, so the sign of the area is reversed.
  return twice < 0;
}
