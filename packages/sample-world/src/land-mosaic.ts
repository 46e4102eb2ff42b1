import { chance } from './random.ts';
import { SIZE } from './sample-frame.ts';
import { LAND } from './land-classes.ts';
import { waterAt, type WaterBody } from './water-bodies.ts';
import { smoothField, ranks } from './smooth-field.ts';

/** Piece of land with one use: a field, a block of houses, a stand of trees, a zone of a water body. */
export interface Parcel {
  /** Class in each of the `SAMPLE_YEARS`. */
  readonly classes: readonly [number, number, number];
  /** Share of dark soil, 0-1. */
  readonly darkSoil: number;
}

/** Parcels, and the index of each pixel's parcel (`parcelOf`, `[SIZE * SIZE]`). */
export interface LandMosaic {
  readonly parcelOf: Uint16Array;
  readonly parcels: readonly Parcel[];
}

/**
 * Creates the land of a seed: hills with forest, scrub and rock, a farmed plain, a town, hamlets, a reservoir and
 * tanks.
 */
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
        body === undefined ? landParcel(land, lots.centres[lot] ?? i, lots.holdings[lot] ?? 0) : waterParcel(body),
      );
    }
    parcelOf[i] = index;
  }
  return { parcelOf, parcels };
}

function waterParcel(body: { readonly landClass: number }): Parcel {
  return { classes: [body.landClass, body.landClass, body.landClass], darkSoil: 0.4 };
}

function landParcel(land: Land, centre: number, holding: number): Parcel {
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

/** Classes of a field in the three years. A few holdings (fields of one farmer) change permanently. */
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

interface FieldLots {
  readonly lotOf: Uint16Array;
  readonly centres: readonly number[];
  readonly holdings: readonly number[];
}

function fieldLots(seed: number): FieldLots {
  const waves = [
    [70, 7],
    [25, 1.6],
  ] as const;
  const down = smoothField({ size: SIZE, seed: seed + 21, waves });
  const right = smoothField({ size: SIZE, seed: seed + 22, waves });
  const rows = cuts(seed + 23, 9, 13);
  const columns = new Map<number, Uint16Array>();
  const lotOf = new Uint16Array(SIZE * SIZE);
  const members = new Map<string, { index: number; pixels: number[]; holding: number }>();
  for (let i = 0; i < lotOf.length; i += 1) {
    const row = rows[Math.floor(i / SIZE + (down[i] ?? 0)) + 20] ?? 0;
    let cols = columns.get(row >> 1);
    if (cols === undefined) columns.set(row >> 1, (cols = cuts(seed + 31 * (row >> 1) + 24, 10, 16)));
    const col = cols[Math.floor((i % SIZE) + (right[i] ?? 0)) + 20] ?? 0;
    const key = `${row}/${col}`;
    let lot = members.get(key);
    if (lot === undefined)
      members.set(key, (lot = { index: members.size, pixels: [], holding: (row >> 1) * 4096 + (col >> 1) }));
    lot.pixels.push(i);
    lotOf[i] = lot.index;
  }
  const lots = [...members.values()];
  return { lotOf, centres: lots.map((l) => middle(l.pixels)), holdings: lots.map((l) => l.holding) };
}

function middle(pixels: readonly number[]): number {
  let row = 0;
  let col = 0;
  for (const i of pixels) {
    row += Math.floor(i / SIZE);
    col += i % SIZE;
  }
  return Math.round(row / pixels.length) * SIZE + Math.round(col / pixels.length);
}

function cuts(seed: number, low: number, high: number): Uint16Array {
  const strips = new Uint16Array(SIZE + 40);
  let strip = 0;
  let left = low;
  for (let i = 0; i < strips.length; i += 1) {
    if (left <= 0) {
      strip += 1;
      left = Math.round(low + chance(seed, strip) * (high - low));
    }
    left -= 1;
    strips[i] = strip;
  }
  return strips;
}

/** Each array `[SIZE * SIZE]` contains ranks: the share (0-1) of pixels with a lower value. */
interface Land {
  readonly seed: number;
  readonly height: Float32Array;
  readonly irrigation: Float32Array;
  readonly outcrop: Float32Array;
  readonly soil: Float32Array;
  readonly waters: readonly WaterBody[];
  readonly towns: readonly (readonly [row: number, col: number, radius: number])[];
}

function surveyLand(seed: number): Land {
  const field = (salt: number, waves: readonly (readonly [number, number])[]): Float32Array =>
    ranks(smoothField({ size: SIZE, seed: seed + salt, waves }));
  const height = field(1, [
    [190, 1],
    [60, 0.25],
  ]);
  const at = (low: number, high: number, salt: number): readonly [number, number] =>
    lowSpot(height, { low, high, seed: seed + salt });
  const spots: (readonly [number, number])[] = [];
  for (const salt of [11, 12, 13, 14, 15, 16, 17, 18])
    spots.push(farSpot(spots, (k) => at(0.02, 0.55, salt + 100 * k)));
  const [reservoir, tank, pondA, pondB, town, hamletA, hamletB, hamletC] = spots as SpotList;
  return {
    seed,
    height,
    irrigation: field(2, [
      [120, 1],
      [45, 0.15],
    ]),
    outcrop: field(3, [[80, 1]]),
    soil: field(4, [
      [150, 1],
      [40, 0.3],
    ]),
    waters: [
      {
        id: 1,
        landClass: LAND.waterAllYear,
        centre: reservoir,
        radius: 34,
        lobe: { landClass: LAND.waterTwoSeasons, from: 0.62 },
      },
      { id: 3, landClass: LAND.waterTwoSeasons, centre: tank, radius: 20 },
      { id: 4, landClass: LAND.waterKharif, centre: pondA, radius: 21 },
      { id: 5, landClass: LAND.waterKharif, centre: pondB, radius: 17 },
    ].map((body) => ({ ...body, seed: seed + body.id })),
    towns: [
      [...town, 40],
      [...hamletA, 17],
      [...hamletB, 15],
      [...hamletC, 14],
    ],
  };
}

type Spot = readonly [number, number];
type SpotList = [Spot, Spot, Spot, Spot, Spot, Spot, Spot, Spot];

/**
 * Returns the first candidate that is far from the taken spots, so that towns and waters do not overlap. Otherwise
 * returns the farthest candidate.
 */
function farSpot(taken: readonly Spot[], candidate: (attempt: number) => Spot): Spot {
  let best: Spot = candidate(0);
  let bestGap = -1;
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const spot = candidate(attempt);
    const gap = Math.min(400, ...taken.map((other) => Math.hypot(spot[0] - other[0], spot[1] - other[1])));
    if (gap > 85) return spot;
    if (gap > bestGap) [best, bestGap] = [spot, gap];
  }
  return best;
}

/**
 * Returns a random place (row, col) away from the edge whose rank of height (0-1) is between `low` and `high`; the
 * centre of the block if 400 attempts find none.
 */
function lowSpot(height: Float32Array, { low, high, seed }: { low: number; high: number; seed: number }): Spot {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const row = Math.floor(50 + chance(seed, attempt, 1) * (SIZE - 100));
    const col = Math.floor(50 + chance(seed, attempt, 2) * (SIZE - 100));
    const rank = height[row * SIZE + col] ?? 1;
    if (rank >= low && rank <= high) return [row, col];
  }
  return [SIZE / 2, SIZE / 2];
}
