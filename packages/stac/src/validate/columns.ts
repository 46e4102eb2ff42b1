import { isList, isObject } from '../json.ts';
import type { Finding } from '../finding.ts';
import { at, brief } from './report.ts';

/** A GeoJSON feature as far as columns go. */
export interface FeatureLike {
  readonly properties?: unknown;
  readonly geometry?: unknown;
}

type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'geometry' | 'any';

/** Column types of numpy, Parquet and JSON Schema, and what JSON value each stands for. */
const KINDS: Readonly<Record<string, Kind>> = {
  object: 'text',
  str: 'text',
  string: 'text',
  utf8: 'text',
  byte_array: 'text',
  int8: 'integer',
  int16: 'integer',
  int32: 'integer',
  int64: 'integer',
  uint8: 'integer',
  uint16: 'integer',
  uint32: 'integer',
  uint64: 'integer',
  integer: 'integer',
  float32: 'number',
  float64: 'number',
  float: 'number',
  double: 'number',
  number: 'number',
  bool: 'boolean',
  boolean: 'boolean',
  datetime64: 'time',
  date: 'time',
  timestamp: 'time',
  geometry: 'geometry',
  polygon: 'geometry',
  multipolygon: 'geometry',
  point: 'geometry',
};

interface Column {
  readonly pointer: string;
  readonly name: string;
  readonly type: string;
}

/**
 * Compares an Item's `table:columns` with real features: columns that no feature has, properties that no column names,
 * values that drift from the column's type (one finding per column, with the first such value). Null fits every type.
 * A geometry column stands for the feature's geometry. No features at all differ in nothing. Findings carry rule `columns.*`. Does not throw.
 */
export function checkColumns(item: object, features: Iterable<FeatureLike>): Finding[] {
  const columns = columnsIn(item);
  const attributes = new Map(
    columns.filter((column) => kindOf(column) !== 'geometry').map((column) => [column.name, column]),
  );
  const seen = { names: new Set<string>(), extra: new Map<string, unknown>(), drift: new Map<string, string>() };
  let [index, geometries] = [0, 0];
  for (const feature of features) {
    if (hasGeometry(feature)) geometries += 1;
    readFeature({ attributes, seen, index }, feature);
    index += 1;
  }
  if (index === 0) return [];
  return [
    ...columns.flatMap((column) =>
      missing(column, kindOf(column) === 'geometry' ? geometries > 0 : seen.names.has(column.name)),
    ),
    ...[...seen.extra].map(([name, value]) =>
      fault('/properties/table:columns', 'columns.extra', `property ${name} = ${brief(value)}`),
    ),
    ...columns.flatMap((column) => drifted(column, seen.drift.get(column.name))),
  ];
}

/** Features are somebody's answer: one may be null, or no object. */
const hasGeometry = (feature: unknown): boolean =>
  isObject(feature) && feature['geometry'] !== undefined && feature['geometry'] !== null;

interface Reading {
  readonly attributes: ReadonlyMap<string, Column>;
  readonly seen: {
    readonly names: Set<string>;
    readonly extra: Map<string, unknown>;
    readonly drift: Map<string, string>;
  };
  readonly index: number;
}

function readFeature({ attributes, seen, index }: Reading, feature: unknown): void {
  if (!isObject(feature) || !isObject(feature['properties'])) return;
  for (const [name, value] of Object.entries(feature['properties'])) {
    const column = attributes.get(name);
    seen.names.add(name);
    if (column === undefined) {
      if (!seen.extra.has(name)) seen.extra.set(name, value);
    } else if (!seen.drift.has(name) && !fits(value, kindOf(column))) {
      seen.drift.set(name, `${brief(value)} in feature ${String(index)}`);
    }
  }
}

function columnsIn(item: object): readonly Column[] {
  const properties: unknown = 'properties' in item ? item.properties : undefined;
  const columns = isObject(properties) && isList(properties['table:columns']) ? properties['table:columns'] : [];
  // One whose name or type is no text is told of by the rules of its list.
  return columns.flatMap((column, index) =>
    isObject(column) && typeof column['name'] === 'string' && typeof column['type'] === 'string'
      ? [{ pointer: at('/properties/table:columns', index), name: column['name'], type: column['type'] }]
      : [],
  );
}

function kindOf(column: Column): Kind {
  const key = column.type.toLowerCase();
  return Object.hasOwn(KINDS, key) ? (KINDS[key] ?? 'any') : 'any';
}

function fits(value: unknown, kind: Kind): boolean {
  if (value === undefined || value === null || kind === 'any' || kind === 'geometry') return true;
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'integer') return Number.isInteger(value);
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
}

function missing(column: Column, isThere: boolean): Finding[] {
  return isThere ? [] : [fault(column.pointer, 'columns.missing', `no feature has ${column.name}`)];
}

function drifted(column: Column, drift: string | undefined): Finding[] {
  return drift === undefined
    ? []
    : [
        {
          ...fault(column.pointer, 'columns.type', drift),
          expected: `${column.name}: ${column.type}`,
          fix: 'correct the column or the data',
        },
      ];
}

function fault(pointer: string, rule: string, got: string): Finding {
  return {
    pointer,
    rule,
    severity: 'error',
    got,
    expected: 'columns and properties that name the same fields',
    fix: 'list every output field, and no other',
    source: 'spec',
  };
}
