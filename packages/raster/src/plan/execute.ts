/**
 * Executes a `PixelPlan`. This file runs in the main thread, `plan-worker.ts` in the workers.
 *
 * Terms of this package:
 * - grid: the pixels of the plan or of a file; window: a rectangle of a grid; strip: some whole rows.
 * - tile: the unit of compression in a TIFF. A strip of a TIFF is a tile as wide as the image.
 * - square: 8 x 8 grid pixels, the resolution of the plan's area.
 * - section: a window that one worker computes, cut at tile borders.
 * - pane: the part of a section that is in memory at once: tiles, or some rows of a tile.
 * - day: a solar day, whose scenes are one observation; date: a day of one step, numbered from 0.
 * - block: whole rows of a pane, at most 4096 pixels, for one call of the plan's block function.
 * - plane: one value per pixel of a block or window; series: the planes of an index over the steps.
 */

import type { WorkContext } from '@headwater/core';
import type { PixelPlan } from '@headwater/core/pixel-plan';
import type { PlanOutcome } from '@headwater/core/ports';
import type { OnWait } from '@headwater/net';
import type { RemoteSettings } from '../remote/remote.ts';
import { workerUrl } from '@headwater/net/files';
import { scratchFiles } from '../files/scratch-files.ts';
import { type ScratchSpace, withOutputs } from '../files/scratch-space.ts';
import { areaMap } from './area-map.ts';
import { type CutGrid, cutSections } from './cut-sections.ts';
import { sharedBytes } from './memory-budget.ts';
import type { BrokenScene, MaskReply, PlanReply, PlanTask, Section, SectionReply } from './plan-tasks.ts';
import { prepareScenes } from './prepare.ts';
import type { PreparedPlan } from './prepared.ts';
import { SceneLedger } from './scene-ledger.ts';
import { WorkerPool } from './workers/pool.ts';
import type { SpareThreads } from './workers/spare-threads.ts';

/** Callbacks for progress and waits. A report of a wait repeats the last progress share. */
export interface WaitNotes {
  readonly progress: WorkContext['progress'];
  /** Called with a note on what the work waits for, and with null when the work continues. */
  readonly onWait: OnWait;
}

/** Reports each wait as a note and repeats the last progress share. Logs each line only once. */
export function waitNotes({ progress, log }: Pick<WorkContext, 'progress' | 'log'>): WaitNotes {
  let reached = 0;
  const logged = new Set<string>();
  return {
    progress: (share, note) => {
      reached = share;
      progress(share, note);
    },
    onWait: (note, line) => {
      progress(reached, note ?? 'continues');
      if (line === undefined || logged.has(line)) return;
      logged.add(line);
      log?.(line);
    },
  };
}

/** Scratch space, number of threads and network of an execution. */
export interface ExecuteTools {
  readonly scratch: ScratchSpace;
  readonly threads: number;
  /** Network settings of the main thread and of each worker, such as time limits. */
  readonly network?: RemoteSettings | undefined;
  /**
   * Threads that continue to run between calls of `readGrid`. `executePlan` ends its threads at the end of each call.
   */
  readonly spare?: SpareThreads | undefined;
}

interface PlanRun {
  readonly plan: PreparedPlan;
  readonly sections: CutGrid['sections'];
  readonly ledger: SceneLedger;
  readonly pool: WorkerPool<PlanTask, PlanReply>;
  readonly progress: WorkContext['progress'];
}

const MASK_SHARE = 0.1;

/**
 * Executes a composite plan section by section in worker threads, by the rules that `PixelPlan` describes. Leaves out
 * scenes with a broken or unavailable file, and then repeats the sections that used them. Throws `no_scenes` if no
 * scene can be used, `unavailable` if too many scenes are unavailable, `cancelled`, and `storage_full`.
 */
