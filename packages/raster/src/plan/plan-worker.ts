import { workerData } from 'node:worker_threads';
import type { CompositeBlock } from '@headwater/core';
import { createKernels } from '../pixels/kernels.ts';
import { SAMPLE_BYTES } from '../pixels/pixel-array.ts';
import { TileDecoder } from '../tiff/tile-decoder.ts';
import { readingScene } from './band-reader.ts';
import { runBlock } from './section-bands.ts';
import type { BlockResult, BlockTask, BlockTools } from './section-bands.ts';
import { CellComposite } from './date-values.ts';
import { importBlock } from './block-function.ts';
import { buildMask } from './build-mask.ts';
import type { MaskResult } from './build-mask.ts';
import type { PreparedPlan } from './prepared.ts';
import { SceneFiles } from './scene-files.ts';
import { ScratchFiles } from '../files/scratch-files.ts';
import { serveTasks } from './workers/serve.ts';

/** Tasks of this worker. */
export type PlanTask = { readonly kind: 'mask'; readonly sceneId: string } | ({ readonly kind: 'block' } & BlockTask);
/** Their results. */
export type PlanReply = MaskResult | BlockResult;

serveTasks(async () => {
  const plan: PreparedPlan = workerData;
  const decoder = new TileDecoder(createKernels());
  // All decoding room is taken first: what is allocated later is given back block by block.
  decoder.reserve(largestTile(plan));
  const files = new SceneFiles(decoder);
  let tools: BlockTools | null = null;
  return async (message): Promise<PlanReply> => {
    const task = message as PlanTask;
    if (task.kind === 'mask') return maskOf(plan, task.sceneId, files);
    tools ??= {
      plan,
      files,
      scratch: new ScratchFiles(plan.grid, plan.outputs, 'r+'),
      composite: new CellComposite(plan, decoder.kernels),
      block: await importBlock<CompositeBlock>(plan.block),
    };
    return runBlock(task, tools);
  };
});

function maskOf(plan: PreparedPlan, sceneId: string, files: SceneFiles): Promise<MaskResult> {
  const scene = plan.scenes.find(({ id }) => id === sceneId);
  if (scene?.mask == null || plan.mask === null) throw new Error(`scene ${sceneId} has no mask`);
  const [band, rule] = [scene.mask, plan.mask];
  return readingScene(scene, () => buildMask(band, { grid: plan.grid, rule }, files));
}

function largestTile(plan: PreparedPlan): number {
  const layouts = plan.scenes
    .flatMap(({ bands, mask }) => [...Object.values(bands), ...(mask ? [mask] : [])])
    .map(({ layout }) => layout);
  const sizes = layouts.map(
    ({ dtype, levels }) => (levels[0]?.tile.cols ?? 0) * (levels[0]?.tile.rows ?? 0) * SAMPLE_BYTES[dtype],
  );
  return sizes.reduce((a, b) => Math.max(a, b), 0);
}
