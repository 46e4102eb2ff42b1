import { windRings } from '@headwater/core/geo';
import { signedArea } from '@headwater/stac';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { z } from 'zod';
import { at, BadPlaceFile, type Report, TooMuch, usable } from './bad-place-file.ts';
import { contains, lobesOf } from './ring-lobes.ts';
import { innerPoint } from './ring-nesting.ts';

/** Number of positions that may still be read from a file or feature. */
export class PositionBudget {
  readonly #limit: number;
  readonly #of: 'file' | 'feature';
  #left: number;

  constructor(limit: number, of: 'file' | 'feature') {
    [this.#limit, this.#of, this.#left] = [limit, of, limit];
  }

  /** Subtracts positions from the budget. Throws `TooMuch` if too few remain. */
  spend(positions: number): void {
    this.#left -= positions;
    if (this.#left >= 0) return;
    const remedy = this.#of === 'file' ? 'simplify it or split it' : 'simplify it';
    throw new TooMuch(`the ${this.#of} has more than ${this.#limit.toLocaleString('en')} positions; ${remedy}`);
  }
}

const GEOMETRY = z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.array(z.unknown()) });

/** Budget and report for reading a geometry. */
export interface GeometryReading {
  readonly budget: PositionBudget;
  /** Called for each repaired or left out part. */
  readonly report: Report;
}

/**
 * Checks a GeoJSON geometry; returns its lon/lat polygons without heights. The rings have the directions of RFC 7946.
 * Repairs rings, leaves out invalid polygons and holes, and reports each. Throws `BadPlaceFile` if no polygon is valid
 * or the axes seem exchanged, `TooMuch` for too many positions.
 */
export function placePolygons(value: unknown, reading: GeometryReading): Position[][][] {
  const parsed = GEOMETRY.safeParse(value);
  if (!parsed.success) throw new BadPlaceFile('the geometry must be a Polygon or a MultiPolygon');
  const { type, coordinates } = parsed.data;
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (polygons.length === 0) throw new BadPlaceFile('the geometry is empty; draw it, or remove the feature');
  const read = usable(
    polygons,
    (rings, p) => at(`polygon ${p}`, () => placePolygon(rings, reading, p)),
    (note) => reading.report(outerAsPolygon(note)),
  ).flat();
  checkAxes(read);
  return read.map(windRings);
}

/** Longitudes and latitudes of India with its islands, rounded outwards. */
const INDIA = { longitude: [68, 98], latitude: [6, 38] } as const;

/** Throws `BadPlaceFile` for polygons in the Arctic that would be in India with exchanged axes. */
function checkAxes(polygons: readonly Position[][][]): void {
  const starts = polygons.map(([outer]) => outer?.[0] ?? []);
  const isBetween = (value = Number.NaN, [least, most]: readonly [number, number]): boolean =>
    least <= value && value <= most;
  if (!starts.every(([lon, lat]) => isBetween(lat, INDIA.longitude) && isBetween(lon, INDIA.latitude))) return;
  const [[lon, lat] = []] = starts;
  throw new BadPlaceFile(
    `the geometry is at longitude ${lon}, latitude ${lat}, in the Arctic; with the two numbers exchanged, it would be in India; write longitude first`,
  );
}

const outerAsPolygon = (note: string): string => note.replace(/^(polygon \d+) ring 0 left out/, '$1 left out');

/**
 * Converts one polygon of a file to one or more polygons. An outer ring that crosses itself has several lobes (closed
 * parts), and each becomes a polygon.
 */
function placePolygon(value: unknown, { budget, report }: GeometryReading, p: number): Position[][][] {
  if (!Array.isArray(value) || value.length === 0)
    throw new BadPlaceFile('it has no ring; draw its outline, or remove it');
  const [first, ...inner]: unknown[] = value;
  const read = (ring: unknown, r: number): RingParts =>
    at(`ring ${r}`, () => ringParts(ring, budget, (note) => report(`polygon ${p} ring ${r} ${note}`)));
  const outer = read(first, 0);
  const holes: Position[][] = [...outer.holes];
  for (const [i, ring] of inner.entries()) {
    try {
      holes.push(...read(ring, i + 1).rings);
    } catch (error) {
      if (!(error instanceof BadPlaceFile) || error instanceof TooMuch) throw error;
      report(`polygon ${p} ring ${i + 1} left out: ${error.message.replace(/^ring \d+: /, '')}`);
    }
  }
  return outer.rings.length === 1 ? outer.rings.map((ring) => [ring, ...holes]) : shared(outer.rings, holes);
}

const shared = (lobes: readonly Position[][], holes: readonly Position[][]): Position[][][] =>
  lobes.map((lobe) => [lobe, ...holes.filter((hole) => contains(lobe, innerPoint(hole)))]);

/** Polygon for one polygon, MultiPolygon for several. */
export function toGeometry(polygons: Position[][][]): Polygon | MultiPolygon {
  const [only] = polygons;
  if (polygons.length === 1 && only !== undefined) return { type: 'Polygon', coordinates: only };
  return { type: 'MultiPolygon', coordinates: polygons };
}

interface RingParts {
  readonly rings: readonly Position[][];
  readonly holes: readonly Position[][];
}

function ringParts(value: unknown, budget: PositionBudget, report: Report): RingParts {
  const ring = placeRing(value, budget, report);
  const lobes = lobesOf(ring);
  if (lobes === undefined) {
    if (signedArea(ring) === 0) throw new BadPlaceFile('the ring encloses no area; draw it again, or remove it');
    return { rings: [ring], holes: [] };
  }
  report(`crosses itself and is read as ${lobes.rings.length} ring${lobes.rings.length === 1 ? '' : 's'}`);
  return lobes;
}

function placeRing(ring: unknown, budget: PositionBudget, report: Report): Position[] {
  if (!Array.isArray(ring)) throw new BadPlaceFile('a ring needs at least 4 positions');
  budget.spend(ring.length);
  const positions = ring.map((position, i) => at(`position ${i}`, () => placePosition(position)));
  const [first, last] = [positions[0], positions.at(-1)];
  const isOpen = first !== undefined && (first[0] !== last?.[0] || first[1] !== last?.[1]);
  if (isOpen) positions.push([...first]);
  if (positions.length < 4) throw new BadPlaceFile('a ring needs at least 4 positions');
  if (isOpen) report('was open and is closed');
  return positions;
}

/** Longitude and latitude of a position. Throws `BadPlaceFile` if invalid. */
export function placePosition(value: unknown): Position {
  const [lon, lat]: unknown[] = Array.isArray(value) ? value : [];
  if (typeof lon !== 'number' || typeof lat !== 'number')
    throw new BadPlaceFile('a position must be two numbers, longitude and latitude');
  if (Math.abs(lon) <= 180 && Math.abs(lat) <= 90) return [lon, lat];
  if (!Number.isFinite(lon) || !Number.isFinite(lat))
    throw new BadPlaceFile(`${lon}, ${lat} is not a position: both must be finite numbers; write the geometry again`);
  if (Math.abs(lon) > 1000 || Math.abs(lat) > 1000) {
    throw new BadPlaceFile(
      `${lon}, ${lat} looks like metres of a projected CRS; convert with ogr2ogr -t_srs EPSG:4326`,
    );
  }
  throw new BadPlaceFile(
    `${lon}, ${lat} is not longitude (-180 to 180), latitude (-90 to 90); check that the two are not exchanged`,
  );
}
