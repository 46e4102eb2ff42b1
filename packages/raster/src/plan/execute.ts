import type { PixelPlan, PlanOutcome, ScratchRaster, WorkContext } from '@headwater/core';
import type { ScratchSpace } from '../files/scratch-space.ts';
import { WorkerPool, workerUrl } from './workers/pool.ts';
import type { PlanReply, PlanTask } from './plan-worker.ts';
import { areaCells } from './area-map.ts';
import type { AreaCells } from './area-map.ts';
import { PlanRun } from './scene-ledger.ts';
import { prepareScenes } from './prepare.ts';
import type { PreparedPlan } from './prepared.ts';

/** Where results go and how many threads work. */
export interface ExecuteTools {
  readonly scratch: ScratchSpace;
  readonly threads: number;
}

/**
 * Executes a composite plan block by block in worker threads; see `PixelPlan` for the rules.
 * A scene with a broken file is left out entirely, also where it breaks half-way: blocks made with it are made again.
 * Throws `no_scenes`, `cancelled`, `storage_full`; no scratch raster is left behind then.
 */
export async function executePlan(plan: PixelPlan, context: WorkContext, tools: ExecuteTools): Promise<PlanOutcome> {
  context.signal.throwIfAborted();
  const { scenes, skipped } = await prepareScenes(plan, context.signal);
  const area = areaCells(plan.grid, plan.area);
  const outputs: Record<string, ScratchRaster> = {};
  try {
    for (const { name } of plan.outputs) outputs[name] = await tools.scratch.create(plan.grid);
    const prepared: PreparedPlan = {
      grid: plan.grid,
      scenes,
      mask: plan.mask,
      stepCount: plan.steps.length,
      core: plan.core,
      indices: plan.indices,
      block: plan.block,
      outputs: Object.entries(outputs).map(([name, raster]) => ({ name, path: tools.scratch.pathOf(raster) })),
    };
    return { outputs, ...(await runInPool({ prepared, area, skipped }, context, tools.threads)) };
  } catch (error) {
    await Promise.all(Object.values(outputs).map((raster) => tools.scratch.remove(raster)));
    throw error;
  }
}

interface Work {
  readonly prepared: PreparedPlan;
  readonly area: AreaCells;
  readonly skipped: Readonly<Record<string, string>>;
}

async function runInPool(work: Work, context: WorkContext, threads: number): Promise<Omit<PlanOutcome, 'outputs'>> {
  const url = workerUrl('./plan-worker', import.meta.url);
  const pool = new WorkerPool<PlanTask, PlanReply>({ url, workerData: work.prepared, threads, signal: context.signal });
  try {
    const run = new PlanRun(work, pool, context);
    await run.readMasks();
    await run.runBlocks();
    return run.outcome();
  } finally {
    await pool.close();
  }
}
