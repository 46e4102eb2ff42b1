import type { PixelEngine, WorkContext } from '@headwater/core';
import type { OutputSpec } from '@headwater/core/pixel-plan';
import type { DemRead } from './read-dem.ts';

/** Module name by which workers import block functions. */
export const BLOCKS = '@headwater/terrain/blocks';

/** A block function on the heights of a run. */
export interface HeightsBlock {
  /** Name of the function, which reads plane `heights`. */
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Planes that the function writes. */
  readonly outputs: readonly OutputSpec[];
}

/** Runs a block function as a step. Returns the planes and the return value. */
export function runBlock(
  { name, params, outputs }: HeightsBlock,
  {
    dem: { heights },
    ports,
  }: { readonly dem: Pick<DemRead, 'heights'>; readonly ports: { readonly pixels: Pick<PixelEngine, 'whole'> } },
  step: WorkContext,
) {
  const block = { module: BLOCKS, export: name, params };
  const plan = { kind: 'whole', grid: heights.grid, inputs: { heights }, block, outputs } as const;
  return ports.pixels.whole(plan, step);
}
