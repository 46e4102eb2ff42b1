import { setImmediate } from 'node:timers/promises';
import type { Polygon } from 'geojson';
import type { PixelGrid } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import { createKernels, type Kernels, SLACK } from '../pixels/kernels.ts';
import { bytesOf, type PixelArray } from '../pixels/pixel-array.ts';
import type { PixelSize } from '../pixels/pixel-window.ts';

/** Options of `polygonise`. */
export interface PolygoniseOptions {
  /**
   * 4: pixels belong to one region if they touch at a side. 8: also if they touch at a corner; a region may then have
   * several polygons.
   */
  readonly connectivity: 4 | 8;
  /** Value for which no polygons are made, such as nodata. */
  readonly skip?: number;
  /** Maximum number of corners of all rings. The default and upper limit is 2^24, for about 1 GB of memory. */
  readonly most?: number;
  /** Stops the work between groups of rings. */
  readonly signal?: AbortSignal;
}

/** Polygons of a raster in flat arrays. `corners` contains pairs of column and row on the grid lines. */
export interface PixelPolygons {
  readonly corners: Int32Array;
  /**
   * Index of the first corner of each ring, and the end of the last ring. The first corner is not repeated at the end.
   */
  readonly ringStarts: Uint32Array;
  /** Rings of each polygon: first the exterior (counter-clockwise on the map), then the holes (clockwise). */
  readonly rings: Uint32Array;
  /** Index of the first entry of each polygon in `rings`, and the end of the last polygon. */
  readonly starts: Uint32Array;
  readonly values: Float64Array;
  /**
   * Number of the region of each polygon. Regions are numbered in the order of their first pixels, also regions of the
   * skipped value.
   */
  readonly regions: Uint32Array;
}

/** The kernels count pixels with 31 bits. */
const MOST_PIXELS = 2 ** 31 - 1;
/** The corners of one ring are entries of a Map, which can have at most 2^24 entries. */
const MOST_CORNERS = 2 ** 24;

/**
 * Finds the connected regions of equal pixels and their outlines, which never touch themselves. All NaN are equal, and
 * 0 equals -0. Throws `input_data` for samples of 64 bits and for more corners than `most`, and the reason of an abort.
 */
export async function polygonise(
  pixels: PixelArray,
  { cols, rows }: PixelSize,
  { connectivity, skip, most = MOST_CORNERS, signal }: PolygoniseOptions,
): Promise<PixelPolygons> {
  signal?.throwIfAborted();
  if (pixels.BYTES_PER_ELEMENT > 4)
    throw new DomainError(
      'input_data',
      'polygons need samples of at most 32 bits; convert the raster (`gdal_translate -ot Float32`)',
    );
  if (cols * rows > MOST_PIXELS || pixels.length < cols * rows)
    throw new RangeError(
      `there are ${pixels.length} pixels for ${cols} x ${rows}; give one for each, at most ${MOST_PIXELS}`,
    );
  if (cols * rows === 0) return assembled(NO_RINGS, NOTHING);
  const kernels = createKernels();
  const raster = new RunRaster(kernels, pixels, { cols, rows });
  const parts = raster.label(0);
  const regions = connectivity === 8 ? raster.label(1) : parts;
  const pause = async (): Promise<void> => {
    await setImmediate();
    signal?.throwIfAborted();
  };
  await pause();
  const traced = await raster.trace(
    parts.address,
    { skip: skip === undefined ? null : bitsOf(pixels, skip), most: Math.min(most, MOST_CORNERS) },
    pause,
  );
  const regionOf = raster.firstRuns(parts);
  const own = raster.labelsOf(regions.address);
  return assembled(await cut(traced, cols + 1, pause), {
    parts: parts.count,
    regionOf: (part) => own[regionOf[part]!]!,
    valueOf: (part) => 0 + pixels[raster.pixelOf(regionOf[part]!)]!,
  });
}

const NOTHING: PartFacts = { parts: 0, regionOf: () => 0, valueOf: () => 0 };

/**
 * Bits of a sample with this value; null if no sample can have it. Floats are rounded, because writers of rasters also
 * round them.
 */
function bitsOf(pixels: PixelArray, value: number): number | null {
  // `0 + value` changes -0 to 0.
  const one = pixels.slice(0, 1).fill(0 + value);
  const isFloat = one instanceof Float32Array;
  if (Number.isNaN(value)) return isFloat ? NAN_BITS : null;
  if (isFloat ? Number.isFinite(one[0]) !== Number.isFinite(value) : one[0] !== value) return null;
  return bytesOf(one).reduceRight((bits, byte) => bits * 256 + byte, 0);
}

const NAN_BITS = 0x7fc0_0000;

/** Gives all NaN the same bits, and -0 the bits of 0. */
function normalise(bits: Int32Array): void {
  for (let i = 0; i < bits.length; i++) {
    const size = bits[i]! & 0x7fff_ffff;
    if (size === 0) bits[i] = 0;
    else if (size > 0x7f80_0000) bits[i] = NAN_BITS;
  }
}

type Pause = () => Promise<void>;

/** Address of labels in the kernels' memory, and number of different labels. */
interface Labels {
  readonly address: number;
  readonly count: number;
}

