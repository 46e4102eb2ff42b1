import { isObject, type SearchConditions } from '@headwater/core';
import { parsedJson, Refusal } from './reading.ts';

/** A geometry of GeoJSON whose coordinates are sound: what `readGeometry` lets through. */
export type SearchGeometry = NonNullable<SearchConditions['intersects']>;

/** How many lists stand around a position of each kind. */
const DEPTH: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};
const KINDS = [...Object.keys(DEPTH), 'GeometryCollection'].join(', ');
/** Collections within collections serve nobody. */
const DEEPEST = 4;

/** A GeoJSON geometry written as JSON. */
export function readGeometryText(text: string): SearchGeometry | Refusal {
  const value = parsedJson(text);
  return value === undefined
    ? new Refusal('It is no JSON. Write a GeoJSON geometry, as {"type":"Point","coordinates":[85,24]}.')
    : readGeometry(value);
}

/** A GeoJSON geometry of any of the seven kinds, with sound coordinates. */
export function readGeometry(value: unknown): SearchGeometry | Refusal {
  const problem = problemOf(value, DEEPEST);
  return problem === undefined && isGeometry(value) ? value : new Refusal(problem ?? NOT_ONE);
}

const NOT_ONE = `It is no GeoJSON geometry. Give an object with type (${KINDS}) and coordinates.`;

// What `problemOf` finds nothing wrong with; the type follows from that.
function isGeometry(value: unknown): value is SearchGeometry {
  return isObject(value);
}

function problemOf(value: unknown, levels: number): string | undefined {
  if (!isObject(value) || typeof value['type'] !== 'string') return NOT_ONE;
  const { type, coordinates, geometries } = value;
  if (type === 'GeometryCollection') return problemOfAll(geometries, levels);
  if (type === 'Feature') return 'It is a Feature; give its geometry alone.';
  const depth = Object.hasOwn(DEPTH, type) ? DEPTH[type] : undefined;
  if (depth === undefined) return `${JSON.stringify(type.slice(0, 40))} is no kind of geometry. Give one of ${KINDS}.`;
  if (!Array.isArray(coordinates)) return `A ${type} needs its coordinates.`;
  if (coordinates.length === 0) return `Its coordinates are empty; a ${type} has some.`;
  return problemAt(coordinates, depth, type);
}

function problemOfAll(geometries: unknown, levels: number): string | undefined {
  if (!Array.isArray(geometries) || geometries.length === 0) return 'A GeometryCollection needs its geometries.';
  if (levels === 0) return 'Its collections are nested too deeply; give one collection of plain geometries.';
  return geometries.map((each) => problemOf(each, levels - 1)).find((problem) => problem !== undefined);
}

function problemAt(coordinates: readonly unknown[], depth: number, type: string): string | undefined {
  if (depth === 0) return positionProblem(coordinates);
  for (const each of coordinates) {
    if (!Array.isArray(each) || each.length === 0) return `The coordinates of a ${type} are lists of lists of numbers.`;
    const problem = problemAt(each, depth - 1, type);
    if (problem !== undefined) return problem;
  }
  // What is compared are positions by now, however deeply the lists of a stranger are nested.
  return depth === 1 ? lineProblem(coordinates, type) : undefined;
}

function lineProblem(line: readonly unknown[], type: string): string | undefined {
  if (type.endsWith('LineString') && line.length < 2) return 'A line has two positions or more.';
  if (!type.endsWith('Polygon')) return undefined;
  if (line.length < 4) return 'A ring has four positions or more.';
  return JSON.stringify(line[0]) === JSON.stringify(line.at(-1)) ? undefined : 'A ring ends where it begins: close it.';
}

function positionProblem(position: readonly unknown[]): string | undefined {
  const [longitude, latitude] = position;
  const isSound = position.length >= 2 && position.length <= 4 && position.every(Number.isFinite);
  if (!isSound || typeof longitude !== 'number' || typeof latitude !== 'number')
    return 'A position is two numbers, longitude and latitude in degrees.';
  if (Math.abs(latitude) > 90) return `${latitude} is no latitude; positions are longitude, latitude.`;
  return Math.abs(longitude) > 360 ? `${longitude} is no longitude; positions are longitude, latitude.` : undefined;
}
