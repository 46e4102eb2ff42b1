import type { PixelGrid } from '@headwater/core';
import { between, gaussianTable, hash32 } from './random.ts';
import { groundPlane, landBlock, paintGround, type GroundPaint, type LandBlock } from './land-block.ts';
import { type SampleFrame, SIZE, BLOCK_KM, DEFAULT_SEED, SAMPLE_YEARS, sampleFrame } from './sample-frame.ts';
import type { SceneDate } from './scene-calendar.ts';
import { SPECTRA } from './spectra.ts';
import { ease, quantile, smoothField } from './smooth-field.ts';

/** Length of the table of noise. Each band of a scene reads the table from another position on. */
const NOISE = 1 << 18;
/** Maximum reflectance of aerosol that the atmospheric correction does not remove, by band. */
const HAZE = [0.012, 0.009, 0.006, 0.004, 0.0015, 0.001] as const;
/** DNs have steps of 4, because the instrument has 12 bits. Files are a third smaller than with steps of 1. */
const STEP = 4;

/** Land and noise that all scenes of a seed share. */
export interface SampleWorld {
  readonly seed: number;
  readonly frame: SampleFrame;
  /** Blocks of land, row by row from the north-west. */
  readonly blocks: readonly LandBlock[];
  readonly noise: Float32Array;
}

/**
 * Creates the land of a seed. The same seed gives the same land, and the first block does not depend on the size of the
 * sample.
 */
export function sampleWorld(seed: number, frame: SampleFrame): SampleWorld {
  const blocks = Array.from({ length: frame.blocks ** 2 }, (_, i) => landBlock(seed + 1_000_003 * i));
  return { seed, frame, blocks, noise: gaussianTable(NOISE, seed + 63) };
}

/** Index of the first pixel of a block in a plane. `share`: 1 for pixels of 10 m, 0.5 for pixels of 20 m. */
function firstPixel({ frame }: SampleWorld, block: number, share: number): number {
  const [row, col] = [Math.floor(block / frame.blocks), block % frame.blocks];
  return (row * frame.size * share + col) * SIZE * share;
}

function placeBlock<T extends Float32Array | Uint8Array>(
  { plane, size }: { readonly plane: T; readonly size: number },
  block: T,
  start: number,
): void {
  const side = Math.sqrt(block.length);
  for (let row = 0; row < side; row += 1) plane.set(block.subarray(row * side, (row + 1) * side), start + row * size);
}

/** DNs of `REFLECTANCE_BANDS` (four at 10 m, two at 20 m), and SCL codes at 20 m. */
interface PaintedScene {
  readonly bands: readonly Uint16Array[];
  readonly scl: Uint8Array;
}

/** Paints a scene: ground by parcel, vigour and grain by pixel, then cloud, shadow, haze and sensor noise. */
export function paintScene(world: SampleWorld, scene: SceneDate): PaintedScene {
  const sky = skyOf(scene, world.frame.size / 2, world.seed);
  const paints = world.blocks.map((block) => paintGround(block, scene.day));
  const view = { world, scene, sky, paints };
  const bands = [0, 1, 2, 3, 4, 5].map((band) => (band < 4 ? fineBand(view, band) : coarseBand(view, band)));
  return { bands, scl: classifyScene(view) };
}

interface View {
  readonly world: SampleWorld;
  readonly scene: SceneDate;
  readonly sky: Sky;
  readonly paints: readonly GroundPaint[];
}

function wholePlane({ world, paints }: View, band: number): Float32Array {
  const { size } = world.frame;
  const plane = new Float32Array(size * size);
  for (const [i, paint] of paints.entries())
    placeBlock({ plane, size }, groundPlane(paint, band), firstPixel(world, i, 1));
  return plane;
}

function fineBand(view: View, band: number): Uint16Array {
  return expose(view, wholePlane(view, band), { band, size: view.world.frame.size });
}

function coarseBand(view: View, band: number): Uint16Array {
  const fine = wholePlane(view, band);
  const { size } = view.world.frame;
  const half = size / 2;
  const plane = new Float32Array(half * half);
  for (let i = 0; i < plane.length; i += 1) {
    const at = 2 * Math.floor(i / half) * size + 2 * (i % half);
    plane[i] = ((fine[at] ?? 0) + (fine[at + 1] ?? 0) + (fine[at + size] ?? 0) + (fine[at + size + 1] ?? 0)) / 4;
  }
  return expose(view, plane, { band, size: half });
}

/** Adds sky, haze, illumination, noise and the offset of the scene, and rounds the values to DNs. */
function expose(
  { world, scene, sky }: View,
  plane: Float32Array,
  { band, size }: { band: number; size: number },
): Uint16Array {
  const out = new Uint16Array(plane.length);
  const start = hash32(world.seed, scene.day, band, 70) % NOISE;
  const gain = between(0.985, 1.015, [world.seed, scene.day, 71]);
  const haze = 10_000 * (HAZE[band] ?? 0) * between(0, 1, [world.seed, scene.day, 72]);
  const cloud = 10_000 * (SPECTRA.cloudTop[band] ?? 0);
  const offset = scene.rawOffset ? 1000 : 0;
  const half = world.frame.size / 2;
  const shift = size === half ? 0 : 1;
  for (let i = 0, row = 0, col = 0; i < plane.length; i += 1, col += 1) {
    if (col === size) {
      col = 0;
      row += 1;
    }
    const s = (row >> shift) * half + (col >> shift);
    if (sky.code[s] === SKY.noData) continue;
    const thick = sky.opacity[s] ?? 0;
    const lit = ((plane[i] ?? 0) * gain + haze) * (sky.sun[s] ?? 1) * (1 - thick) + cloud * thick;
    // Sensor noise grows with the signal from the ground, but cloud tops are almost even.
    const sigma = (1.8 + 0.0033 * (plane[i] ?? 0)) * (1 - thick) + 0.6 * thick;
    const dn = STEP * Math.round((lit + sigma * (world.noise[(start + i) & (NOISE - 1)] ?? 0)) / STEP);
    out[i] = Math.max(STEP, dn) + offset;
  }
  return out;
}

