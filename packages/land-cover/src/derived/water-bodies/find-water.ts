import { pixelAreasM2 } from '@headwater/core/geo';
import type { PixelGrid } from '@headwater/core/pixel-plan';
import type { LabelledRuns } from './label-runs.ts';
import { type Region, regionsOf } from './regions.ts';

/**
 * Areas of a body in one year, m2 on the ellipsoid. `kharif`: water in any season; `rabi`: water until rabi or zaid;
 * `zaid`: water until zaid; `unseen`: land without a class.
 */
export type SeasonM2 = readonly [kharif: number, rabi: number, zaid: number, unseen: number];

/** A water body: pixels with water in any year, joined by sides or corners. */
export interface WaterBody extends Region {
  /** Area in m2 on the ellipsoid. */
  readonly m2: number;
  /** Areas of each year, oldest first. The area of a season includes water that remains longer. */
  readonly years: readonly SeasonM2[];
}

/** All water bodies, in the order of their first pixel, row by row from north. */
export interface WaterFound {
  readonly bodies: readonly WaterBody[];
}

/** Class 2: water in kharif only; 3: until rabi; 4: until zaid. */
const KHARIF = 2;
const ZAID = 4;

/** Finds the water bodies over yearly classes. Each plane is row-major; all have one grid. */
export function findWater(
  years: readonly Uint8Array[],
  grid: PixelGrid,
): { readonly found: WaterFound; readonly runs: LabelledRuns } {
  const { cols, rows } = grid;
  const pixels = new Uint8Array(cols * rows);
  for (const labels of years) {
    for (let i = 0; i < pixels.length; i++) if (labels[i]! >= KHARIF && labels[i]! <= ZAID) pixels[i] = 1;
  }
  const { regions, runs } = regionsOf({ cols, rows, pixels });
  const rowAreas = pixelAreasM2(grid);
  const sums = years.map((labels) => seasonAreas(labels, runs, { cols, rowAreas }));
  const whole = wholeAreas(runs, rowAreas);
  const bodies = regions.map((region, body) => {
    const at = PARTS * body;
    const yearly = sums.map((year): SeasonM2 => [year[at]!, year[at + 1]!, year[at + 2]!, year[at + UNSEEN]!]);
    return { ...region, m2: whole[body]!, years: yearly };
  });
  return { found: { bodies }, runs };
}

const PARTS = 4;
const UNSEEN = 3;

/**
 * Returns m2 at `[4 * region + part]`. Parts: three seasons (water until that season or longer), then land without a
 * class.
 */
function seasonAreas(
  labels: Uint8Array,
  { starts, ends, rowStarts, regions, count }: LabelledRuns,
  { cols, rowAreas }: { readonly cols: number; readonly rowAreas: Float64Array },
): Float64Array {
  const sums = new Float64Array(PARTS * count);
  const pixels = new Uint32Array(PARTS);
  for (let row = 0; row < rowAreas.length; row++) {
    for (let run = rowStarts[row]!; run < rowStarts[row + 1]!; run++) {
      const at = PARTS * regions[run]!;
      for (let i = row * cols + starts[run]!; i < row * cols + ends[run]!; i++) {
        const label = labels[i]!;
        if (label === 0) pixels[UNSEEN]!++;
        if (label < KHARIF || label > ZAID) continue;
        for (let season = 0; season <= label - KHARIF; season++) pixels[season]!++;
      }
      // Areas are added in the same order as in `wholeAreas`, because otherwise rounding could make the wet area larger
      // than the body.
      for (let part = 0; part < PARTS; part++) sums[at + part]! += pixels[part]! * rowAreas[row]!;
      pixels.fill(0);
    }
  }
  return sums;
}

function wholeAreas({ starts, ends, rowStarts, regions, count }: LabelledRuns, rowAreas: Float64Array): Float64Array {
  const sums = new Float64Array(count);
  for (let row = 0; row < rowAreas.length; row++) {
    for (let run = rowStarts[row]!; run < rowStarts[row + 1]!; run++)
      sums[regions[run]!]! += (ends[run]! - starts[run]!) * rowAreas[row]!;
  }
  return sums;
}
