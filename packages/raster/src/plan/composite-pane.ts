import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import type { Kernels } from '../pixels/kernels.ts';
import { MedianKernel } from '../pixels/median-kernel.ts';
import { DateValues } from './date-values.ts';
import { DayValues } from './day-values.ts';
import { MaskLines } from './mask-lines.ts';
import { mostDays } from './memory-budget.ts';
import type { Pane, PaneStep } from './pane.ts';
import type { PreparedPlan, PreparedScene, PreparedStep } from './prepared.ts';
import { stepOrder } from './step-order.ts';
import type { LoadBands } from './section-bands.ts';
import type { PaneMask } from './pane-mask.ts';

/** A solar day of a step. */
interface AddedDay {
  readonly date: number;
  readonly day: SceneDay;
  readonly load: LoadBands;
}

/**
 * Fills panes (parts of the grid that a worker computes at once) with composites: the medians over the days of a
 * step.
 */
export class PaneCompositor {
  readonly #plan: PreparedPlan;
  readonly #kernels: Kernels;
  readonly #values: DateValues;
  readonly #days: DayValues;
  readonly #median: MedianKernel;

  /**
   * Allocates memory for one block (some rows of a pane). Prepares the median for each number of days that a step
   * can have.
   */
  constructor(plan: PreparedPlan, kernels: Kernels) {
    this.#plan = plan;
    this.#kernels = kernels;
    this.#median = new MedianKernel(kernels);
    const lines = new MaskLines(kernels);
    this.#values = new DateValues(kernels, lines, new Set(plan.scenes.flatMap(({ bands }) => Object.keys(bands))));
    this.#days = new DayValues(kernels, { lines, values: this.#values, indices: Math.max(1, plan.indices.length) });
    for (let dates = mostDays(plan.steps, plan.scenes); dates > 1; dates--) this.#median.prepare(dates);
  }

  /** Fills the medians and counts of the pane; returns the scenes that contributed a value. */
  async fillPane(pane: Pane, steps: readonly FilledStep[], load: LoadBands): Promise<ReadonlySet<string>> {
    const valued = new Set<string>();
    for (const at of steps) {
      for (const [date, day] of at.days.entries()) {
        pane.startDay();
        for (const id of await this.#addDay(pane, at, { date, day, load })) valued.add(id);
      }
      this.#closeStep(pane, at);
    }
    return valued;
  }

  async #addDay(pane: Pane, at: PaneStep, { date, day, load }: AddedDay): Promise<readonly string[]> {
    const counted = this.#isCounted(day, at.step);
    const [only, ...others] = day;
    if (only === undefined) return [];
    if (others.length > 0) return this.#addShared(pane, at, { date, day, load, counted });
    const bands = await load(only.scene, at.step, pane.window);
    return this.#values.add(pane, at, { date, bands, mask: only.mask, counted }) ? [only.scene.id] : [];
  }

  /**
   * Adds a day with several scenes. Reads each scene only in the window of its clear pixels that no earlier scene
   * observed.
   */
  async #addShared(
    pane: Pane,
    at: PaneStep,
    { date, day, load, counted }: AddedDay & { readonly counted: boolean },
  ): Promise<readonly string[]> {
    const valued: string[] = [];
    this.#days.open(pane, at, date);
    for (const { scene, mask } of day) {
      const bits = this.#days.bitsOf(pane, mask);
      const unclaimed = this.#days.unclaimed(pane, bits);
      if (unclaimed === null) {
        this.#days.claim(pane, bits);
        continue;
      }
      const bands = await load(scene, at.step, unclaimed);
      if (this.#days.merge(pane, at, { date, bands, bits })) valued.push(scene.id);
    }
    if (counted) this.#days.close(pane, at, date);
    return valued;
  }

  /** True for the first core step of a day (see `PixelPlan.core`). So a day with several steps is counted only once. */
  #isCounted([first]: SceneDay, step: number): boolean {
    const [from, to] = this.#plan.core;
    return first?.scene.steps.find((at) => from <= at && at < to) === step;
  }

  #closeStep(pane: Pane, at: PaneStep): void {
    if (at.dates === 1) return;
    for (const block of pane.blocks) {
      const { pixels } = block;
      at.indices.forEach((_, rank) => {
        const dst = pane.compositeAt(block, at, rank);
        if (at.dates === 0) {
          this.#kernels.run.fill16(dst, pixels, INDEX_NODATA);
          return;
        }
        const src = pane.dateAt(block, at, { date: 0, rank });
        this.#median.run(at.dates, { src, stride: 2 * pixels, dst, pixels });
      });
    }
  }
}

/** Scene with observed pixels in a pane. If `mask` is null, all pixels are clear. */
export interface PaneScene {
  readonly scene: PreparedScene;
  readonly mask: PaneMask | null;
}

type SceneDay = readonly PaneScene[];

/** Step of a pane with its days. */
export interface FilledStep extends PaneStep {
  readonly days: readonly SceneDay[];
}

/** Steps of a pane in the order of their computation, and the number of planes that they need. */
export function filledSteps(
  steps: readonly PreparedStep[],
  scenes: readonly PaneScene[],
): { readonly steps: readonly FilledStep[]; readonly planes: number } {
  const all = steps.map(({ indices }, step): FilledStep => {
    const days = sceneDays(scenes, step);
    return { step, dates: days.length, indices, days };
  });
  const { order, planes } = stepOrder(
    all.map(({ step, dates, indices }) => ({ step, kept: indices.length, days: dates })),
  );
  return { steps: order.flatMap((step) => all[step] ?? []), planes };
}

/** Days of a step on which a pane has a clear pixel; `scenes` must be sorted by day. */
export function sceneDays(scenes: readonly PaneScene[], step: number): readonly SceneDay[] {
  const days = new Map<string, PaneScene[]>();
  for (const entry of scenes) {
    if (!entry.scene.steps.includes(step)) continue;
    const day = days.get(entry.scene.day) ?? [];
    days.set(entry.scene.day, [...day, entry]);
  }
  return [...days.values()].map(upToLastClear).filter((day) => day.length > 0);
}

/** Removes the scenes after the last one with a clear pixel, because they have no effect. */
function upToLastClear(day: SceneDay): SceneDay {
  return day.slice(0, day.findLastIndex(({ mask }) => mask === null || mask.clear !== null) + 1);
}
