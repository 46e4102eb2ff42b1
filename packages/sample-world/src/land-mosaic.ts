import { fieldLots } from './field-lots.ts';
import { surveyLand } from './land-survey.ts';
import type { Land } from './land-survey.ts';
import { chance } from './random.ts';
import { SIZE } from './sample-frame.ts';
import { LAND } from './land-classes.ts';
import { waterAt } from './water-bodies.ts';

/** A piece of land with one use: a field, a block of houses, a stand of trees, one zone of a water body. */
export interface Parcel {
  /** True class of each year of `SAMPLE_YEARS`. */
  readonly classes: readonly [number, number, number];
  /** Share of dark soil, 0-1. */
  readonly darkSoil: number;
}

/** Parcel of each pixel: `[SIZE * SIZE]` indices into `parcels`. */
export interface LandMosaic {
  readonly parcelOf: Uint16Array;
  readonly parcels: readonly Parcel[];
}

/** The land of a seed: hills with forest, scrub and rock, a farmed plain, a town, hamlets, a reservoir and tanks. */
export function landMosaic(seed: number): LandMosaic {
  const land = surveyLand(seed);
  const lots = fieldLots(seed);
  const parcels: Parcel[] = [];
  const indexes = new Map<string, number>();
  const parcelOf = new Uint16Array(SIZE * SIZE);
  for (let i = 0; i < parcelOf.length; i += 1) {
    const body = waterAt(land.waters, i);
    const lot = lots.lotOf[i] ?? 0;
    const key = body === undefined ? `lot ${lot}` : `water ${body.id}`;
    let index = indexes.get(key);
    if (index === undefined) {
      index = parcels.length;
      indexes.set(key, index);
      parcels.push(
        body === undefined ? farmedParcel(land, lots.centres[lot] ?? i, lots.holdings[lot] ?? 0) : waterParcel(body),
      );
    }
    parcelOf[i] = index;
  }
  return { parcelOf, parcels };
}

function waterParcel(body: { readonly landClass: number }): Parcel {
  return { classes: [body.landClass, body.landClass, body.landClass], darkSoil: 0.4 };
}

function farmedParcel(land: Land, centre: number, holding: number): Parcel {
  const first = landUse(land, centre, holding);
  return { classes: changes(land, { first, centre, holding }), darkSoil: 0.6 * (land.soil[centre] ?? 0) };
}

function landUse(land: Land, centre: number, holding: number): number {
  const row = Math.floor(centre / SIZE);
  const col = centre % SIZE;
  for (const [r, c, radius] of land.towns) if (Math.hypot(row - r, col - c) < radius) return LAND.builtUp;
  const height = land.height[centre] ?? 0;
  const whim = chance(land.seed, holding, 1);
  if (height > 0.8) return whim < 0.93 ? LAND.trees : LAND.scrub;
  if (height > 0.64) return (land.outcrop[centre] ?? 0) > 0.62 ? LAND.barren : LAND.scrub;
  const crops = [LAND.kharifCrop, LAND.twoCrops, LAND.threeCrops, LAND.otherCrop] as const;
  const zone = whim < 0.12 ? chance(land.seed, holding, 2) : (land.irrigation[centre] ?? 0);
  return crops[Math.min(3, Math.floor(zone * 4))] ?? LAND.kharifCrop;
}

/**
 * Classes of a holding in the three years. A few change for good: scrub is cleared for a kharif crop, a second crop is added or given up,
 * land at the town's edge is built on.
 */
function changes(
  land: Land,
  { first, centre, holding }: { first: number; centre: number; holding: number },
): Parcel['classes'] {
  const luck = chance(land.seed, holding, 3);
  const late = chance(land.seed, holding, 4) < 0.5;
  const to = (next: number): Parcel['classes'] => [first, late ? first : next, next];
  if (first === LAND.scrub && luck < 0.04) return to(LAND.kharifCrop);
  if (first === LAND.kharifCrop && luck < 0.05) return to(LAND.twoCrops);
  if (first === LAND.twoCrops && luck < 0.04) return to(LAND.kharifCrop);
  if (first === LAND.otherCrop && luck < 0.04) return to(LAND.twoCrops);
  const [r, c, radius] = land.towns[0] ?? [0, 0, 0];
  const edge = Math.hypot(Math.floor(centre / SIZE) - r, (centre % SIZE) - c) - radius;
  if (edge >= 0 && edge < 10 && luck < 0.25) return to(LAND.builtUp);
  return [first, first, first];
}
