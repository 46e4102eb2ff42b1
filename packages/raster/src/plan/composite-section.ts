import type { CompositeBlock } from '@headwater/core';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { ScratchFiles } from '../files/scratch-files.ts';
import type { Kernels } from '../pixels/kernels.ts';
import { MedianKernel } from '../pixels/median-kernel.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { DateValues } from './date-values.ts';
import { Pane, seriesPlanes } from './pane.ts';
import type { PaneStep, SeriesPlanes } from './pane.ts';
import type { SectionReply, SectionTask } from './plan-tasks.ts';
import type { PreparedPlan, PreparedScene } from './prepared.ts';
import type { SceneFiles } from './scene-files.ts';
import { clearIn, maskRows } from './scene-mask.ts';
import type { SceneMask } from './scene-mask.ts';
import { SectionBands } from './section-bands.ts';
import type { PaneBands } from './section-bands.ts';

/** A scene with clear pixels in a window; mask null = all pixels. */
interface ClearScene {
  readonly scene: PreparedScene;
  readonly mask: SceneMask | null;
}

/** Gives the bands of one scene that a step needs. */
type LoadBands = (scene: PreparedScene, step: number) => Promise<PaneBands>;

/** The worker's half of a plan: turns scenes into composites and composites into outputs, section by section. */
export class SectionCompositor {
  readonly #plan: PreparedPlan;
  readonly #files: SceneFiles;
  readonly #kernels: Kernels;
  readonly #block: CompositeBlock;
  readonly #scratch: ScratchFiles;
  readonly #values: DateValues;
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
    this.#values = new DateValues(kernels, new Set(plan.scenes.flatMap(({ bands }) => Object.keys(bands))));
    this.#series = seriesPlanes(plan.indices);
    this.#mostDates = mostDates(plan);
    for (let dates = 2; dates <= this.#mostDates; dates++) this.#median.prepare(dates);
  }

  /** Composites one section pane by pane, calls the plan's block function on its blocks and writes the outputs. */
  async run({ section, masks }: SectionTask): Promise<SectionReply> {
    const mark = this.#kernels.mark();
    const [used, valued] = [new Set<string>(), new Set<string>()];
    try {
      const bands = new SectionBands(this.#plan, section.window, this.#files);
      await bands.readCoarse(this.#scenesIn(section.window, masks).map(({ scene }) => scene));
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

  #scenesIn(window: PixelWindow, masks: SectionTask['masks']): ClearScene[] {
    return this.#plan.scenes.flatMap((scene) => {
      const mask = masks.get(scene.id);
      if (mask === undefined || (mask !== null && !clearIn(mask, window))) return [];
      return [{ scene, mask }];
    });
  }

  #openPane(window: PixelWindow, scenes: readonly ClearScene[]): Pane {
    const dates = this.#plan.indices.length * Math.min(this.#mostDates, Math.max(scenes.length, 1));
    const maskRow = Math.max(0, ...scenes.map(({ mask }) => mask?.stride ?? 0));
    const room = { series: this.#series, dates, maskRow };
    return new Pane(window, room, this.#kernels);
  }

  /** Fills the pane with medians and its counts; returns the scenes that gave a value. */
  async #composite(pane: Pane, scenes: readonly ClearScene[], load: LoadBands): Promise<ReadonlySet<string>> {
    const valued = new Set<string>();
    let day = '';
    for (const [step, { indices }] of this.#plan.steps.entries()) {
      if (indices.length === 0) continue;
      const inCore = this.#plan.core[0] <= step && step < this.#plan.core[1];
      const dated = scenes.filter(({ scene }) => scene.steps.includes(step));
      const at = { step, dates: dated.length, indices };
      for (const [date, { scene, mask }] of dated.entries()) {
        const bands = await load(scene, step);
        if (scene.day !== day) pane.startDay();
        day = scene.day;
        const clear = mask === null ? null : maskRows(mask, pane.window);
        if (this.#values.add(pane, at, { date, bands, mask: clear, inCore })) valued.add(scene.id);
      }
      this.#closeStep(pane, at);
    }
    return valued;
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

/** The most dates that any step has. */
function mostDates({ steps, scenes }: PreparedPlan): number {
  const counts = steps.map((_, step) => scenes.filter((scene) => scene.steps.includes(step)).length);
  return Math.max(1, ...counts);
}
