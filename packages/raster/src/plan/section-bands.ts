import type { Kernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { BandReader, planeBytes } from './band-reader.ts';
import type { BandPlane } from './band-reader.ts';
import type { PreparedPlan, PreparedScene } from './prepared.ts';
import type { SceneFiles } from './scene-files.ts';

/** Bands by name, as a pane sees them. */
export type PaneBands = ReadonlyMap<string, BandPlane>;

/** The bands of the scenes over one section: those of 20 m are read once for all of its panes. */
export class SectionBands {
  readonly #plan: PreparedPlan;
  readonly #window: PixelWindow;
  readonly #kernels: Kernels;
  readonly #reader: BandReader;
  /** 20 m bands of the whole section by scene and band name. */
  readonly #coarse = new Map<string, Map<string, BandPlane>>();

  constructor(plan: PreparedPlan, window: PixelWindow, files: SceneFiles) {
    this.#plan = plan;
    this.#window = window;
    this.#kernels = files.decoder.kernels;
    this.#reader = new BandReader(plan.grid, files);
  }

  /** Pixels decoded so far. */
  get decoded(): number {
    return this.#reader.decoded;
  }

  /** Reads every 20 m band of the scenes; throws a `SceneFailure` where a file is broken. */
  async readCoarse(scenes: readonly PreparedScene[]): Promise<void> {
    const window = this.#window;
    const bytes = planeBytes({ cols: (window.cols >> 1) + 2, rows: (window.rows >> 1) + 2 });
    for (const scene of scenes) {
      const planes = new Map<string, BandPlane>();
      for (const [name, band] of Object.entries(scene.bands)) {
        if (band.alignment.kind !== 'aligned' || band.alignment.shift === 0) continue;
        const target = { window, address: this.#kernels.alloc(bytes) };
        planes.set(name, await this.#reader.load(scene, band, target));
      }
      this.#coarse.set(scene.id, planes);
    }
  }

  /** Takes room for the bands of one pane: scene after scene is loaded into the same memory. */
  forPane(pane: PixelWindow): (scene: PreparedScene, step: number) => Promise<PaneBands> {
    const names = new Set(this.#plan.steps.flatMap(({ bands }) => bands));
    const addresses = new Map([...names].map((name) => [name, this.#kernels.alloc(planeBytes(pane))]));
    return (scene, step) => this.#load(scene, this.#plan.steps[step]?.bands ?? [], { window: pane, addresses });
  }

  /** Bands that a step needs of a scene; valid until the next call. */
  async #load(scene: PreparedScene, names: readonly string[], pane: PaneRoom): Promise<PaneBands> {
    const remote = names.every((name) => scene.bands[name]?.remote === true);
    const loaded = new Map<string, BandPlane>();
    const pending = names.map((name) => async () => {
      loaded.set(name, await this.#loadBand(scene, name, pane));
    });
    // A local read is finished before the next starts (they share a buffer); where all are remote, they wait together.
    if (remote) await Promise.all(pending.map((start) => start()));
    else for (const start of pending) await start();
    return loaded;
  }

  async #loadBand(scene: PreparedScene, name: string, { window, addresses }: PaneRoom): Promise<BandPlane> {
    const shared = this.#coarse.get(scene.id)?.get(name);
    if (shared !== undefined) {
      const [right, down] = [window.col - this.#window.col, window.row - this.#window.row];
      return { ...shared, col: shared.col + right, row: shared.row + down };
    }
    const [band, address] = [scene.bands[name], addresses.get(name)];
    if (band === undefined || address === undefined) throw new Error(`scene ${scene.id} has no band ${name}`);
    return this.#reader.load(scene, band, { window, address });
  }
}

interface PaneRoom {
  readonly window: PixelWindow;
  /** Where the samples of each band go. */
  readonly addresses: ReadonlyMap<string, number>;
}
