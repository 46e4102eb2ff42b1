import { DAYS, dateOf, SIDE } from './calendar.ts';
import { type Five, SECOND_BANDS } from './canopy.ts';
import { Dice } from './dice.ts';
import type { Surface } from './surface.ts';
import { isLost, type Weather, weatherOn } from './weather.ts';

/** One acquisition over the square: the pixels of a scene. */
export interface Pass {
  readonly date: string;
  /** Reflectance x 10000 per band of `SECOND_BANDS`, `[SIDE * SIDE]`; 0 = no data. */
  readonly bands: Readonly<Record<string, Uint16Array>>;
  /** Scene-classification codes, `[SIDE * SIDE]`; 0 = no data. */
  readonly scl: Uint8Array;
}

const REPEAT = 5;
const CLOUD: Five = [0.6, 0.58, 0.58, 0.6, 0.42];
/** Haze of each band divided by the haze of the blue band: wavelength to the power -1.3 (Angstrom's law). */
const ANGSTROM: Five = [1, 0.85, 0.69, 0.5, 0.21];
/** Relative difference of ground brightness between the two orbits. */
const ORBIT: Five = [0.05, 0.05, 0.06, 0.04, 0.05];
/** Standard deviation of a date's registration error, pixels (ESA's data quality reports: 0.3-0.5 between dates). */
const MISPLACED = 0.3;

/** Returns all passes in order of time, except on days of sensor outages. */
export function passesOver(surface: Surface, seed: number): readonly Pass[] {
  const passes: Pass[] = [];
  for (let day = DAYS[0], nth = 0; day < DAYS[1]; day += REPEAT, nth++)
    if (!isLost(day)) passes.push(passOn(surface, { day, nth, seed }));
  return passes;
}

function passOn(
  surface: Surface,
  { day, nth, seed }: { readonly day: number; readonly nth: number; readonly seed: number },
): Pass {
  const dice = new Dice('pass', day, seed);
  const weather = weatherOn(day, seed);
  const shift = [dice.normal(MISPLACED), dice.normal(MISPLACED)] as const;
  const ground = Array.from({ length: SIDE * SIDE }, (_, pixel) => surface.at(pixel, day));
  const light = { orbit: nth % 2, gain: 1 + dice.normal(0.012), dice };
  const planes = SECOND_BANDS.map((name, band) => {
    const sharp = Float32Array.from(ground, (five) => five[band] ?? 0);
    const moved = resample(sharp, shift);
    return [name, expose(name === 'swir16' ? coarse(moved) : moved, { ...light, band, weather })] as const;
  });
  const scl = weather.code.map((code, pixel) =>
    code === 0 ? groundCode(surface, pixel, { day, five: ground[pixel], dice }) : code,
  );
  // In every fourth pass, there are no data east of the swath's edge.
  const edge = 96 + Math.floor(dice.within(0, 24));
  if (nth % 4 === 1) for (const plane of [scl, ...planes.map(([, p]) => p)]) dropEast(plane, edge);
  return { date: dateOf(day), bands: Object.fromEntries(planes), scl };
}

/** Shifts a plane by bilinear interpolation; edge pixels are repeated. */
function resample(plane: Float32Array, [down, right]: readonly [number, number]): Float32Array {
  const [rowStep, colStep] = [Math.floor(down), Math.floor(right)];
  const [y, x] = [down - rowStep, right - colStep];
  const clamp = (v: number): number => Math.min(SIDE - 1, Math.max(0, v));
  const at = (row: number, col: number): number => plane[clamp(row) * SIDE + clamp(col)] ?? 0;
  return plane.map((_, i) => {
    const [row, col] = [Math.floor(i / SIDE) + rowStep, (i % SIDE) + colStep];
    const [above, below] = [
      at(row, col) * (1 - x) + at(row, col + 1) * x,
      at(row + 1, col) * (1 - x) + at(row + 1, col + 1) * x,
    ];
    return above * (1 - y) + below * y;
  });
}

/** Averages a plane to pixels of 20 m, repeated in four pixels of 10 m. */
function coarse(plane: Float32Array): Float32Array {
  return plane.map((_, i) => {
    const [row, col] = [Math.floor(i / SIDE) & ~1, (i % SIDE) & ~1];
    const at = row * SIDE + col;
    return ((plane[at] ?? 0) + (plane[at + 1] ?? 0) + (plane[at + SIDE] ?? 0) + (plane[at + SIDE + 1] ?? 0)) / 4;
  });
}

interface Light {
  readonly band: number;
  readonly orbit: number;
  readonly gain: number;
  readonly weather: Weather;
  readonly dice: Dice;
}

/**
 * Size of a table of random numbers. A new number for each pixel would take too long, so planes read the table from
 * random positions.
 */
const DRAWS = 1 << 16;
const noise = Float32Array.from({ length: DRAWS }, drawNormal(new Dice('noise')));

function drawNormal(dice: Dice): () => number {
  return () => dice.normal(1);
}

function expose(plane: Float32Array, { band, orbit, gain, weather, dice }: Light): Uint16Array {
  const seen = gain * (1 + (orbit - 0.5) * (ORBIT[band] ?? 0));
  const start = Math.floor(dice.within(0, DRAWS));
  const out = new Uint16Array(plane.length);
  for (let i = 0; i < out.length; i++) {
    const ground = plane[i] ?? 0;
    const haze = weather.haze * (ANGSTROM[band] ?? 0) * (0.6 + (0.8 * (i % SIDE)) / SIDE);
    const lit = ground * seen * (weather.shade[i] === 1 ? 0.45 : 1);
    const thick = weather.cloud[i] ?? 0;
    const value = (lit * (1 - 1.5 * haze) + haze) * (1 - thick) + (CLOUD[band] ?? 0) * thick;
    const draw = noise[(start + i) & (DRAWS - 1)] ?? 0;
    out[i] = Math.max(1, Math.round(10_000 * (value + draw * (0.0015 + 0.012 * value))));
  }
  return out;
}

/** SCL code of the ground: vegetation 4, not vegetated 5, water 6; for 2 % of pixels, unclassified 7. */
function groundCode(
  surface: Surface,
  pixel: number,
  { day, five, dice }: { readonly day: number; readonly five: Five | undefined; readonly dice: Dice },
): number {
  if (dice.hits(0.02)) return 7;
  if (surface.isWet(pixel, day)) return 6;
  const [, , red, nir] = five ?? [0, 0, 0, 0, 0];
  return (nir - red) / (nir + red) > 0.4 ? 4 : 5;
}

function dropEast(plane: Uint8Array | Uint16Array, from: number): void {
  for (let row = 0; row < SIDE; row++) plane.fill(0, row * SIDE + from, (row + 1) * SIDE);
}
