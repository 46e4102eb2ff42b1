import { planeOf, type WholeBlock } from '@headwater/core/pixel-plan';
import { findWater } from './find-water.ts';

/**
 * Number of regions that two byte planes (`high` and `low`) can distinguish. 0 means "no region", so each byte has 255
 * values.
 */
export const REGIONS_PER_PLANES = 255 * 255;

/**
 * Finds water bodies in yearly classes (`labels_0`, ...). Returns `WaterFound` as JSON and marks the pixels of at most
 * `REGIONS_PER_PLANES` bodies, from the index `from` on. Pixels of body `from` + n: `high` = 1 + floor(n / 255),
 * `low` = 1 + n % 255.
 */
export const waterBlock: WholeBlock = ({ grid, inputs, outputs, params, progress }) => {
  const years = Object.keys(inputs).map((_, index) => planeOf(inputs, `labels_${index}`, 'uint8'));
  const from = Number(params['from'] ?? 0);
  const { found, runs } = findWater(years, grid);
  progress(0.8);
  const [low, high] = [planeOf(outputs, 'low', 'uint8'), planeOf(outputs, 'high', 'uint8')];
  for (let row = 0; row < grid.rows; row++) {
    for (let run = runs.rowStarts[row]!; run < runs.rowStarts[row + 1]!; run++) {
      const n = runs.regions[run]! - from;
      if (n < 0 || n >= REGIONS_PER_PLANES) continue;
      const [first, end] = [row * grid.cols + runs.starts[run]!, row * grid.cols + runs.ends[run]!];
      high.fill(1 + Math.floor(n / 255), first, end);
      low.fill(1 + (n % 255), first, end);
    }
  }
  return found;
};
