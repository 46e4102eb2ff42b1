import { wasmLoader, type WasmMemory } from '@headwater/core/wasm';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import { KERNELS_BASE64 } from './kernels.generated.ts';
import type { YearFrame } from './year-stats.ts';

/** The functions of the compiled module. Addresses and strides are in bytes. */
interface YearExports {
  readonly memory: WasmMemory;
  setCleaning(notch: number, spike: number, noGround: number, green: number): void;
  setStiffness(lambda: number): void;
  setFrame(from: number, steps: number, coldFirst: number, coldLast: number, plateau: number): void;
  readTile(src: number, stride: number, steps: number, count: number): void;
  findBright(
    src: number,
    pixels: number,
    steps: number,
    wet: number,
    white: number,
    marked: number,
    wetTo: number,
    whiteTo: number,
  ): void;
  seenAt(): number;
  risesAt(): number;
  fallsAt(): number;
  smoothAt(): number;
  summaryAt(): number;
  freeAt(): number;
}

const EXPORTED = [
  'memory',
  'setCleaning',
  'setStiffness',
  'setFrame',
  'readTile',
  'findBright',
  'seenAt',
  'risesAt',
  'fallsAt',
  'smoothAt',
  'summaryAt',
  'freeAt',
] as const;

/** Number of pixels per tile; their rows fit into the first-level cache. */
export const TILE = 64;
/** Maximum number of steps of a series, because the steps are bits of a 32-bit number. */
export const MOST_STEPS = 31;

const PAGE = 65_536;
/** Spare bytes after the pixels, because vector loads may read beyond the last pixel. */
const SLACK = 64;
/** Length of a row of summaries. Vector code may write the last eight values, which are never read. */
const SUMMARY_ROW = TILE + 8;

/** NDVI of one block, `[step][pixels]`, int16 x 10,000, with the steps of the year (`YearFrame`). */
export interface NdviBlock extends YearFrame {
  readonly pixels: number;
  readonly ndvi: Int16Array;
}

/**
 * Results of a tile, valid until the next call of the kernel. The smoothed series and its summary are valid only for
 * pixels with an observed span of three steps or more.
 */
export interface YearTile {
  /** Bit s is set if step s has no cloud, shadow, snow or flood. */
  readonly seen: Int32Array;
  /** Bit s is set if the smoothed series rises from step s to s + 1. `falls`: if it falls. */
  readonly rises: Int32Array;
  readonly falls: Int32Array;
  /** Smoothed series `[steps]` of each pixel. */
  readonly smooth: readonly Float64Array[];
  /** `max`, `mean`, `maxStep`, `plateau`, `min` and `floor` of `PixelYear`, `[pixel]` each. */
  readonly max: Int32Array;
  readonly mean: Int32Array;
  readonly maxStep: Int32Array;
  readonly plateau: Int32Array;
  readonly min: Int32Array;
  readonly floor: Int32Array;
}

/**
 * Limits of MNDWI x 10,000. A pixel is wet above `wet`, and white (snow or salt) above `white` and below `marked`.
 * Values below `marked` are marked as bright in the near infrared (`BRIGHT_MARK`).
 */
interface BrightLimits {
  readonly wet: number;
  readonly white: number;
  readonly marked: number;
}

interface BrightPixels {
  readonly wet: Uint8Array;
  readonly white: Uint8Array;
}

/** Loads the kernels, which are compiled once per thread. */
const loadKernels = wasmLoader<YearExports>(KERNELS_BASE64, EXPORTED);

/**
 * Cleans, smooths and summarises NDVI, one tile at a time. Results equal those of `clean`, `createWhittaker` and
 * `summarise`.
 */
export class YearKernel {
  readonly #run = loadKernels();
  readonly #planes = Math.ceil(this.#run.freeAt() / SLACK) * SLACK;
  #pixels = 0;
  #steps = 0;
  #tile: YearTile | null = null;

