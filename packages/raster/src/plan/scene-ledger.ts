import type { PlanOutcome, WorkContext } from '@headwater/core';
import type { WorkerPool } from './workers/pool.ts';
import type { PlanReply, PlanTask } from './plan-worker.ts';
import { SceneBroken } from './workers/protocol.ts';
import type { AreaCells } from './area-map.ts';
import type { BlockResult } from './section-bands.ts';
import { cutBlocks } from './cut-sections.ts';
import type { Block } from './cut-sections.ts';
import { clearIn, clearInArea } from './scene-mask.ts';
import type { MaskResult } from './build-mask.ts';
import { noScenes } from './prepare.ts';
import type { PreparedPlan, SceneMask } from './prepared.ts';
import { seriesPlanes } from './pane.ts';

/** Share of the progress that reading the masks takes. */
const MASK_SHARE = 0.1;

/** One execution of a prepared plan: masks of all scenes first, then the blocks, leaving out scenes that break. */
export class PlanRun {
  readonly #plan: PreparedPlan;
  readonly #area: AreaCells;
  readonly #pool: WorkerPool<PlanTask, PlanReply>;
  readonly #context: WorkContext;
  readonly #skipped: Record<string, string>;
  /** Scenes in use; null = no mask, all pixels clear. */
  readonly #masks = new Map<string, SceneMask | null>();
  readonly #contributing = new Set<string>();
  #decoded = 0;

  constructor(
    work: { prepared: PreparedPlan; area: AreaCells; skipped: Readonly<Record<string, string>> },
    pool: WorkerPool<PlanTask, PlanReply>,
    context: WorkContext,
  ) {
    this.#plan = work.prepared;
    this.#area = work.area;
    this.#skipped = { ...work.skipped };
    this.#pool = pool;
    this.#context = context;
  }

  /** Reads the mask band of every scene over the grid; keeps the scenes with a clear pixel in the area. */
  async readMasks(): Promise<void> {
    const { scenes, mask } = this.#plan;
    if (mask === null) {
      for (const { id } of scenes) this.#masks.set(id, null);
      return;
    }
    let done = 0;
    const results = await Promise.all(
      scenes.map(async ({ id }) => {
        const result = await this.#unlessBroken(
          id,
          async () => (await this.#pool.run({ kind: 'mask', sceneId: id })) as MaskResult,
        );
        done += 1;
        this.#context.progress((MASK_SHARE * done) / scenes.length, `masks ${done} of ${scenes.length}`);
        return { id, result };
      }),
    );
    for (const { id, result } of results) {
      this.#decoded += result?.decoded ?? 0;
      if (result?.mask == null || !clearInArea(result.mask, this.#area)) continue;
      this.#masks.set(id, result.mask);
      this.#contributing.add(id);
    }
    if (Object.keys(this.#skipped).length > 0 && scenes.every(({ id }) => id in this.#skipped))
      throw noScenes(this.#skipped);
  }

  /** Runs all blocks; those that were made with a scene that broke later are made again without it. */
  async runBlocks(): Promise<void> {
    const planes = seriesPlanes(this.#plan.indices).total;
    const blocks = cutBlocks({
      grid: this.#plan.grid,
      scenes: this.#plan.scenes,
      area: this.#area,
      planes,
      threads: this.#pool.threads,
    });
    const finished = new Map<Block, BlockResult>();
    let waiting: readonly Block[] = blocks;
    while (waiting.length > 0) {
      await Promise.all(
        waiting.map(async (block) => {
          finished.set(block, await this.#runBlock(block));
          this.#context.progress(
            MASK_SHARE + ((1 - MASK_SHARE) * finished.size) / blocks.length,
            `blocks ${finished.size} of ${blocks.length}`,
          );
        }),
      );
      waiting = [...finished]
        .filter(([, result]) => result.used.some((id) => id in this.#skipped))
        .map(([block]) => block);
      for (const block of waiting) finished.delete(block);
    }
    if (this.#plan.mask === null)
      for (const { valued } of finished.values()) for (const id of valued) this.#contributing.add(id);
    this.#context.progress(1);
  }

  /** Sets aside what was read. */
  outcome(): Omit<PlanOutcome, 'outputs'> {
    const contributing = this.#plan.scenes.map(({ id }) => id).filter((id) => this.#contributing.has(id));
    return { contributing, skipped: this.#skipped, decodedPixels: this.#decoded };
  }

  async #runBlock(block: Block): Promise<BlockResult> {
    for (;;) {
      const masks = new Map([...this.#masks].filter(([, mask]) => mask === null || clearIn(mask, block.window)));
      let broken: SceneBroken;
      try {
        const result = (await this.#pool.run({ kind: 'block', block, masks })) as BlockResult;
        this.#decoded += result.decoded;
        return result;
      } catch (error) {
        if (!(error instanceof SceneBroken)) throw error;
        broken = error;
      }
      this.#leaveOut(broken);
    }
  }

  async #unlessBroken<T>(id: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SceneBroken)) throw error;
      this.#skipped[id] = error.message;
      return null;
    }
  }

  #leaveOut({ sceneId, message }: SceneBroken): void {
    this.#skipped[sceneId] = message;
    this.#masks.delete(sceneId);
    this.#contributing.delete(sceneId);
    if (this.#plan.scenes.every(({ id }) => id in this.#skipped)) throw noScenes(this.#skipped);
  }
}
