import { workerData } from 'node:worker_threads';
import type { CompositeBlock, Plane } from '@headwater/core/pixel-plan';
import { threadRemote } from '../remote/remote.ts';
import { importBlock } from './block-function.ts';
import { buildMask } from './build-mask.ts';
import { SectionCompositor } from './composite-section.ts';
import type { MaskReply, MaskTask, PlanReply, PlanTask } from './plan-tasks.ts';
import type { PreparedPlan } from './prepared.ts';
import { SceneFailure, SceneFiles, readingScene } from './scene-files.ts';
import { serveTasks } from './workers/serve.ts';
import { NearestSampler } from '../warp/resample.ts';

serveTasks(async (report) => {
  const plan: PreparedPlan = workerData;
  const files = new SceneFiles(plan.scenes, threadRemote(plan.network, report));
  const sampler = new NearestSampler(plan.grid, files.decoder.kernels);
  let compositor: SectionCompositor | null = null;
  return async (task: PlanTask): Promise<PlanReply> => {
    try {
      if (task.kind === 'mask') return await maskOf(task, plan, { files, sampler });
      compositor ??= new SectionCompositor(plan, files, await importBlock<CompositeBlock<Plane>>(plan.block));
      return await compositor.run(task);
    } catch (error) {
      if (error instanceof SceneFailure) return error.reply();
      throw error;
    }
  };
});

function maskOf(
  { sceneId }: MaskTask,
  { scenes, panes, area, mask: rule }: PreparedPlan,
  { files, sampler }: { readonly files: SceneFiles; readonly sampler: NearestSampler },
): Promise<MaskReply> {
  const scene = scenes.find(({ id }) => id === sceneId);
  const band = scene?.mask ?? null;
  if (scene === undefined || band === null || rule === null) throw new Error(`scene ${sceneId} has no mask`);
  return readingScene(scene, () =>
    buildMask(
      { band, file: files.get(band), rule, observed: scene.shared, panes, area, sampler },
      files.decoder.kernels,
    ),
  );
}
