import { groundCover, type GroundCover } from './ground-cover.ts';
import { landMosaic, type LandMosaic, type Parcel } from './land-mosaic.ts';
import { SIZE } from './sample-frame.ts';
import { smoothField } from './smooth-field.ts';
import { LAND } from './land-classes.ts';
import { between } from './random.ts';
import { blend, SPECTRA, WET_SOIL, type Spectrum } from './spectra.ts';

const BANDS = 6;

/** Square of land of `SIZE` x `SIZE` pixels of 10 m. */
export interface LandBlock {
  readonly mosaic: LandMosaic;
  /** Density of plants within a field relative to its mean, about -1 to 1, `[SIZE * SIZE]`. */
  readonly vigour: Float32Array;
  /** Brightness of the ground at each pixel relative to the mean, about -1 to 1; the same on all days. */
  readonly grain: Float32Array;
}

/** Creates the land of a seed. The same seed gives the same land. */
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

/**
 * Reflectances of a block's parcels on one day, `[parcel * BANDS + band]`: mean (`ground`), and with denser plants
 * (`lush`).
 */
export interface GroundPaint {
  readonly block: LandBlock;
  readonly covers: readonly GroundCover[];
  readonly ground: Float32Array;
  readonly lush: Float32Array;
}

/** Computes cover and reflectance of each parcel on a day. */
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

function thicker(cover: GroundCover): GroundCover {
  return { ...cover, leaf: Math.min(0.98 - cover.stubble, cover.leaf * 1.09) };
}

/** Share of light from each of four neighbours, because optics and air blur the picture. */
const SPILL = 0.09;

/** DN (reflectance x 10,000) of a block's ground under a clear sky at each 10 m pixel, after the blur of the optics. */
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

/**
 * Mixes each pixel with its neighbours left and right (`step` 1), or above and below (`step` SIZE). The first and the
 * last row stay unchanged.
 */
function spill(plane: Float32Array, step: number): void {
  const sharp = Float32Array.from(plane);
  for (let i = SIZE; i < plane.length - SIZE; i += 1) {
    plane[i] = (1 - 2 * SPILL) * (sharp[i] ?? 0) + SPILL * ((sharp[i - step] ?? 0) + (sharp[i + step] ?? 0));
  }
}

/**
 * Reflectance (0-1, six bands): a linear mixture of leaf, stubble, ground and water (Adams et al. 1986,
 * doi:10.1029/JB091iB08p08098).
 */
function surfaceReflectance(
  parcel: Parcel,
  cover: GroundCover,
  out: { id: number; table: Float32Array; at: number },
): void {
  const { id, table, at } = out;
  const open = 1 - cover.leaf - cover.stubble;
  table.fill(0, at, at + BANDS);
  addGround(parcel, cover, { id, table, at });
  for (let band = 0; band < BANDS; band += 1) table[at + band] = (table[at + band] ?? 0) * open;
  blend(table, at, { share: cover.leaf, of: leafSpectrum(cover.landClass) });
  blend(table, at, { share: cover.stubble, of: SPECTRA.stubble });
  if (cover.water > 0) flood(cover, table, at);
}

function leafSpectrum(landClass: number): Spectrum {
  if (landClass === LAND.trees) return SPECTRA.treeCrown;
  return landClass === LAND.scrub || landClass === LAND.builtUp ? SPECTRA.shrubLeaf : SPECTRA.cropLeaf;
}

/** Adds the reflectance of the ground: roofs of several kinds, or rock or soil, which moisture darkens. */
function addGround(
  parcel: Parcel,
  cover: GroundCover,
  { id, table, at }: { id: number; table: Float32Array; at: number },
): void {
  const bright = between(0.93, 1.07, [id, 30]);
  if (cover.landClass === LAND.builtUp) {
    const tile = between(0.2, 0.42, [id, 31]);
    const metal = between(0, 0.16, [id, 32]);
    blend(table, at, { share: bright * tile, of: SPECTRA.clayTile });
    blend(table, at, { share: bright * metal, of: SPECTRA.sheetMetal });
    blend(table, at, { share: bright * (1 - tile - metal), of: SPECTRA.concrete });
  } else if (cover.landClass === LAND.barren) {
    blend(table, at, { share: bright, of: SPECTRA.rock });
    dampen({ table, at, moisture: 0.4 * cover.moisture });
  } else {
    blend(table, at, { share: bright * (1 - parcel.darkSoil), of: SPECTRA.redSoil });
    blend(table, at, { share: bright * parcel.darkSoil, of: SPECTRA.darkSoil });
    dampen({ table, at, moisture: cover.moisture });
  }
}

function dampen({ table, at, moisture }: { table: Float32Array; at: number; moisture: number }): void {
  for (let band = 0; band < BANDS; band += 1) {
    const wet = WET_SOIL[band] ?? 1;
    table[at + band] = (table[at + band] ?? 0) * (1 - moisture * (1 - wet));
  }
}

/** Adds the water of the cover: silty in the monsoon, and clearer when the moisture of the soil falls. */
function flood(cover: GroundCover, table: Float32Array, at: number): void {
  const silt = Math.min(1, cover.moisture * 1.1);
  for (let band = 0; band < BANDS; band += 1) table[at + band] = (table[at + band] ?? 0) * (1 - cover.water);
  blend(table, at, { share: cover.water * silt, of: SPECTRA.siltyWater });
  blend(table, at, { share: cover.water * (1 - silt), of: SPECTRA.clearWater });
}
