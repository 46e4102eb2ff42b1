import type { CompositeBlock } from '@headwater/core';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { ScratchFiles } from '../files/scratch-files.ts';
import type { Kernels } from '../pixels/kernels.ts';
import { MedianKernel } from '../pixels/median-kernel.ts';
import { DateValues } from './date-values.ts';
import { DayValues } from './day-values.ts';
import { MaskLines } from './mask-lines.ts';
import { mostDays } from './memory-budget.ts';
import { Pane, seriesPlanes } from './pane.ts';
import type { PaneStep, SeriesPlanes } from './pane.ts';
import type { SectionReply, SectionTask } from './plan-tasks.ts';
import type { PreparedPlan } from './prepared.ts';
import type { PaneMask, PaneWindow } from './pane-mask.ts';
import { sceneDays } from './scene-days.ts';
import type { PaneScene, SceneDay } from './scene-days.ts';
import type { SceneFiles } from './scene-files.ts';
import { SectionBands } from './section-bands.ts';
import type { LoadBands } from './section-bands.ts';

/** The worker's half of a plan: turns scenes into composites and composites into outputs, section by section. */
export class SectionCompositor {
  readonly #plan: PreparedPlan;
  readonly #files: SceneFiles;
  readonly #kernels: Kernels;
  readonly #block: CompositeBlock;
  readonly #scratch: ScratchFiles;
  readonly #values: DateValues;
  readonly #days: DayValues;
  readonly #median: MedianKernel;
  readonly #series: SeriesPlanes;
  readonly #mostDates: number;

  constructor(plan: PreparedPlan, files: SceneFiles, block: CompositeBlock) {
    const { kernels } = files.decoder;
    this.#plan = plan;
    this.#files = files;
    this.#kernels = kernels;
    this.#block = block;
    this.#scratch = new ScratchFiles(plan.grid, plan.outputs, 'r+');
    this.#median = new MedianKernel(kernels);
    const lines = new MaskLines(kernels);
    this.#values = new DateValues(kernels, lines, new Set(plan.scenes.flatMap(({ bands }) => Object.keys(bands))));
    this.#days = new DayValues(kernels, { lines, values: this.#values, indices: Math.max(1, plan.indices.length) });
    this.#series = seriesPlanes(plan.indices);
    this.#mostDates = mostDays(plan.steps, plan.scenes);
    for (let dates = 2; dates <= this.#mostDates; dates++) this.#median.prepare(dates);
  }

  /** Composites one section pane by pane, calls the plan's block function on its blocks and writes the outputs. */
  async run({ section, masks }: SectionTask): Promise<SectionReply> {
    const mark = this.#kernels.mark();
    const [used, valued] = [new Set<string>(), new Set<string>()];
    try {
      const bands = new SectionBands(this.#plan, { section, scenes: masks.size }, this.#files);
      for (const window of section.panes) {
        const paneMark = this.#kernels.mark();
        const scenes = this.#scenesIn(window, masks);
        for (const { scene } of scenes) used.add(scene.id);
        const pane = this.#openPane(window, scenes);
        for (const id of await this.#composite(pane, scenes, bands.forPane(window))) valued.add(id);
        this.#writeOutputs(pane);
        this.#kernels.reset(paneMark);
      }
      return { kind: 'section', used: [...used], valued: [...valued], decoded: bands.decoded };
    } finally {
      this.#kernels.reset(mark);
    }
  }

  /** Scenes that have something to say of a pane, by day. */
  #scenesIn(pane: PaneWindow, masks: SectionTask['masks']): PaneScene[] {
    return this.#plan.scenes.flatMap((scene) => {
      const all = masks.get(scene.id);
      if (all === undefined) return [];
      const mask: PaneMask | null | undefined = all === null ? null : all.get(pane.id);
      return mask === undefined ? [] : [{ scene, mask }];
    });
  }

