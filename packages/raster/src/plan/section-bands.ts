import type { Kernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { tilesOf } from '../tiff/tiles-of.ts';
import { UnfinishedTiles } from '../tiff/unfinished-tiles.ts';
import { isContinued } from './cut-sections.ts';
import { underWindow } from './alignment.ts';
import { BandReader, planeBytes } from './band-reader.ts';
import type { BandPlane } from './band-reader.ts';
import type { Section } from './plan-tasks.ts';
import type { PreparedBand, PreparedPlan, PreparedScene } from './prepared.ts';
import type { SceneFiles } from './scene-files.ts';

/** Bands under a pane (part of the grid in memory), by name. */
export type PaneBands = ReadonlyMap<string, BandPlane>;

/** Loads the bands of a scene for a step and the part `used` of the pane. The samples are valid until the next call. */
export type LoadBands = (scene: PreparedScene, step: number, used: PixelWindow) => Promise<PaneBands>;

/**
 * Bands of the scenes over one section (window for one worker). Shared 20 m tiles are read once, if memory
 * allows.
 */
export class SectionBands {
  readonly #plan: PreparedPlan;
  readonly #section: Section;
  readonly #kernels: Kernels;
  readonly #reader: BandReader;
  /** Addresses of free memory for 20 m bands of the whole section. */
  readonly #free: number[];
  /** Tiles of which only the upper rows were read, by step, scene and band. */
  readonly #unfinished = new Map<string, Begun>();
  /** Loaded 20 m bands of the whole section, by band name and scene. */
  readonly #shared = new Map<string, BandPlane>();

  /** Allocates at most `sharedBytes` for the shared bands of at most `scenes` scenes. */
  constructor(
    plan: PreparedPlan,
    { section, scenes, sharedBytes }: { section: Section; scenes: number; sharedBytes: number },
    files: SceneFiles,
  ) {
    this.#plan = plan;
    this.#section = section;
    this.#kernels = files.decoder.kernels;
    this.#reader = new BandReader(plan.grid, files);
    const bytes = coarseBytes(section.window);
    const most = section.panes.length > 1 ? scenes * bandNames(plan).size : 0;
    const slots = Math.min(most, Math.floor(Math.max(0, sharedBytes) / bytes));
    this.#free = Array.from({ length: slots }, () => this.#kernels.alloc(bytes));
  }

  get decoded(): number {
    return this.#reader.decoded;
  }

  /**
   * Allocates memory for the bands of one pane. The returned function loads the bands of one scene into this memory.
   */
  forPane(pane: PixelWindow): LoadBands {
    const addresses = new Map([...bandNames(this.#plan)].map((name) => [name, this.#kernels.alloc(planeBytes(pane))]));
    return (scene, step, used) =>
      this.#load(scene, this.#plan.steps[step]?.bands ?? [], { window: pane, addresses, used, step });
  }

  /** Ends a column of panes: later panes do not continue its tiles. Throws a `SceneFailure` if a tile is damaged. */
  async finish(): Promise<void> {
    for (const { scene, band, tiles } of this.#unfinished.values()) await this.#reader.finish(scene, band, tiles);
    this.#unfinished.clear();
  }

  /**
   * Returns the unfinished tiles of a band. Each step has its own tiles, because each step reads the rows of a scene
   * again.
   */
  #begun(scene: PreparedScene, band: PreparedBand, key: string): UnfinishedTiles | undefined {
    if (!isContinued(band)) return undefined;
    const begun = this.#unfinished.get(key) ?? { scene, band, tiles: new UnfinishedTiles() };
    this.#unfinished.set(key, begun);
    return begun.tiles;
  }

  async #load(scene: PreparedScene, names: readonly string[], pane: PaneRoom): Promise<PaneBands> {
    const remote = names.every((name) => scene.bands[name]?.remote === true);
    const loaded = new Map<string, BandPlane>();
    const pending = names.map((name) => async () => {
      loaded.set(name, await this.#loadBand(scene, name, pane));
    });
    // Local reads share a buffer, so they run one after the other.
    if (remote) await Promise.all(pending.map((start) => start()));
    else for (const start of pending) await start();
    return loaded;
  }

  async #loadBand(scene: PreparedScene, name: string, { window, addresses, used, step }: PaneRoom): Promise<BandPlane> {
    const [band, address] = [scene.bands[name], addresses.get(name)];
    if (band === undefined || address === undefined) throw new Error(`scene ${scene.id} has no band ${name}`);
    const key = `${name} ${scene.id}`;
    // If only a part of the pane is used, only the tiles of this part are read.
    const whole = used.cols === window.cols && used.rows === window.rows;
    const shared = this.#shared.get(key) ?? (whole ? await this.#loadShared(scene, band, key) : undefined);
    if (shared === undefined) {
      const unfinished = this.#begun(scene, band, `${step} ${key}`);
      return this.#reader.load(scene, band, { window, address, used, unfinished });
    }
    // The shared band was decoded as a whole, so tiles that an earlier pane has begun need not be finished.
    this.#unfinished.delete(`${step} ${key}`);
    const { col, row } = this.#section.window;
    return { ...shared, col: shared.col + window.col - col, row: shared.row + window.row - row };
  }

  /** Returns undefined if the panes share no tiles of the band, or if no memory is free. */
  async #loadShared(scene: PreparedScene, band: PreparedBand, key: string): Promise<BandPlane | undefined> {
    const address = this.#isShared(band) ? this.#free.pop() : undefined;
    if (address === undefined) return undefined;
    const { window } = this.#section;
    const plane = await this.#reader.load(scene, band, { window, address, used: window });
    this.#shared.set(key, plane);
    return plane;
  }

  /** True for a 20 m band if more than one pane of the section needs the same tiles. */
  #isShared({ alignment, layout }: PreparedBand): boolean {
    const [level] = layout.levels;
    if (alignment.kind !== 'aligned' || alignment.shift === 0 || level === undefined) return false;
    const tiles = (window: PixelWindow): number => tilesOf(level, underWindow(alignment, window).native).length;
    const { window, panes } = this.#section;
    return panes.reduce((sum, pane) => sum + tiles(pane), 0) > tiles(window);
  }
}

interface PaneRoom {
  readonly window: PixelWindow;
  readonly addresses: ReadonlyMap<string, number>;
  readonly used: PixelWindow;
  readonly step: number;
}

interface Begun {
  readonly scene: PreparedScene;
  readonly band: PreparedBand;
  readonly tiles: UnfinishedTiles;
}

const bandNames = ({ steps }: PreparedPlan): ReadonlySet<string> => new Set(steps.flatMap(({ bands }) => bands));

const coarseBytes = ({ cols, rows }: PixelWindow): number =>
  planeBytes({ cols: (cols >> 1) + 2, rows: (rows >> 1) + 2 });
