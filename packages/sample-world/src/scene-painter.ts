import { groundCover } from './ground-cover.ts';
import type { GroundCover } from './ground-cover.ts';
import { landMosaic } from './land-mosaic.ts';
import type { LandMosaic } from './land-mosaic.ts';
import { between, gaussianTable, hash32 } from './random.ts';
import { SIZE } from './sample-frame.ts';
import type { SceneDate } from './scene-calendar.ts';
import { SKY, skyOf } from './sky.ts';
import type { Sky } from './sky.ts';
import { smoothField } from './smooth-field.ts';
import { SPECTRA } from './spectra.ts';
import { surfaceReflectance } from './surface-reflectance.ts';

const BANDS = 6;
const HALF = SIZE / 2;
/** Draws of noise that scenes start at different places of. */
const NOISE = 1 << 18;
/** Reflectance that aerosol adds per band at its worst, on top of what the correction took off. */
const HAZE = [0.012, 0.009, 0.006, 0.004, 0.0015, 0.001] as const;

/** What all scenes of a seed share. */
export interface SampleWorld {
  readonly seed: number;
  readonly mosaic: LandMosaic;
  /** How well plants stand within a field, about -1 to 1, `[SIZE * SIZE]`. */
  readonly vigour: Float32Array;
  /** Lasting brightness of each pixel's ground, about -1 to 1. */
  readonly grain: Float32Array;
  readonly noise: Float32Array;
}

/** The world of a seed; the same whenever it is made. */
export function sampleWorld(seed: number): SampleWorld {
  return {
    seed,
    mosaic: landMosaic(seed),
    vigour: smoothField({
      size: SIZE,
      seed: seed + 61,
      waves: [
        [11, 0.75],
        [5, 0.3],
      ],
    }),
    grain: smoothField({
      size: SIZE,
      seed: seed + 62,
      waves: [
        [23, 0.6],
        [6, 0.4],
      ],
    }),
    noise: gaussianTable(NOISE, seed + 63),
  };
}

/** Pixels of one acquisition: DNs per band of `REFLECTANCE_BANDS` (four at 10 m, two at 20 m) and SCL codes at 20 m. */
export interface PaintedScene {
  readonly bands: readonly Uint16Array[];
  readonly scl: Uint8Array;
}

/** Paints a scene: ground by parcel, vigour and grain by pixel, then cloud, shadow, haze and sensor noise. */
export function paintScene(world: SampleWorld, scene: SceneDate): PaintedScene {
  const sky = skyOf(scene, HALF, world.seed);
  const { parcels } = world.mosaic;
  const covers = parcels.map((parcel, id) => groundCover(parcel, id, scene.day));
  const ground = new Float32Array(parcels.length * BANDS);
  const lush = new Float32Array(parcels.length * BANDS);
  for (const [id, parcel] of parcels.entries()) {
    const cover = covers[id]!;
    surfaceReflectance(parcel, cover, { id, table: ground, at: id * BANDS });
    surfaceReflectance(parcel, thicker(cover), { id, table: lush, at: id * BANDS });
  }
  const view = { world, scene, sky, ground, lush };
  const bands = [0, 1, 2, 3, 4, 5].map((band) => (band < 4 ? fineBand(view, band) : coarseBand(view, band)));
  return { bands, scl: classifyScene(world, covers, sky) };
}

/** The same cover where plants stand 9 % denser. */
function thicker(cover: GroundCover): GroundCover {
  return { ...cover, leaf: Math.min(0.98 - cover.stubble, cover.leaf * 1.09) };
}

interface View {
  readonly world: SampleWorld;
  readonly scene: SceneDate;
  readonly sky: Sky;
  readonly ground: Float32Array;
  readonly lush: Float32Array;
}

/** Share of each of the four neighbours' light that optics and air mix into a pixel: borders of fields are not sharp. */
const SPILL = 0.09;

/** DN of the ground under a clear sky at each 10 m pixel, as optics see it. */
function groundPlane({ world, ground, lush }: View, band: number): Float32Array {
  const plane = new Float32Array(SIZE * SIZE);
  const { parcelOf } = world.mosaic;
  for (let i = 0; i < plane.length; i += 1) {
    const at = (parcelOf[i] ?? 0) * BANDS + band;
    const base = ground[at] ?? 0;
    const leafy = ((lush[at] ?? 0) - base) * (world.vigour[i] ?? 0);
    plane[i] = 10_000 * (base + leafy) * (1 + 0.025 * (world.grain[i] ?? 0));
  }
  spill(plane, 1);
  spill(plane, SIZE);
  return plane;
}

/** Mixes each pixel with the two beside it (`step` 1) or above and below (`step` SIZE); the rim stays as it is. */
function spill(plane: Float32Array, step: number): void {
  const sharp = Float32Array.from(plane);
  for (let i = SIZE; i < plane.length - SIZE; i += 1) {
    plane[i] = (1 - 2 * SPILL) * (sharp[i] ?? 0) + SPILL * ((sharp[i - step] ?? 0) + (sharp[i + step] ?? 0));
  }
}

function fineBand(view: View, band: number): Uint16Array {
  return expose(view, groundPlane(view, band), { band, size: SIZE });
}

function coarseBand(view: View, band: number): Uint16Array {
  const fine = groundPlane(view, band);
  const plane = new Float32Array(HALF * HALF);
  for (let i = 0; i < plane.length; i += 1) {
    const at = 2 * Math.floor(i / HALF) * SIZE + 2 * (i % HALF);
    plane[i] = ((fine[at] ?? 0) + (fine[at + 1] ?? 0) + (fine[at + SIZE] ?? 0) + (fine[at + SIZE + 1] ?? 0)) / 4;
  }
  return expose(view, plane, { band, size: HALF });
}

/** Lays sky, haze, illumination and noise over a plane and rounds it to DNs (offset added where the files carry it). */
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
  const step = SIZE / size === 1 ? 2 : 1;
  for (let i = 0; i < plane.length; i += 1) {
    const s = Math.floor(Math.floor(i / size) / step) * HALF + Math.floor((i % size) / step);
    if (sky.code[s] === SKY.noData) continue;
    const thick = sky.opacity[s] ?? 0;
    const lit = ((plane[i] ?? 0) * gain + haze) * (sky.sun[s] ?? 1) * (1 - thick) + cloud * thick;
    // Noise of the sensor grows with the signal from the ground; cloud tops are close to even.
    const sigma = (1.8 + 0.0033 * (plane[i] ?? 0)) * (1 - thick) + 0.6 * thick;
    const dn = Math.round(lit + sigma * (world.noise[(start + i) & (NOISE - 1)] ?? 0));
    out[i] = Math.max(1, dn) + offset;
  }
  return out;
}

/** Scene classification as a single-date processor sees it: water 6, vegetation 4, bare 5, and the codes of the sky. */
function classifyScene(world: SampleWorld, covers: readonly GroundCover[], sky: Sky): Uint8Array {
  return sky.code.map((code, i) => {
    if (code !== SKY.open) return code;
    const cover = covers[world.mosaic.parcelOf[2 * Math.floor(i / HALF) * SIZE + 2 * (i % HALF)] ?? 0]!;
    if (cover.water > 0.5) return 6;
    return cover.leaf > 0.3 ? 4 : 5;
  });
}

/** True class codes of a year (0, 1 or 2 of `SAMPLE_YEARS`) on the 10 m grid. */
export function truthPlane(world: SampleWorld, year: 0 | 1 | 2): Uint8Array {
  const { parcels, parcelOf } = world.mosaic;
  return Uint8Array.from(parcelOf, (id) => parcels[id]!.classes[year]);
}