/** Corners of all rings, and a record of each ring. */
interface Traced {
  readonly corners: Int32Array;
  /** Record: number of corners, part, number of possible crossings, 1 for an exterior. */
  readonly records: Int32Array;
}
const RING = 4;
const SHIFTS: Readonly<Record<number, number>> = { 1: 0, 2: 1, 4: 2 };
/**
 * Maximum numbers of corners and rings in one call of the kernels. The number of corners grows if a ring does not fit.
 */
const [CORNERS, RINGS] = [2 ** 18, 2 ** 15];

class RunRaster {
  readonly #kernels: Kernels;
  readonly #size: PixelSize;
  readonly #args: readonly [src: number, shift: number, cols: number, rows: number];
  readonly #rowStarts: number;
  readonly #starts: number;
  readonly #runs: number;

  constructor(kernels: Kernels, pixels: PixelArray, { cols, rows }: PixelSize) {
    const bytes = cols * rows * pixels.BYTES_PER_ELEMENT;
    const src = kernels.alloc(bytes + SLACK);
    kernels.u8(src, bytes).set(bytesOf(pixels).subarray(0, bytes));
    if (pixels instanceof Float32Array) normalise(kernels.i32(src, cols * rows));
    this.#kernels = kernels;
    this.#size = { cols, rows };
    this.#args = [src, SHIFTS[pixels.BYTES_PER_ELEMENT] ?? 0, cols, rows];
    this.#rowStarts = kernels.alloc(4 * (rows + 1));
    this.#runs = kernels.run.findRuns(...this.#args, this.#rowStarts, 0);
    this.#starts = kernels.alloc(4 * this.#runs);
    kernels.run.findRuns(...this.#args, this.#rowStarts, this.#starts);
  }

  label(reach: 0 | 1): Labels {
    const address = this.#kernels.alloc(4 * this.#runs);
    const { run } = this.#kernels;
    return { address, count: run.labelRuns(...this.#args, this.#rowStarts, this.#starts, reach, address) };
  }

  labelsOf(address: number): Int32Array {
    return this.#kernels.i32(address, this.#runs);
  }

  firstRuns({ address, count }: Labels): Uint32Array {
    const labels = this.labelsOf(address);
    const first = new Uint32Array(count);
    for (let run = labels.length - 1; run >= 0; run--) first[labels[run]!] = run;
    return first;
  }

  pixelOf(run: number): number {
    const { cols, rows } = this.#size;
    const rowStarts = this.#kernels.i32(this.#rowStarts, rows + 1);
    let [low, high] = [0, rows];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (rowStarts[middle]! <= run) low = middle;
      else high = middle;
    }
    return low * cols + this.#kernels.i32(this.#starts, this.#runs)[run]!;
  }

  /** Traces the rings of all labels. Enlarges the kernels' buffer if a ring does not fit. */
  async trace(
    labels: number,
    { skip, most: limit }: { readonly skip: number | null; readonly most: number },
    pause: Pause,
  ): Promise<Traced> {
    const kernels = this.#kernels;
    const { cols, rows } = this.#size;
    const bits = Math.ceil((cols * rows) / 8);
    const [marks, state] = [kernels.alloc(bits), kernels.alloc(20)];
    kernels.u8(marks, bits).fill(0);
    kernels.i32(state, 5).fill(0);
    const mark = kernels.mark();
    const [corners, records]: [Int32Array[], Int32Array[]] = [[], []];
    let sum = 0;
    for (let [most, isDone] = [CORNERS, false]; !isDone;) {
      kernels.reset(mark);
      const [out, rings] = [kernels.alloc(8 * most), kernels.alloc(4 * RING * RINGS)];
      isDone =
        kernels.run.traceRings(
          ...this.#args,
          this.#rowStarts,
          this.#starts,
          labels,
          skip === null ? 0 : 1,
          skip ?? 0,
          marks,
          state,
          out,
          most,
          rings,
          RINGS,
        ) !== 0;
      const [written, found] = kernels.i32(state + 12, 2);
      sum += written!;
      // If no ring fits into a buffer larger than the limit, the next ring has too many corners.
      if (sum > limit || (!isDone && found === 0 && most > limit)) throw tooMany(limit);
      corners.push(kernels.i32(out, 2 * written!).slice());
      records.push(kernels.i32(rings, RING * found!).slice());
      if (!isDone && found === 0) most *= 4;
      await pause();
    }
    return { corners: joined(corners), records: joined(records) };
  }
}

function joined(parts: readonly Int32Array[]): Int32Array {
  const out = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function tooMany(limit: number): DomainError {
  return new DomainError(
    'input_data',
    `the polygons have more than ${limit} corners; use a smaller part of the raster, or remove small regions first (\`gdal_sieve.py\`)`,
  );
}

/** Rings that do not touch themselves. `labels`: the part of each ring. */
interface SimpleRings {
  readonly corners: Int32Array;
  readonly rings: Uint32Array;
  readonly labels: Uint32Array;
  readonly exteriors: Uint8Array;
}
const NO_RINGS: SimpleRings = {
  corners: new Int32Array(),
  rings: new Uint32Array(),
  labels: new Uint32Array(),
  exteriors: new Uint8Array(),
};

/**
 * Cuts rings at corners that occur twice. The loops of a ring have as many corners as the ring, so they replace it in
 * `corners`.
 */
async function cut({ corners, records }: Traced, width: number, pause: Pause): Promise<SimpleRings> {
  let most = 0;
  for (let i = 0; i < records.length; i += RING) most += 1 + (records[i + 2]! >> 1);
  const [rings, labels, exteriors] = [new Uint32Array(most), new Uint32Array(most), new Uint8Array(most)];
  let [at, ring] = [0, 0];
  const add = (count: number, label: number, isOutside: boolean): void => {
    rings[ring] = count;
    labels[ring] = label;
    exteriors[ring++] = isOutside ? 1 : 0;
    at += 2 * count;
  };
  for (let i = 0; i < records.length; i += RING) {
    const [count, label, crossings] = [records[i]!, records[i + 1]!, records[i + 2]!];
    if (crossings < 2) add(count, label, records[i + 3] === 1);
    else
      for (const loop of loopsOf(corners.subarray(at, at + 2 * count), width)) {
        corners.set(loop, at);
        add(loop.length / 2, label, isExterior(loop));
      }
    if ((i / RING) % RINGS === RINGS - 1) await pause();
  }
  return {
    corners,
    rings: rings.subarray(0, ring),
    labels: labels.subarray(0, ring),
    exteriors: exteriors.subarray(0, ring),
  };
}

function loopsOf(ring: Int32Array, width: number): readonly Int32Array[] {
  const loops: Int32Array[] = [];
  const open: number[] = [];
  const places = new Map<number, number>();
  const keyAt = (at: number): number => open[at + 1]! * width + open[at]!;
  for (let i = 0; i < ring.length; i += 2) {
    open.push(ring[i]!, ring[i + 1]!);
    const before = places.get(keyAt(open.length - 2));
    if (before === undefined) {
      places.set(keyAt(open.length - 2), open.length - 2);
      continue;
    }
    // The loop ends at this corner, which also remains in the open ring. Only the corners after it are removed.
    for (let at = before + 2; at < open.length - 2; at += 2) places.delete(keyAt(at));
    loops.push(Int32Array.from(open.splice(before + 2)));
  }
  if (open.length > 0) loops.push(Int32Array.from(open));
  return loops;
}

function isExterior(ring: Int32Array): boolean {
  let twice = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    twice += ring[i]! * ring[j + 1]! - ring[j]! * ring[i + 1]!;
  }
  return twice < 0;
}

/** Facts about the parts of a raster. A part consists of equal pixels that are connected by sides. */
interface PartFacts {
  readonly parts: number;
  readonly regionOf: (part: number) => number;
  readonly valueOf: (part: number) => number;
}

function assembled({ corners, rings, labels, exteriors }: SimpleRings, facts: PartFacts): PixelPolygons {
  const ringStarts = new Uint32Array(rings.length + 1);
  const ends = new Uint32Array(facts.parts + 1);
  for (let ring = 0; ring < rings.length; ring++) {
    ringStarts[ring + 1] = ringStarts[ring]! + rings[ring]!;
    ends[labels[ring]! + 1]! += 1;
  }
  for (let part = 0; part < facts.parts; part++) ends[part + 1] = ends[part + 1]! + ends[part]!;
  const order = new Uint32Array(rings.length);
  const next = ends.map((start, part) => (part < facts.parts && ends[part + 1]! > start ? start + 1 : start));
  for (let ring = 0; ring < rings.length; ring++) {
    const part = labels[ring]!;
    if (exteriors[ring] === 1) order[ends[part]!] = ring;
    else order[next[part]!++] = ring;
  }
  // Parts of the skipped value have no rings.
  const shown = new Uint32Array(facts.parts).map((_, part) => part).filter((part) => ends[part + 1]! > ends[part]!);
  const starts = new Uint32Array(shown.length + 1).fill(rings.length);
  shown.forEach((part, polygon) => (starts[polygon] = ends[part]!));
  return {
    corners,
    ringStarts,
    rings: order,
    starts,
    values: Float64Array.from(shown, facts.valueOf),
    regions: shown.map(facts.regionOf),
  };
}

/** Returns polygon number `index` with coordinates in the CRS of a grid. */
export function polygonAt(
  { corners, ringStarts, rings, starts }: PixelPolygons,
  index: number,
  grid: PixelGrid,
): Polygon {
  const { west, north, pixelWidth, pixelHeight } = grid;
  const coordinates: number[][][] = [];
  for (let at = starts[index]!; at < starts[index + 1]!; at++) {
    const [from, to] = [ringStarts[rings[at]!]!, ringStarts[rings[at]! + 1]!];
    const ring: number[][] = [];
    for (let i = from; i <= to; i++) {
      const corner = 2 * (i === to ? from : i);
      ring.push([west + corners[corner]! * pixelWidth, north - corners[corner + 1]! * pixelHeight]);
    }
    coordinates.push(ring);
  }
  return { type: 'Polygon', coordinates };
}
