import {
  type ComputedPlace,
  type OpenedLayer,
  outputGrid,
  type PipelinePorts,
  type WorkContext,
} from '@headwater/core';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import { BLOCKS } from '../shared/run-block.ts';
import { labelsOf } from './block.ts';

/** What making the codes may use. */
export interface CodesTools {
  readonly job: ComputedPlace;
  readonly ports: Pick<PipelinePorts, 'pixels'>;
  /** Remembers scratch rasters, to be released whatever happens. */
  readonly keep: (rasters: readonly ScratchRaster[]) => void;
  readonly work: WorkContext;
}

/**
 * Land cover on plains and slopes as codes (`landCoverCodes`) on the grid of the land cover, whose pixels are about 10 m: those of the
 * landforms are some 30 m, and each pixel takes the landform in which its centre lies.
 */
export async function makeCodes(
  { landforms, years }: { readonly landforms: OpenedLayer; readonly years: readonly OpenedLayer[] },
  { job, ports, keep, work }: CodesTools,
): Promise<ScratchRaster> {
  const grid = outputGrid(job.box);
  const inputs: Record<string, ScratchRaster> = {};
  const sources = [landforms, ...years];
  for (const [index, { path }] of sources.entries()) {
    const read = await ports.pixels.read(
      { path, grid, type: 'uint8', resampling: 'nearest', nodata: 0 },
      { signal: work.signal, progress: (share) => work.progress((0.8 * (index + share)) / sources.length) },
    );
    keep([read]);
    inputs[index === 0 ? 'landforms' : labelsOf(index - 1)] = read;
  }
  const block = { module: BLOCKS, export: 'terrainLulcBlock', params: {} };
  const made = await ports.pixels.combine(
    { kind: 'combine', grid, inputs, block, outputs: [{ name: 'codes' }] },
    { signal: work.signal, progress: (share) => work.progress(0.8 + 0.2 * share) },
  );
  keep(Object.values(made));
  const { codes } = made;
  if (codes === undefined) throw new Error('terrainLulcBlock gave no codes');
  return codes;
}