export async function executePlan(plan: PixelPlan, context: WorkContext, tools: ExecuteTools): Promise<PlanOutcome> {
  context.signal.throwIfAborted();
  const waits = waitNotes(context);
  const network = tools.network ?? {};
  const found = await prepareScenes(plan, { signal: context.signal, network, onWait: waits.onWait });
  const { scenes, steps } = found;
  const ledger = new SceneLedger(found, plan.mayMiss);
  const area = areaMap(plan.grid, plan.area);
  return withOutputs(tools.scratch, plan, async (outputs) => {
    const files = scratchFiles(tools.scratch, outputs);
    const { grid, mask, core, indices, block } = plan;
    const threads = Math.max(1, Math.floor(tools.threads));
    const { sections, outside } = cutSections({ plan: { grid, scenes, indices, steps }, area, threads });
    const panes = sections.flatMap((section) => section.panes);
    const pixels = { grid, area, panes, sharedBytes: sharedBytes(threads) };
    const prepared = { ...pixels, scenes, mask, steps, core, indices, block, outputs: files, network };
    const decodedPixels = await runInPool({ plan: prepared, sections, ledger }, { ...context, ...waits }, threads);
    return {
      outputs,
      contributing: ledger.contributing(),
      unused: ledger.unused(),
      skipped: ledger.skipped(),
      unavailable: ledger.unavailable(),
      pieces: { computed: panes.length, outside },
      decodedPixels,
    };
  });
}

async function runInPool(
  work: Pick<PlanRun, 'plan' | 'sections' | 'ledger'>,
  { signal, progress, onWait: onNote }: WorkContext & WaitNotes,
  threads: number,
): Promise<number> {
  const url = workerUrl('./plan-worker', import.meta.url, '@headwater/raster');
  const pool = new WorkerPool<PlanTask, PlanReply>({ url, workerData: work.plan, threads, signal, onNote });
  try {
    const run = { ...work, pool, progress };
    return (await readMasks(run)) + (await runSections(run));
  } finally {
    await pool.close();
  }
}

async function readMasks({ plan, ledger, pool, progress }: PlanRun): Promise<number> {
  const { scenes, mask } = plan;
  if (mask === null) {
    for (const { id } of scenes) ledger.useWhole(id);
    return 0;
  }
  let done = 0;
  let decoded = 0;
  await Promise.all(
    scenes.map(async ({ id }) => {
      const reply = asMask(await pool.run({ kind: 'mask', sceneId: id }));
      done += 1;
      progress((MASK_SHARE * done) / scenes.length, `masks ${done} of ${scenes.length}`);
      if (reply.kind === 'broken') {
        ledger.leaveOut(reply);
        return;
      }
      decoded += reply.decoded;
      ledger.use(id, reply.masks);
    }),
  );
  return decoded;
}

/** Runs all sections. If a scene is found to be broken later, repeats the sections that used this scene. */
async function runSections(run: PlanRun): Promise<number> {
  const { sections, ledger, progress } = run;
  const finished = new Map<Section, SectionReply>();
  let decoded = 0;
  let waiting: readonly Section[] = sections;
  while (waiting.length > 0) {
    await Promise.all(
      waiting.map(async (section) => {
        const reply = await runSection(section, run);
        finished.set(section, reply);
        decoded += reply.decoded;
        const share = MASK_SHARE + ((1 - MASK_SHARE) * finished.size) / sections.length;
        progress(share, `blocks ${finished.size} of ${sections.length}`);
      }),
    );
    waiting = sections.filter((section) => finished.get(section)?.used.some((id) => ledger.isLeftOut(id)));
    for (const section of waiting) finished.delete(section);
  }
  for (const { valued } of finished.values()) for (const id of valued) ledger.contributed(id);
  progress(1);
  return decoded;
}

/** Runs a section. If a file of a scene is broken, leaves out the scene and runs the section again. */
async function runSection(section: Section, { ledger, pool }: PlanRun): Promise<SectionReply> {
  for (;;) {
    const masks = ledger.masksIn(section);
    const reply = asSection(await pool.run({ kind: 'section', section, masks }));
    if (reply.kind === 'section') return reply;
    ledger.leaveOut(reply);
  }
}

function asMask(reply: PlanReply): MaskReply | BrokenScene {
  if (reply.kind === 'section') throw new Error('a worker replied to a mask task with a section');
  return reply;
}

function asSection(reply: PlanReply): SectionReply | BrokenScene {
  if (reply.kind === 'mask') throw new Error('a worker replied to a section task with a mask');
  return reply;
}
