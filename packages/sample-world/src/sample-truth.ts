import type { PixelGrid } from '@headwater/core';
import { BLOCK_KM, DEFAULT_SEED, SAMPLE_YEARS, sampleFrame } from './sample-frame.ts';
import { sampleWorld, truthPlane } from './scene-painter.ts';

/** The true classes of the reference server's sample, without scenes: row-major, `grid.rows * grid.cols`. */
export function sampleTruth(year: (typeof SAMPLE_YEARS)[number]): {
  readonly grid: PixelGrid;
  readonly data: Uint8Array;
} {
  const frame = sampleFrame(BLOCK_KM);
  const index = year === SAMPLE_YEARS[0] ? 0 : year === SAMPLE_YEARS[1] ? 1 : 2;
  return { grid: frame.grid10m, data: truthPlane(sampleWorld(DEFAULT_SEED, frame), index) };
}
