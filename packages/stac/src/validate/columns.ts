import { isList, isObject, type JsonObject } from '../json.ts';
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
  /** True where the Item says so, whatever the type is called. */
  readonly isGeometry: boolean;
}

/**
 * Compares an Item's `table:columns` with real features: columns that no feature has, properties that no column names,
 * values that drift from the column's type (one finding per column, with the first such value). Null fits every type.
 * A geometry column stands for the feature's geometry. No features at all differ in nothing. Findings carry rule `columns.*`. Does not throw.
 */
export function checkColumns(item: object, features: Iterable<FeatureLike>): Finding[] {
  const holder = holderOf(item);
  const columns = columnsIn(holder);
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
      fault(at(holder.pointer, 'table:columns'), 'columns.extra', `property ${name} = ${brief(value)}`),
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

/** Where an Item has its columns, and the fields of the table extension beside them. */
interface Holder {
  readonly pointer: string;
  readonly fields: JsonObject;
}

/** In the properties, or on the first asset that has them, as others write it. */
function holderOf(item: object): Holder {
  const { properties, assets } = { properties: undefined, assets: undefined, ...item };
  const own: Holder = { pointer: '/properties', fields: isObject(properties) ? properties : {} };
  if (own.fields['table:columns'] !== undefined || !isObject(assets)) return own;
  for (const [key, asset] of Object.entries(assets))
    if (isObject(asset) && isList(asset['table:columns'])) return { pointer: at('/assets', key), fields: asset };
  return own;
}

function columnsIn({ pointer, fields }: Holder): readonly Column[] {
  const { 'table:columns': columns, 'table:primary_geometry': geometry } = fields;
  if (!isList(columns)) return [];
  const here = at(pointer, 'table:columns');
  // One whose name is no text is told of by the rules of its list; so is one without a type, which then may be any.
  return columns.flatMap((column, index) => {
    if (!isObject(column) || typeof column['name'] !== 'string') return [];
    const { name, type } = column;
    return [
      { pointer: at(here, index), name, type: typeof type === 'string' ? type : '', isGeometry: name === geometry },
    ];
  });
}

function kindOf(column: Column): Kind {
  if (column.isGeometry) return 'geometry';
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