  #openPane(window: PaneWindow, scenes: readonly PaneScene[]): Pane {
    const dates = Math.max(...this.#plan.steps.map((_, step) => this.#datePlanes(scenes, step)));
    const maskRow = Math.max(0, ...scenes.map(({ mask }) => mask?.stride ?? 0));
    return new Pane(window, { series: this.#series, dates, maskRow }, this.#kernels);
  }

  /** Planes that the dates of a step need before their median. */
  #datePlanes(scenes: readonly PaneScene[], step: number): number {
    const { length } = sceneDays(scenes, step);
    return length * (this.#plan.steps[step]?.indices.length ?? 0);
  }

  /** Fills the pane with medians and its counts; returns the scenes that gave a value. */
  async #composite(pane: Pane, scenes: readonly PaneScene[], load: LoadBands): Promise<ReadonlySet<string>> {
    const valued = new Set<string>();
    for (const [step, { indices }] of this.#plan.steps.entries()) {
      if (indices.length === 0) continue;
      const days = sceneDays(scenes, step);
      const at = { step, dates: days.length, indices };
      for (const [date, day] of days.entries()) {
        pane.startDay();
        for (const id of await this.#addDay(pane, at, { date, day, load })) valued.add(id);
      }
      this.#closeStep(pane, at);
    }
    return valued;
  }

  /** Adds one day to a step; returns the scenes that gave a value. */
  async #addDay(pane: Pane, at: PaneStep, { date, day, load }: AddedDay): Promise<readonly string[]> {
    const counted = this.#isCounted(day, at.step);
    const [only, ...others] = day;
    if (only === undefined) return [];
    if (others.length > 0) return this.#addShared(pane, at, { date, day, load, counted });
    const bands = await load(only.scene, at.step, pane.window);
    return this.#values.add(pane, at, { date, bands, mask: only.mask, counted }) ? [only.scene.id] : [];
  }

  /** Adds a day of several scenes: each is read only for the pixels that none before it observed. */
  async #addShared(
    pane: Pane,
    at: PaneStep,
    { date, day, load, counted }: AddedDay & { readonly counted: boolean },
  ): Promise<readonly string[]> {
    const given: string[] = [];
    this.#days.open(pane, at, date);
    for (const { scene, mask } of day) {
      const bits = this.#days.bitsOf(pane, mask);
      const wanted = this.#days.wanted(pane, bits);
      if (wanted === null) {
        this.#days.claim(pane, bits);
        continue;
      }
      const bands = await load(scene, at.step, wanted);
      if (this.#days.merge(pane, at, { date, bands, bits })) given.push(scene.id);
    }
    if (counted) this.#days.close(pane, at, date);
    return given;
  }

  /** True in the first step of the year itself that a day falls into: it is counted once. */
  #isCounted([first]: SceneDay, step: number): boolean {
    const [from, to] = this.#plan.core;
    return first?.scene.steps.find((at) => from <= at && at < to) === step;
  }

  /** Medians of a step with several dates; nothing known where it has none. */
  #closeStep(pane: Pane, at: PaneStep): void {
    if (at.dates === 1) return;
    for (const block of pane.blocks) {
      const { pixels } = block;
      at.indices.forEach((index, rank) => {
        const dst = pane.compositeAt(block, index, at.step);
        if (at.dates === 0) {
          this.#kernels.run.fill16(dst, pixels, INDEX_NODATA);
          return;
        }
        const src = pane.dateAt(block, at, { date: 0, rank, index });
        this.#median.run(at.dates, { src, stride: 2 * pixels, dst, pixels });
      });
    }
  }

  /** Calls the block function on every block and writes the pane's outputs. */
  #writeOutputs(pane: Pane): void {
    const { cols, rows } = pane.window;
    const outputs = this.#plan.outputs.map(({ name }) => ({ name, plane: new Uint8Array(cols * rows) }));
    for (const block of pane.blocks) {
      const { first, pixels } = block;
      this.#block({
        pixels,
        series: Object.fromEntries(this.#plan.indices.map((index) => [index.name, pane.seriesOf(block, index)])),
        clear: pane.clearOf(block),
        outputs: Object.fromEntries(outputs.map(({ name, plane }) => [name, plane.subarray(first, first + pixels)])),
        params: this.#plan.block.params,
      });
    }
    for (const { name, plane } of outputs) this.#scratch.write(name, pane.window, plane);
  }
}

/** A day that is added to a step. */
interface AddedDay {
  /** Its place among the dates of the step. */
  readonly date: number;
  readonly day: SceneDay;
  readonly load: LoadBands;
}
