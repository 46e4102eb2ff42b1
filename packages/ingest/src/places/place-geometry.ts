import { windRings } from '@headwater/core/geo';
import { signedArea } from '@headwater/stac';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { z } from 'zod';
import { at, BadPlaceFile, type Tell, TooMuch, usable } from './bad-place-file.ts';
import { contains, lobesOf } from './ring-lobes.ts';
import { innerPoint } from './ring-nesting.ts';

/** Positions that a file, or one feature of it, may still use up. */
export class PositionBudget {
  readonly #limit: number;
  readonly #of: 'file' | 'feature';
  #left: number;

  constructor(limit: number, of: 'file' | 'feature') {
    [this.#limit, this.#of, this.#left] = [limit, of, limit];
  }

  /** Throws `TooMuch` where these are more than are left. */
  spend(positions: number): void {
    this.#left -= positions;
    if (this.#left >= 0) return;
    const remedy = this.#of === 'file' ? 'simplify it or split it' : 'simplify it';
    throw new TooMuch(`the ${this.#of} has more than ${this.#limit.toLocaleString('en')} positions; ${remedy}`);
  }
}

const GEOMETRY = z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.array(z.unknown()) });

/** What reading a geometry needs beside it. */
export interface GeometryReading {
  readonly budget: PositionBudget;
  /** Told of what was mended or left out. */
  readonly tell: Tell;
}

/**
 * Checks a GeoJSON geometry and gives it back as bare lon/lat polygons (heights dropped), whose rings run as RFC 7946 wants them. Open rings are closed, rings that cross
 * themselves taken apart; bad polygons and holes are left out beside good ones; all of that is told. Throws `BadPlaceFile` for
 * another type and where no polygon is good: degenerate rings, coordinates outside longitude/latitude or exchanged. Throws `TooMuch` beyond the budget.
 */
export function placePolygons(value: unknown, reading: GeometryReading): Position[][][] {
  const parsed = GEOMETRY.safeParse(value);
  if (!parsed.success) throw new BadPlaceFile('the geometry must be a Polygon or a MultiPolygon');
  const { type, coordinates } = parsed.data;
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (polygons.length === 0) throw new BadPlaceFile('the geometry is empty');
  const read = usable(
    polygons,
    (rings, p) => at(`polygon ${p}`, () => placePolygon(rings, reading, p)),
    (note) => reading.tell(outerAsPolygon(note)),
  ).flat();
  checkAxes(read);
  return read.map(windRings);
}

/** Longitudes and latitudes between which India lies, islands included, rounded outwards. */
const INDIA = { longitude: [68, 98], latitude: [6, 38] } as const;

/** Throws `BadPlaceFile` where every polygon lies in the Arctic, and in India with its axes exchanged. */
function checkAxes(polygons: readonly Position[][][]): void {
  const starts = polygons.map(([outer]) => outer?.[0] ?? []);
  const isBetween = (value = Number.NaN, [least, most]: readonly [number, number]): boolean =>
    least <= value && value <= most;
  if (!starts.every(([lon, lat]) => isBetween(lat, INDIA.longitude) && isBetween(lon, INDIA.latitude))) return;
  const [[lon, lat] = []] = starts;
  throw new BadPlaceFile(
    `the geometry lies at longitude ${lon}, latitude ${lat}, in the Arctic, and in India with the two exchanged; write longitude first`,
  );
}

/** A polygon is lost with its outer ring. */
const outerAsPolygon = (note: string): string => note.replace(/^(polygon \d+) ring 0 left out/, '$1 left out');

/** One polygon, or as many as its outer ring has lobes. */
function placePolygon(value: unknown, { budget, tell }: GeometryReading, p: number): Position[][][] {
  if (!Array.isArray(value) || value.length === 0) throw new BadPlaceFile('it has no ring');
  const [first, ...inner]: unknown[] = value;
  const read = (ring: unknown, r: number): RingParts =>
    at(`ring ${r}`, () => ringParts(ring, budget, (note) => tell(`polygon ${p} ring ${r} ${note}`)));
  const outer = read(first, 0);
  const holes: Position[][] = [...outer.holes];
  for (const [i, ring] of inner.entries()) {
    try {
      holes.push(...read(ring, i + 1).rings);
    } catch (error) {
      if (!(error instanceof BadPlaceFile) || error instanceof TooMuch) throw error;
      tell(`polygon ${p} ring ${i + 1} left out: ${error.message.replace(/^ring \d+: /, '')}`);
    }
  }
  return outer.rings.length === 1 ? outer.rings.map((ring) => [ring, ...holes]) : shared(outer.rings, holes);
}

/** Each lobe with the holes that lie in it. */
const shared = (lobes: readonly Position[][], holes: readonly Position[][]): Position[][][] =>
  lobes.map((lobe) => [lobe, ...holes.filter((hole) => contains(lobe, innerPoint(hole)))]);

/** Polygon where there is one, MultiPolygon otherwise. */
export function toGeometry(polygons: Position[][][]): Polygon | MultiPolygon {
  const [only] = polygons;
  if (polygons.length === 1 && only !== undefined) return { type: 'Polygon', coordinates: only };
  return { type: 'MultiPolygon', coordinates: polygons };
}

/** What one ring of a file gives: itself, or its lobes. */
interface RingParts {
  readonly rings: readonly Position[][];
  readonly holes: readonly Position[][];
}

function ringParts(value: unknown, budget: PositionBudget, tell: Tell): RingParts {
  const ring = placeRing(value, budget, tell);
  const lobes = lobesOf(ring);
  if (lobes === undefined) {
    if (signedArea(ring) === 0) throw new BadPlaceFile('the ring encloses no area');
    return { rings: [ring], holes: [] };
  }
  tell(`crosses itself and is read as ${lobes.rings.length} ring${lobes.rings.length === 1 ? '' : 's'}`);
  return lobes;
}

function placeRing(ring: unknown, budget: PositionBudget, tell: Tell): Position[] {
  if (!Array.isArray(ring)) throw new BadPlaceFile('a ring needs at least 4 positions');
  budget.spend(ring.length);
  const positions = ring.map((position, i) => at(`position ${i}`, () => placePosition(position)));
  const [first, last] = [positions[0], positions.at(-1)];
  const isOpen = first !== undefined && (first[0] !== last?.[0] || first[1] !== last?.[1]);
  if (isOpen) positions.push([...first]);
  if (positions.length < 4) throw new BadPlaceFile('a ring needs at least 4 positions');
  if (isOpen) tell('was open and is closed');
  return positions;
}

/** A position as bare longitude and latitude. Throws `BadPlaceFile` for anything else. */
export function placePosition(value: unknown): Position {
  const [lon, lat]: unknown[] = Array.isArray(value) ? value : [];
  if (typeof lon !== 'number' || typeof lat !== 'number')
    throw new BadPlaceFile('a position is two numbers, longitude and latitude');
  if (Math.abs(lon) <= 180 && Math.abs(lat) <= 90) return [lon, lat];
  if (!Number.isFinite(lon) || !Number.isFinite(lat))
    throw new BadPlaceFile(`${lon}, ${lat} is no place: both must be finite numbers; write the geometry anew`);
  if (Math.abs(lon) > 1000 || Math.abs(lat) > 1000) {
    throw new BadPlaceFile(
      `${lon}, ${lat} looks like metres of a projected CRS; convert with ogr2ogr -t_srs EPSG:4326`,
    );
  }
  throw new BadPlaceFile(`${lon}, ${lat} is not longitude (-180 to 180), latitude (-90 to 90); are the two swapped?`);
}
