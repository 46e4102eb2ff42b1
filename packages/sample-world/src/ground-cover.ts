import { cropCycles, leafOf, stubbleOf } from './crop-calendar.ts';
import type { CropCycle } from './crop-calendar.ts';
import { LAND } from './land-classes.ts';
import type { Parcel } from './land-mosaic.ts';
import { between } from './random.ts';
import { firstOfJuly, hydroYear, SAMPLE_YEARS } from './sample-frame.ts';

/** Cover of a parcel on one day, shares 0-1. The ground (soil, roofs, rock) is visible outside of leaf, stubble and water. */
export interface GroundCover {
  readonly landClass: number;
  readonly leaf: number;
  readonly stubble: number;
  readonly water: number;
  /** Moisture of the top soil, 0 dry to 1 field capacity. */
  readonly moisture: number;
}

/** Class of a parcel in any hydrological year; for a year outside of `SAMPLE_YEARS` the class in the nearest of these years. */
export function classIn(parcel: Parcel, year: number): number {
  const index = Math.min(SAMPLE_YEARS.length - 1, Math.max(0, year - SAMPLE_YEARS[0]));
  return parcel.classes[index] ?? parcel.classes[0];
}

/** Cover of a parcel (index `id` in its mosaic) on a day number. Crops sown before 1 July belong to the year of their peak. */
export function groundCover(parcel: Parcel, id: number, day: number): GroundCover {
  const year = hydroYear(day);
  const landClass = classIn(parcel, year);
  const crops = [year - 1, year, year + 1].flatMap((y) => cropCycles(classIn(parcel, y), y, id));
  const water = waterShare(landClass, { year, day, id });
  const background = backgroundLeaf(landClass, day - firstOfJuly(year), id);
  const leaf = Math.max(background * (1 - water), ...crops.map((crop) => leafOf(crop, day)));
  const stubble = Math.min(0.5, (1 - leaf) * Math.max(0, ...crops.map((crop) => stubbleOf(crop, day))));
  return { landClass, leaf, stubble, water, moisture: moisture(day - firstOfJuly(year), crops, day) };
}

/** Bell curve around a day of the hydrological year, repeated every 365 days. */
function bump(day: number, centre: number, width: number): number {
  const gap = ((((day - centre) % 365) + 547.5) % 365) - 182.5;
  return Math.exp(-((gap / width) ** 2));
}

function backgroundLeaf(landClass: number, day: number, id: number): number {
  if (landClass === LAND.trees) {
    const crown = between(0.84, 0.93, [id, 20]);
    return crown - between(0.1, 0.2, [id, 21]) * bump(day, 275, 42);
  }
  if (landClass === LAND.scrub) return between(0.14, 0.2, [id, 22]) + between(0.14, 0.2, [id, 23]) * bump(day, 92, 62);
  if (landClass === LAND.builtUp) return between(0.1, 0.18, [id, 24]) + 0.03 * bump(day, 90, 60);
  if (landClass === LAND.barren) return 0.004 + 0.008 * bump(day, 80, 45);
  return between(0.012, 0.022, [id, 25]) + 0.022 * bump(day, 75, 45);
}

/** Days after 1 July between which a water body of a class is full. */
const FULL: Readonly<Record<number, readonly [number, number]>> = {
  [LAND.waterKharif]: [6, 132],
  [LAND.waterTwoSeasons]: [2, 250],
  [LAND.waterAllYear]: [-400, 800],
};

function waterShare(landClass: number, { year, day, id }: { year: number; day: number; id: number }): number {
  const full = FULL[landClass];
  if (full === undefined) return 0;
  const start = firstOfJuly(year) + full[0] + between(-4, 4, [id, year, 26]);
  const end = firstOfJuly(year) + full[1] + between(-5, 5, [id, year, 27]);
  return 1 / (1 + Math.exp((start - day) / 1.5)) / (1 + Math.exp((day - end) / 2.5));
}

function moisture(dayOfYear: number, crops: readonly CropCycle[], day: number): number {
  const monsoon = 0.75 * bump(dayOfYear, 48, 50);
  const irrigated = crops.some((c) => day > c.green - 22 && day < c.dry - 8) ? 0.35 : 0;
  return Math.min(1, 0.06 + Math.max(monsoon, irrigated));
}
