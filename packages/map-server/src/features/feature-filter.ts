import { type Cql2Bbox, type Cql2Expression, type Cql2Geometry, cql2Predicate, isCql2Error } from '@headwater/cql2';
import type { MapColumn } from '@headwater/core/ports';
import { ogcError } from '../protocol/ogc-error.ts';
import type { Turn } from '../protocol/turns.ts';
import type { FeatureBox, FeatureTable, MapFeature } from './feature-table.ts';
import { boxOfGeometry } from './feature-table.ts';
import { boxAround, type SpatialTest, spatialTest } from './spatial-tests.ts';

/**
 * A filter of features. `tests`: spatial tests that CQL2 does not have. In the tree, `testName(index)` is the result of
 * a test, `ID_NAME` the id of the feature, `geometry` its geometry.
 */
export interface FeatureFilter {
  readonly tree: Cql2Expression;
  readonly tests: readonly SpatialTest[];
}

/** Property of the tree for the id of a feature. No column can have this name. */
export const ID_NAME = '\u0001id';
/** Property of the tree for the result of a spatial test: true, false or unknown. */
export const testName = (index: number): string => `\u0001test${index}`;
/** Property of the tree for the geometry in spatial operators. */
export const GEOMETRY = { property: 'geometry' } as const;

/** Column with exactly this name. Throws if there is none, so that no condition is ignored. */
export function columnNamed(columns: readonly MapColumn[], name: string, parameter: string): MapColumn {
  const column = columns.find((each) => each.name === name);
  if (column !== undefined) return column;
  const known = columns.slice(0, 20).map((each) => each.name);
  const more = columns.length > known.length ? ' …' : '';
  throw ogcError(
    'InvalidParameterValue',
    parameter,
    `${parameter}: ${JSON.stringify(name.slice(0, 100))} is not a column of the layer; use one of ${known.join(', ')}${more}`,
  );
}

/** Converts a literal to the type of its column. Throws if the literal is not a value of this type. */
export function literalFor(
  column: MapColumn,
  literal: string | number | boolean,
  parameter: string,
): string | number | boolean {
  const { type, name } = column;
  if (type === 'string') return String(literal);
  if (type === 'boolean' && /^(?:true|false)$/i.test(String(literal))) return String(literal).toLowerCase() === 'true';
  const isNumber = typeof literal === 'number' || (typeof literal === 'string' && NUMBER.test(literal.trim()));
  if (type !== 'boolean' && isNumber && Number.isFinite(Number(literal))) return Number(literal);
  const wanted = type === 'boolean' ? 'true or false' : 'a number';
  throw ogcError(
    'InvalidParameterValue',
    parameter,
    `${parameter}: ${JSON.stringify(literal).slice(0, 60)} cannot be compared with the column ${name}; send ${wanted}`,
  );
}

/** Throws unless a column has texts, because patterns match only texts. */
export function demandText({ name, type }: MapColumn, parameter: string): void {
  if (type === 'string') return;
  throw ogcError(
    'InvalidParameterValue',
    parameter,
    `${parameter}: the column ${name} has no texts, so that no pattern can match; compare it with values`,
  );
}

