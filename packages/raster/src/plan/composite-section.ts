import { fromUtm, utmZone } from '@headwater/core/geo';
import type { CompositeBlock, PixelGrid, Plane } from '@headwater/core/pixel-plan';
import { partOf, planesFor, ScratchFiles } from '../files/scratch-files.ts';
import type { Kernels } from '../pixels/kernels.ts';
import { filledSteps, PaneCompositor, type PaneScene } from './composite-pane.ts';
import { Pane, type PaneRoom } from './pane.ts';
import type { PaneMask, PaneWindow } from './pane-mask.ts';
import type { SectionReply, SectionTask } from './plan-tasks.ts';
import type { PreparedPlan } from './prepared.ts';
import type { SceneFiles } from './scene-files.ts';
import { SectionBands } from './section-bands.ts';

/**
 * Computes composites from scenes, and then the outputs from these composites, for the sections (windows of the grid)
 * of one worker.
 */
export class SectionCompositor {
  readonly #plan: PreparedPlan;
  readonly #files: SceneFiles;
  readonly #kernels: Kernels;
  readonly #block: CompositeBlock<Plane>;
  readonly #scratch: ScratchFiles;
  readonly #compositor: PaneCompositor;

  constructor(plan: PreparedPlan, files: SceneFiles, block: CompositeBlock<Plane>) {
    const { kernels } = files.decoder;
    this.#plan = plan;
    this.#files = files;
    this.#kernels = kernels;
    this.#block = block;
    this.#scratch = new ScratchFiles(plan.grid, plan.outputs, 'r+');
    this.#compositor = new PaneCompositor(plan, kernels);
  }

  /** Computes the outputs of a section and writes them, one pane (part in memory) at a time. */
  async run({ section, masks }: SectionTask): Promise<SectionReply> {
    const mark = this.#kernels.mark();
    const [used, valued] = [new Set<string>(), new Set<string>()];
    try {
      const panes = section.panes.map((window) => this.#paneWork(window, masks));
      const sharedBytes = this.#plan.sharedBytes - Math.max(0, ...panes.map((work) => this.#extraBytes(work)));
      const bands = new SectionBands(this.#plan, { section, scenes: masks.size, sharedBytes }, this.#files);
      for (const [i, work] of panes.entries()) {
        const paneMark = this.#kernels.mark();
        for (const { scene } of work.scenes) used.add(scene.id);
        const pane = new Pane(work.window, work, this.#kernels);
        for (const id of await this.#compositor.fillPane(pane, work.steps, bands.forPane(work.window))) valued.add(id);
        this.#writeOutputs(pane);
        this.#kernels.reset(paneMark);
        if (panes[i + 1]?.window.col !== work.window.col) await bands.finish();
      }
      return { kind: 'section', used: [...used], valued: [...valued], decoded: bands.decoded };
    } finally {
      this.#kernels.reset(mark);
    }
  }

  #scenesIn(pane: PaneWindow, masks: SectionTask['masks']): PaneScene[] {
    return this.#plan.scenes.flatMap((scene) => {
      const all = masks.get(scene.id);
      if (all === undefined) return [];
      const mask: PaneMask | null | undefined = all === null ? null : all.get(pane.id);
      return mask === undefined ? [] : [{ scene, mask }];
    });
  }

  #paneWork(window: PaneWindow, masks: SectionTask['masks']) {
    const scenes = this.#scenesIn(window, masks);
    const maskRow = Math.max(0, ...scenes.map(({ mask }) => mask?.stride ?? 0));
    const { indices, steps } = this.#plan;
    return { window, scenes, indices, maskRow, ...filledSteps(steps, scenes) };
  }

  /** Bytes that a pane needs for the values of single days, in addition to its composites. */
  #extraBytes({ window, steps, planes }: Pick<PaneRoom, 'steps' | 'planes'> & { readonly window: PaneWindow }): number {
    const kept = steps.reduce((sum, { indices }) => sum + indices.length, 0);
    return 2 * window.cols * window.rows * (planes - kept);
  }

  #writeOutputs(pane: Pane): void {
    const { cols, rows } = pane.window;
    const outputs = planesFor(this.#plan.outputs, cols * rows);
    const latitudeAt = latitudesOf(this.#plan.grid);
    for (const block of pane.blocks) {
      const { first, pixels } = block;
      this.#block({
        pixels,
        series: pane.seriesOf(block),
        clear: pane.clearOf(block),
        outputs: partOf(outputs, first, first + pixels),
        params: this.#plan.block.params,
        ...(latitudeAt !== undefined && {
          latitudeOf: (pixel) => {
            const at = first + pixel;
            return latitudeAt(pane.window.col + (at % cols), pane.window.row + Math.floor(at / cols));
          },
        }),
      });
    }
    for (const { name, plane } of outputs) this.#scratch.write(name, pane.window, plane);
  }
}

/** Returns a function for the latitudes of pixels; undefined for a CRS other than EPSG:4326 and UTM. */
function latitudesOf({ crs, west, north, pixelWidth, pixelHeight }: PixelGrid) {
  const zone = utmZone(crs);
  if (zone === undefined && crs !== 'EPSG:4326') return undefined;
  return (col: number, row: number): number => {
    const y = north - (row + 0.5) * pixelHeight;
    return zone === undefined ? y : fromUtm(zone, west + (col + 0.5) * pixelWidth, y)[1];
  };
}
