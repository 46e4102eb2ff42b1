import { type ComputedPlace, featureGeometry, type TableColumn } from '@headwater/core';
import { DATA_LIMITS } from '@headwater/core/runs';
import { isObject, isStorable } from '@headwater/core/values';
import type { LayerFeature } from '@headwater/layer-kit';
import { bboxOf } from '@headwater/stac';
import type { Position } from 'geojson';
import { BadPlaceFile, BadProperty, TooMuch } from '../../places/bad-place-file.ts';
import { checkCrs } from '../../places/place-features.ts';
import { type GeometryReading, placePolygons, placePosition, toGeometry } from '../../places/place-geometry.ts';
import { PositionBudget } from '../../places/place-geometry.ts';
import { KML_ENDINGS, readKml } from '../kml/read-kml.ts';
import { type ReadFeature, readFeatures } from '../shared/collection-features.ts';
import { badFile, type ImportRequest, throwIfStopped } from '../shared/import-deps.ts';
import type { ImportNotes } from '../shared/import-notes.ts';

/** Kind of geometry that all features of a layer have. */
export type LayerShape = 'polygon' | 'line' | 'point';

/**
 * Checks a lon/lat geometry (RFC 7946) and reports repairs. Throws `BadPlaceFile` for an unsupported geometry,
 * `TooMuch` for too many positions.
 */
export function layerGeometry(
  value: unknown,
  reading: GeometryReading,
): { readonly shape: LayerShape; readonly geometry: LayerFeature['geometry'] } {
  if (!isObject(value)) throw new BadPlaceFile('it has no geometry; draw it, or remove the feature');
  const { type, coordinates } = value;
  if (type === 'Polygon' || type === 'MultiPolygon')
    return { shape: 'polygon', geometry: featureGeometry(toGeometry(placePolygons(value, reading))) };
  if (type === 'Point') return { shape: 'point', geometry: { type, coordinates: placePosition(coordinates) } };
  if (type === 'LineString' || type === 'MultiLineString') {
    const lines = type === 'LineString' ? [coordinates] : listOf(coordinates);
    return {
      shape: 'line',
      geometry: { type: 'MultiLineString', coordinates: lines.map((line) => lineOf(line, reading)) },
    };
  }
  throw new BadPlaceFile('the geometry must be a Polygon, MultiPolygon, LineString, MultiLineString or Point');
}

function lineOf(value: unknown, { budget }: GeometryReading): Position[] {
  const positions = listOf(value);
  budget.spend(positions.length);
  if (positions.length < 2) throw new BadPlaceFile('a line has fewer than 2 positions; complete or remove it');
  return positions.map(placePosition);
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new BadPlaceFile('the geometry has no coordinates; draw it, or remove the feature');
  return value;
}

/** Maximum sizes, bytes. A whole layer is in memory while it is drawn and written. */
const LIMITS = { file: 128 * 1024 ** 2, feature: 32 * 1024 ** 2 };
const MOST_FEATURES = 100_000;
const MOST_POSITIONS = 5_000_000;
/** Maximum depth of lists and objects in a property, which is stored as text. */
const MOST_NESTED = 100;

/** Checked vector layer. */
export interface ReadVector {
  readonly features: readonly LayerFeature[];
  readonly columns: readonly TableColumn[];
  readonly shape: LayerShape;
}

type Cell = string | number | null;
type Geometry = LayerFeature['geometry'];

/**
 * Reads the features of a layer, and reports invalid ones; undefined if all are invalid. Throws `validation` for a
 * broken, empty or too large file.
 */
