import type { GroundCover } from './ground-cover.ts';
import { LAND } from './land-classes.ts';
import type { Parcel } from './land-mosaic.ts';
import { between } from './random.ts';
import { blend, SPECTRA, WET_SOIL } from './spectra.ts';
import type { Spectrum } from './spectra.ts';

/** Bands per entry of a reflectance table. */
const BANDS = 6;

/**
 * Reflectance (0-1, six bands) of a parcel under its cover, written at `at`: a linear mixture of leaf, stubble and ground,
 * with water on top. Linear mixing after Adams et al. 1986, doi:10.1029/JB091iB08p08098.
 */
export function surfaceReflectance(
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

/** Adds the ground of the parcel: roofs of several kinds, rock, or soil that moisture darkens. */
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

/** Adds water: silty in the monsoon, clearer as the season's moisture falls. */
function flood(cover: GroundCover, table: Float32Array, at: number): void {
  const silt = Math.min(1, cover.moisture * 1.1);
  for (let band = 0; band < BANDS; band += 1) table[at + band] = (table[at + band] ?? 0) * (1 - cover.water);
  blend(table, at, { share: cover.water * silt, of: SPECTRA.siltyWater });
  blend(table, at, { share: cover.water * (1 - silt), of: SPECTRA.clearWater });
}