/** Classifies like a single-date processor: water 6, vegetation 4, bare 5, and the codes of the sky. */
function classifyScene({ world, paints, sky }: View): Uint8Array {
  const half = world.frame.size / 2;
  const scl = new Uint8Array(half * half);
  for (const [i, { block, covers }] of paints.entries()) {
    const side = SIZE / 2;
    const codes = Uint8Array.from({ length: side * side }, (_, at) => {
      const cover = covers[block.mosaic.parcelOf[2 * Math.floor(at / side) * SIZE + 2 * (at % side)] ?? 0]!;
      if (cover.water > 0.5) return 6;
      return cover.leaf > 0.3 ? 4 : 5;
    });
    placeBlock({ plane: scl, size: half }, codes, firstPixel(world, i, 0.5));
  }
  return scl.map((code, i) => (sky.code[i] === SKY.open ? code : (sky.code[i] ?? 0)));
}

/** True class codes of a year (0, 1 or 2 of `SAMPLE_YEARS`) on the 10 m grid. */
export function truthPlane(world: SampleWorld, year: 0 | 1 | 2): Uint8Array {
  const { size } = world.frame;
  const plane = new Uint8Array(size * size);
  for (const [i, { mosaic }] of world.blocks.entries()) {
    const truth = Uint8Array.from(mosaic.parcelOf, (id) => mosaic.parcels[id]!.classes[year]);
    placeBlock({ plane, size }, truth, firstPixel(world, i, 1));
  }
  return plane;
}

/** True classes of the reference server's sample, row-major, `grid.rows * grid.cols`, without creating scenes. */
export function sampleTruth(year: (typeof SAMPLE_YEARS)[number]): {
  readonly grid: PixelGrid;
  readonly data: Uint8Array;
} {
  const frame = sampleFrame(BLOCK_KM);
  const index = year === SAMPLE_YEARS[0] ? 0 : year === SAMPLE_YEARS[1] ? 1 : 2;
  return { grid: frame.grid10m, data: truthPlane(sampleWorld(DEFAULT_SEED, frame), index) };
}

/** Scene classification codes of Sentinel-2 L2A. `open` is not such a code: it marks visible ground. */
const SKY = { noData: 0, shadow: 3, cloudMedium: 8, cloudHigh: 9, cirrus: 10, open: 255 } as const;

interface Sky {
  readonly size: number;
  /** SKY codes; `open` if the ground is visible. */
  readonly code: Uint8Array;
  /** Share of light from cloud instead of the ground, 0-1. */
  readonly opacity: Float32Array;
  /** Factor of illumination, 1 in full sun. */
  readonly sun: Float32Array;
}

/**
 * Distance of a shadow from its cloud in 20 m pixels. The mid-morning sun is in the south-east, and clouds are at
 * about 400 m.
 */
const SHADOW = { west: 13, north: 9 } as const;

/** Makes clouds with thin edges that cover the share `scene.cloud`, their shadows, and the edge of the swath. */
function skyOf(scene: SceneDate, size: number, seed: number): Sky {
  const count = size * size;
  const code = new Uint8Array(count).fill(SKY.open);
  const opacity = new Float32Array(count);
  const sun = new Float32Array(count).fill(1);
  if (scene.cloud > 0.004) {
    const field = smoothField({
      size,
      seed: hash32(seed, scene.day, 50),
      waves: [
        [48, 1],
        [19, 0.45],
        [7, 0.14],
      ],
    });
    const edge = quantile(field, 1 - scene.cloud);
    for (let i = 0; i < count; i += 1) opacity[i] = ease(((field[i] ?? 0) - edge + 0.04) / 0.26);
    classify(opacity, code);
    castShadows({ size, code, opacity, sun });
  }
  if (scene.cutCorner) cutCorner(size, code);
  return { size, code, opacity, sun };
}

function classify(opacity: Float32Array, code: Uint8Array): void {
  for (let i = 0; i < code.length; i += 1) {
    const thick = opacity[i] ?? 0;
    if (thick > 0.72) code[i] = SKY.cloudHigh;
    else if (thick > 0.35) code[i] = SKY.cloudMedium;
    else if (thick > 0.07) code[i] = SKY.cirrus;
  }
}

function castShadows({ size, code, opacity, sun }: Sky): void {
  for (let row = 0; row < size; row += 1) {
    for (let col = 0; col < size; col += 1) {
      const i = row * size + col;
      const caster = Math.min(size - 1, row + SHADOW.north) * size + Math.min(size - 1, col + SHADOW.west);
      const shade = (opacity[caster] ?? 0) * (1 - (opacity[i] ?? 0));
      sun[i] = 1 - 0.6 * shade;
      if (shade > 0.22 && code[i] === SKY.open) code[i] = SKY.shadow;
    }
  }
}

function cutCorner(size: number, code: Uint8Array): void {
  for (let row = 0; row < size; row += 1) {
    for (let col = 0; col < size - row * 4; col += 1)
      if (row * 4 + col < size * 0.3) code[row * size + col] = SKY.noData;
  }
}