export async function readVector(request: ImportRequest, findings: ImportNotes): Promise<ReadVector | undefined> {
  const [rows, geometries]: [Map<string, Cell>[], Geometry[]] = [[], []];
  const budget = new PositionBudget(MOST_POSITIONS, 'file');
  let shape: LayerShape | undefined;
  for await (const { number: row, feature, problem } of featuresOf(request)) {
    if (rows.length >= MOST_FEATURES) throw badFile(request, `it has more than ${MOST_FEATURES} features; split it.`);
    const value = isObject(feature) ? feature : {};
    const repairs: string[] = [];
    try {
      if (problem !== undefined) throw new BadPlaceFile(problem);
      checkCrs(value, value['geometry']);
      const read = layerGeometry(value['geometry'], { budget, report: (note) => void repairs.push(note) });
      const cells = cellsOf(value['properties'], `feature ${row}`);
      shape ??= read.shape;
      if (read.shape !== shape)
        throw new BadPlaceFile(
          `it is a ${read.shape}, but the first feature is a ${shape}; all features of a layer must have the same kind of geometry`,
        );
      rows.push(cells);
      geometries.push(read.geometry);
      if (repairs.length > 0)
        findings.repair({ source: request.fileName, row, repair: `${repairs.slice(0, 5).join('; ')}.` });
    } catch (error) {
      if (!(error instanceof BadPlaceFile)) throw error;
      if (error instanceof TooMuch) throw badFile(request, `${error.message}.`);
      findings.refuse({
        source: request.fileName,
        row,
        ...(error instanceof BadProperty
          ? { field: error.property, problem: `The feature was left out: ${error.reason}.` }
          : { field: 'geometry', problem: `The feature was left out: ${error.message}.` }),
      });
    }
  }
  if (shape === undefined) {
    if (findings.report.refusedCount === 0)
      throw badFile(request, 'it has no feature; write it again with at least one.');
    return undefined;
  }
  const columns = columnsOf(rows, request);
  const features = rows.map((cells, index) => featureOf(cells, columns, geometries[index]));
  return { features: features.flatMap((feature) => feature ?? []), columns, shape };
}

async function* featuresOf(request: ImportRequest): AsyncGenerator<ReadFeature> {
  const { path, fileName } = request;
  if (!KML_ENDINGS.some((ending) => fileName.toLowerCase().endsWith(ending))) {
    yield* readFeatures(request, LIMITS);
    return;
  }
  const progress = (done: number, total: number): void => {
    throwIfStopped(request);
    request.progress?.(done, total);
  };
  try {
    for await (const read of readKml({ path, fileName, progress }, LIMITS.file))
      yield 'problem' in read
        ? { number: read.row, feature: undefined, problem: read.problem }
        : { number: read.row, feature: read };
  } catch (error) {
    throw error instanceof BadPlaceFile ? badFile(request, `${error.message}.`) : error;
  }
}

function cellsOf(properties: unknown, where: string): Map<string, Cell> {
  const entries = isObject(properties) ? Object.entries(properties) : [];
  return new Map(
    entries.map(([name, value]) => {
      if (isNested(value, MOST_NESTED))
        throw new BadProperty(
          where,
          name.slice(0, 60).toWellFormed(),
          `has lists or objects more than ${MOST_NESTED} deep; remove it`,
        );
      return [name, cellOf(value)];
    }),
  );
}

const isNested = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((each) => isNested(each, most - 1)));

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined || typeof value === 'number') return value ?? null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function columnsOf(rows: readonly ReadonlyMap<string, Cell>[], request: ImportRequest): readonly TableColumn[] {
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  if (names.size > DATA_LIMITS.columns)
    throw badFile(request, `its features have more than ${DATA_LIMITS.columns} properties; remove some.`);
  return [...names].map((name) => {
    if (name === '' || name.length > 200 || name === '__proto__' || name === 'geometry' || !isStorable(name))
      throw badFile(
        request,
        `its features have a property ${JSON.stringify(name.slice(0, 60).toWellFormed())}; rename it.`,
      );
    const values = rows.flatMap((row) => row.get(name) ?? []);
    const isNumber = values.length > 0 && values.every((value) => typeof value === 'number');
    const type = !isNumber ? 'text' : values.every((value) => Number.isSafeInteger(value)) ? 'integer' : 'number';
    return { name, type, description: 'As in the imported file' };
  });
}

function featureOf(
  cells: ReadonlyMap<string, Cell>,
  columns: readonly TableColumn[],
  geometry: Geometry | undefined,
): LayerFeature | undefined {
  if (geometry === undefined) return undefined;
  const entries = columns.map(({ name, type }): [string, Cell] => {
    const cell = cells.get(name) ?? null;
    return [name, cell !== null && type === 'text' ? String(cell) : cell];
  });
  return { type: 'Feature', properties: Object.fromEntries(entries), geometry };
}

/** Throws `validation` if no feature is near the place: such a file belongs elsewhere, or has swapped axes. */
export function checkReaches(
  { features }: ReadVector,
  { box: [west, south, east, north], place }: Pick<ComputedPlace, 'box' | 'place'>,
  request: ImportRequest,
): void {
  const isNear = features.some(({ geometry }) => {
    const [w, s, e, n] = bboxOf(geometry);
    return w <= east && e >= west && s <= north && n >= south;
  });
  if (!isNear)
    throw badFile(
      request,
      `none of its features is near ${place.tehsil.name}; check that the file is of this tehsil, and that its axes are not swapped.`,
    );
}
