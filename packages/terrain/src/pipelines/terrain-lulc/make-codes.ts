import { outputGrid, type ScratchRaster, type WorkContext } from '@headwater/core';
import { type LayerWork, outputOf } from '@headwater/layer-kit';
import { BLOCKS } from '../dem/run-block.ts';
import { labelsOf } from './block.ts';

/**
 * Land cover on plains and slopes as codes (`landCoverCodes`) on the grid of the land cover, whose pixels are about 10 m: those of the
 * landforms are some 30 m, and each pixel takes the landform in which its centre lies.
 */
export async function makeCodes(
  { sources, job, ports, keep }: Pick<LayerWork<unknown>, 'sources' | 'job' | 'ports' | 'keep'>,
  step: WorkContext,
): Promise<ScratchRaster> {
  const grid = outputGrid(job.box);
  const inputs: Record<string, ScratchRaster> = {};
  for (const [index, { path }] of sources.entries()) {
    const read = await ports.pixels.read(
      { path, grid, type: 'uint8', resampling: 'nearest', nodata: 0 },
      { signal: step.signal, progress: (share) => step.progress((0.8 * (index + share)) / sources.length) },
    );
    keep([read]);
    inputs[index === 0 ? 'landforms' : labelsOf(index - 1)] = read;
  }
  const block = { module: BLOCKS, export: 'terrainLulcBlock', params: {} };
  const made = await ports.pixels.combine(
    { kind: 'combine', grid, inputs, block, outputs: [{ name: 'codes' }] },
    { signal: step.signal, progress: (share) => step.progress(0.8 + 0.2 * share) },
  );
  keep(Object.values(made));
  return outputOf(made, 'codes');
}
