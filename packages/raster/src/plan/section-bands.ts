import type { CompositeBlock, IndexFormula } from '@headwater/core';
import { isHttp } from '../tiff/bad-file.ts';
import type { PixelWindow } from '../pixels/pixel-array.ts';
import { PlaneReader, planeBytes, readingScene } from './band-reader.ts';
import type { BandPlane } from './band-reader.ts';
import type { CellComposite } from './date-values.ts';
import type { Block } from './cut-sections.ts';
import { clearIn } from './scene-mask.ts';
import { bandsOf, indicesAt } from './prepared.ts';
import type { PreparedBand, PreparedPlan, PreparedScene, SceneMask } from './prepared.ts';
import type { SceneFiles } from './scene-files.ts';
import type { ScratchFiles } from '../files/scratch-files.ts';

/** A block and what may be used for it. */
export interface BlockTask {
  readonly block: Block;
  /** Scene id -> clear pixels; scenes that are absent are not read. */
  readonly masks: ReadonlyMap<string, SceneMask | null>;
}

/** What a finished block was made of. */
export interface BlockResult {
  /** Scenes that were read for it. */
  readonly used: readonly string[];
  /** Scenes that gave at least one value. */
  readonly valued: readonly string[];
  readonly decoded: number;
}

/** All that a worker keeps between blocks. */
export interface BlockTools {
  readonly plan: PreparedPlan;
  readonly files: SceneFiles;
  readonly scratch: ScratchFiles;
  readonly composite: CellComposite;
  readonly block: CompositeBlock;
}

/** Composites one block cell by cell, calls the plan's block function on its chunks and writes the outputs. */
export async function runBlock(task: BlockTask, tools: BlockTools): Promise<BlockResult> {
  const { kernels } = tools.files.decoder;
  const mark = kernels.mark();
  const reader = new PlaneReader(tools.files);
  try {
    const coarse = await readCoarse(task, tools, reader);
    const used = new Set<string>();
    const valued = new Set<string>();
    for (const window of task.block.cells) {
      const inner = kernels.mark();
      const scenes = scenesIn(task, tools.plan, window);
      for (const { scene } of scenes) used.add(scene.id);
      const cell = tools.composite.begin(window, scenes.length);
      const loader = new CellBands({ window, block: task.block.window, coarse, reader, tools });
      for (const id of await tools.composite.fill(cell, scenes, (scene, step) => loader.load(scene, step)))
        valued.add(id);
      tools.composite.classify(cell, tools);
      kernels.reset(inner);
    }
    return { used: [...used], valued: [...valued], decoded: reader.decoded };
  } finally {
    kernels.reset(mark);
  }
}

/** A scene with clear pixels in a cell; mask null = all pixels. */
export interface CellScene {
  readonly scene: PreparedScene;
  readonly mask: SceneMask | null;
}

function scenesIn(task: BlockTask, plan: PreparedPlan, window: PixelWindow): CellScene[] {
  return plan.scenes.flatMap((scene) => {
    const mask = task.masks.get(scene.id);
    if (mask === undefined || (mask !== null && !clearIn(mask, window))) return [];
    return [{ scene, mask }];
  });
}

/** Coarse bands of a block by scene and band name. */
type Coarse = ReadonlyMap<string, ReadonlyMap<string, BandPlane>>;

/** Reads every 20 m band of every scene with a clear pixel once for the whole block. */
async function readCoarse(task: BlockTask, { plan }: BlockTools, reader: PlaneReader): Promise<Coarse> {
  const { window } = task.block;
  const coarse = new Map<string, Map<string, BandPlane>>();
  const kernels = reader.kernels;
  for (const { scene } of scenesIn(task, plan, window)) {
    const planes = new Map<string, BandPlane>();
    for (const [name, band] of Object.entries(scene.bands)) {
      if (band.alignment.kind !== 'aligned' || band.alignment.shift === 0) continue;
      const half = { ...window, cols: (window.cols >> 1) + 2, rows: (window.rows >> 1) + 2 };
      const address = kernels.alloc(planeBytes(half));
      const request = { band, window, grid: plan.grid, address, use: useOf(plan, name) };
      planes.set(name, await readingScene(scene, () => reader.load(request)));
    }
    coarse.set(scene.id, planes);
  }
  return coarse;
}

function useOf(plan: PreparedPlan, band: string): IndexFormula['kind'] {
  return plan.indices.some(({ formula }) => formula.kind === 'band' && formula.band === band) ? 'band' : 'ratio';
}

/** A band of one scene, ready for the chunks of a cell. */
export interface LoadedBand {
  readonly plane: BandPlane;
  readonly band: PreparedBand;
  readonly use: IndexFormula['kind'];
}

/** Loads the bands of one cell scene after scene into the same memory. */
class CellBands {
  readonly #window: PixelWindow;
  readonly #coarse: Coarse;
  readonly #reader: PlaneReader;
  readonly #tools: BlockTools;
  readonly #block: PixelWindow;
  readonly #address = new Map<string, number>();

  constructor(cell: {
    window: PixelWindow;
    block: PixelWindow;
    coarse: Coarse;
    reader: PlaneReader;
    tools: BlockTools;
  }) {
    this.#block = cell.block;
    this.#window = cell.window;
    this.#coarse = cell.coarse;
    this.#reader = cell.reader;
    this.#tools = cell.tools;
    const names = new Set(this.#tools.plan.indices.flatMap(bandsOf));
    for (const name of names) this.#address.set(name, this.#reader.kernels.alloc(planeBytes(this.#window)));
  }

  /** Bands that the indices of a step need; valid until the next call. */
  async load(scene: PreparedScene, step: number): Promise<ReadonlyMap<string, LoadedBand>> {
    const names = [...new Set(indicesAt(this.#tools.plan.indices, step).flatMap(bandsOf))];
    const remote = names.some((name) => isHttp(scene.bands[name]?.layout.href ?? ''));
    const loaded = new Map<string, LoadedBand>();
    const pending = names.map((name) => async () => {
      const band = await this.#loadBand(scene, name);
      loaded.set(name, band);
    });
    // A local read is finished before the next starts (they share a buffer); over a network they wait together.
    if (remote) await Promise.all(pending.map((start) => start()));
    else for (const start of pending) await start();
    return loaded;
  }

  async #loadBand(scene: PreparedScene, name: string): Promise<LoadedBand> {
    const { plan } = this.#tools;
    const band = scene.bands[name];
    if (band === undefined) throw new Error(`scene ${scene.id} has no band ${name}`);
    const use = useOf(plan, name);
    const shared = this.#coarse.get(scene.id)?.get(name);
    if (shared !== undefined) return { plane: this.#within(shared), band, use };
    const request = { band, window: this.#window, grid: plan.grid, address: this.#address.get(name) ?? 0, use };
    return { plane: await readingScene(scene, () => this.#reader.load(request)), band, use };
  }

  /** The block's plane as the cell sees it. */
  #within(plane: BandPlane): BandPlane {
    const origin = this.#block;
    return { ...plane, col: plane.col + this.#window.col - origin.col, row: plane.row + this.#window.row - origin.row };
  }
}
