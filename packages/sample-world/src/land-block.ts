import { groundCover } from './ground-cover.ts';
import type { GroundCover } from './ground-cover.ts';
import { landMosaic } from './land-mosaic.ts';
import type { LandMosaic } from './land-mosaic.ts';
import { SIZE } from './sample-frame.ts';
import { smoothField } from './smooth-field.ts';
import { surfaceReflectance } from './surface-reflectance.ts';

const BANDS = 6;

/** A square of land of `SIZE` x `SIZE` pixels of 10 m. */
export interface LandBlock {
  readonly mosaic: LandMosaic;
  /** How well plants stand within a field, about -1 to 1, `[SIZE * SIZE]`. */
  readonly vigour: Float32Array;
  /** Lasting brightness of each pixel's ground, about -1 to 1. */
  readonly grain: Float32Array;
}

/** The land of a seed; the same whenever it is made. */
export function landBlock(seed: number): LandBlock {
  return {
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
  };
}

/** How a block's parcels look on one day: `[parcel * BANDS + band]` reflectances, as they are and where plants stand denser. */
export interface GroundPaint {
  readonly block: LandBlock;
  readonly covers: readonly GroundCover[];
  readonly ground: Float32Array;
  readonly lush: Float32Array;
}

/** Cover and reflectance of each parcel on a day. */
export function paintGround(block: LandBlock, day: number): GroundPaint {
  const { parcels } = block.mosaic;
  const covers = parcels.map((parcel, id) => groundCover(parcel, id, day));
  const ground = new Float32Array(parcels.length * BANDS);
  const lush = new Float32Array(parcels.length * BANDS);
  for (const [id, parcel] of parcels.entries()) {
    const cover = covers[id]!;
    surfaceReflectance(parcel, cover, { id, table: ground, at: id * BANDS });
    surfaceReflectance(parcel, thicker(cover), { id, table: lush, at: id * BANDS });
  }
  return { block, covers, ground, lush };
}

/** The same cover where plants stand 9 % denser. */
function thicker(cover: GroundCover): GroundCover {
  return { ...cover, leaf: Math.min(0.98 - cover.stubble, cover.leaf * 1.09) };
}

/** Share of each of the four neighbours' light that optics and air mix into a pixel: borders of fields are not sharp. */
const SPILL = 0.09;

/** DN of a block's ground under a clear sky at each 10 m pixel, as optics see it. */
export function groundPlane({ block, ground, lush }: GroundPaint, band: number): Float32Array {
  const plane = new Float32Array(SIZE * SIZE);
  const { parcelOf } = block.mosaic;
  for (let i = 0; i < plane.length; i += 1) {
    const at = (parcelOf[i] ?? 0) * BANDS + band;
    const base = ground[at] ?? 0;
    const leafy = ((lush[at] ?? 0) - base) * (block.vigour[i] ?? 0);
    plane[i] = 10_000 * (base + leafy) * (1 + 0.025 * (block.grain[i] ?? 0));
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