/** Throws unless the values of two columns can be compared. */
export function demandComparable(a: MapColumn, b: MapColumn, parameter: string): void {
  const kind = ({ type }: MapColumn): string => (type === 'integer' ? 'number' : type);
  if (kind(a) === kind(b)) return;
  throw ogcError(
    'InvalidParameterValue',
    parameter,
    `${parameter}: the columns ${a.name} (${a.type}) and ${b.name} (${b.type}) cannot be compared; use columns of one type`,
  );
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** Value to compare. Lists and objects are compared as JSON texts, as CSV, GML and Shapefiles contain them. */
function comparable(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** Time limit of a filter, ms, without the time in which other requests work. */
const LONGEST_MS = 1500;

/** A filter, its parameter, and the time slices of the request. */
export interface Filtering {
  readonly filter: FeatureFilter | undefined;
  readonly parameter: string;
  readonly turn: Turn;
}

/** Returns the matching features in the order of the file. Throws 400 for filters above the limits of size or time. */
export async function matching(table: FeatureTable, filtering: Filtering): Promise<readonly MapFeature[]> {
  const { filter } = filtering;
  if (filter === undefined) return table.features;
  return await matchingOf(candidatesOf(table, filter), filtering);
}

/** Returns the matching features of a list. Throws the errors of `matching`. */
export async function matchingOf(
  features: readonly MapFeature[],
  { filter, parameter, turn }: Filtering,
): Promise<readonly MapFeature[]> {
  if (filter === undefined) return features;
  const isWanted = predicateOf(filter, parameter);
  const found: MapFeature[] = [];
  let [worked, from] = [0, performance.now()];
  for (const feature of features) {
    if (isWanted(feature)) found.push(feature);
    if (!turn.isOver()) continue;
    worked += performance.now() - from;
    if (worked > LONGEST_MS)
      throw ogcError(
        'NoApplicableCode',
        parameter,
        `${parameter}: the filter takes longer than ${LONGEST_MS} ms; send one with fewer or smaller shapes, or add a box`,
      );
    await turn.next();
    from = performance.now();
  }
  return found;
}

/** Features that touch a box of the filter; all features if the filter has no boxes. */
function candidatesOf(table: FeatureTable, filter: FeatureFilter): readonly MapFeature[] {
  const boxes = boxesOf(filter, filter.tree);
  if (boxes === undefined) return table.features;
  const indexes = [...new Set(boxes.flatMap((box) => table.inBox(box)))].toSorted((a, b) => a - b);
  return indexes.flatMap((index) => table.features[index] ?? []);
}

/** Compiles a filter. */
export function predicateOf({ tree, tests }: FeatureFilter, parameter: string): (feature: MapFeature) => boolean {
  const compiled = new Map(tests.map((test, index) => [testName(index), spatialTest(test)]));
  try {
    return cql2Predicate<MapFeature>(tree, {
      property: (feature, name) => {
        if (name === ID_NAME) return feature.id;
        const test = compiled.get(name);
        if (test !== undefined) return test(feature);
        return Object.hasOwn(feature.properties, name) ? comparable(feature.properties[name]) : undefined;
      },
      geometry: ({ geometry }) => geometry,
    });
  } catch (error) {
    throw refusal(error, parameter);
  }
}

/** Converts an error of the CQL2 parser to an error about a parameter; other errors stay unchanged. */
export function refusal(error: unknown, parameter: string): unknown {
  if (!isCql2Error(error)) return error;
  const { found, expected, remedy } = error.details;
  return ogcError('InvalidParameterValue', parameter, `${parameter}: found ${found}, expected ${expected}. ${remedy}`);
}

/** Boxes of which each matching feature touches at least one; undefined if a matching feature may be anywhere. */
function boxesOf(filter: FeatureFilter, tree: Cql2Expression): readonly FeatureBox[] | undefined {
  if (typeof tree === 'boolean') return undefined;
  if (tree.op === 'and') return tree.args.map((each) => boxesOf(filter, each)).find((boxes) => boxes !== undefined);
  if (tree.op === 's_intersects') {
    const shape = tree.args.find((arg) => !('property' in arg));
    return shape === undefined || 'property' in shape ? undefined : boxesOfShape(shape);
  }
  if (tree.op !== '=') return undefined;
  const [property, value] = tree.args;
  if (value !== true || typeof property !== 'object' || !('property' in property)) return undefined;
  const index = filter.tests.findIndex((_test, at) => testName(at) === property.property);
  const test = filter.tests[index];
  if (test === undefined) return undefined;
  const boxes = boxesOfShape(test.geometry);
  // A matching feature of DWITHIN may be outside of the box of the shape, so the box is enlarged by the distance.
  return test.op === 'dwithin' ? boxes.map((box) => boxAround(box, test.metres)) : boxes;
}

function boxesOfShape(shape: Cql2Geometry | Cql2Bbox): readonly FeatureBox[] {
  if (!('bbox' in shape)) {
    const box = boxOfGeometry(shape as Parameters<typeof boxOfGeometry>[0]);
    return box === null ? [] : [box];
  }
  // A box with heights has six numbers.
  const [w, s, e, n] =
    shape.bbox.length === 6 ? [shape.bbox[0], shape.bbox[1], shape.bbox[3], shape.bbox[4]] : shape.bbox;
  if (w <= e) return [[w, s, e, n]];
  return [
    [w, s, 180, n],
    [-180, s, e, n],
  ];
}