  constructor() {
    const { notchDrop, despikeDrop, noGroundNdvi, cycleMinHeight } = T;
    this.#run.setCleaning(scaled(notchDrop), scaled(despikeDrop), scaled(noGroundNdvi), scaled(cycleMinHeight));
    this.#run.setStiffness(T.smoothing);
  }

  /** Loads a block. Returns the tile that `read` fills. Throws a RangeError for too short or too long series. */
  load({ pixels, ndvi, from, cold }: NdviBlock): YearTile {
    const steps = Math.floor(ndvi.length / pixels);
    const least = from + T.coreSteps;
    if (steps < least || steps > MOST_STEPS)
      throw new RangeError(`YearKernel: ${steps} steps of NDVI; give ${least} to ${MOST_STEPS}`);
    this.#put(ndvi, 0);
    if (this.#tile === null || steps !== this.#steps) this.#tile = this.#tileOf(steps);
    this.#pixels = pixels;
    this.#steps = steps;
    this.setCold(from, cold);
    return this.#tile;
  }

  /** Sets the cold months, in which low values are ignored; null without a winter. `from`: first core step. */
  setCold(from: number, cold: YearFrame['cold']): void {
    const [first, last] = cold === null ? [0, -1] : [from + cold[0], from + cold[1]];
    this.#run.setFrame(from, T.coreSteps, first, last, scaled(T.plateauMinNdvi));
  }

  /**
   * Finds pixels that are wet or white in any step: `[pixels]` of 0 or 1, valid until the next call. Overwrites the
   * loaded block.
   */
  findBright(mndwi: Int16Array, pixels: number, { wet, white, marked }: BrightLimits): BrightPixels {
    const slot = pixels + SLACK;
    const wetAt = this.#put(mndwi, 2 * slot);
    const whiteAt = wetAt + slot;
    const steps = Math.floor(mndwi.length / pixels);
    this.#run.findBright(this.#planes, pixels, steps, wet, white, marked, wetAt, whiteAt);
    const { buffer } = this.#run.memory;
    return { wet: new Uint8Array(buffer, wetAt, pixels), white: new Uint8Array(buffer, whiteAt, pixels) };
  }

  /** Reads the tile that begins at pixel `first`. */
  read(first: number): void {
    const count = Math.min(TILE, this.#pixels - first);
    this.#run.readTile(this.#planes + 2 * first, 2 * this.#pixels, this.#steps, count);
  }

  /**
   * Copies planes into the module's memory, followed by at least `free` bytes. Returns the address after the planes.
   */
  #put(planes: Int16Array, free: number): number {
    const { memory } = this.#run;
    const end = this.#planes + planes.byteLength + SLACK;
    const missing = end + free - memory.buffer.byteLength;
    if (missing > 0) {
      memory.grow(Math.ceil(missing / PAGE));
      // After `grow`, views on the former buffer are invalid, so new views are made.
      this.#tile = null;
    }
    new Int16Array(memory.buffer, this.#planes, planes.length).set(planes);
    return end;
  }

  #tileOf(steps: number): YearTile {
    const { memory, seenAt, risesAt, fallsAt, smoothAt, summaryAt } = this.#run;
    const { buffer } = memory;
    const row = (k: number): Int32Array => new Int32Array(buffer, summaryAt() + 4 * k * SUMMARY_ROW, TILE);
    return {
      seen: new Int32Array(buffer, seenAt(), TILE),
      rises: new Int32Array(buffer, risesAt(), TILE),
      falls: new Int32Array(buffer, fallsAt(), TILE),
      smooth: Array.from({ length: TILE }, (_, i) => new Float64Array(buffer, smoothAt() + 8 * i * steps, steps)),
      max: row(0),
      mean: row(1),
      maxStep: row(2),
      plateau: row(3),
      min: row(4),
      floor: row(5),
    };
  }
}

let kernel: YearKernel | undefined;

/** Kernel of this thread. All callers share its memory, so their use must not overlap. */
export const yearKernel = (): YearKernel => (kernel ??= new YearKernel());
