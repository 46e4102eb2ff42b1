import { mayHold } from '../media-types.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import type { Finding } from '../errors.ts';
import { brief } from '../brief.ts';
import { at } from './report.ts';

/** Members of a GeoJSON feature that are compared with columns. */
export interface FeatureLike {
  readonly properties?: unknown;
  readonly geometry?: unknown;
}

type Kind = 'text' | 'object' | 'integer' | 'number' | 'boolean' | 'time' | 'geometry' | 'any';

/** Kinds of JSON values by type name, from numpy, pandas, Parquet, SQL and JSON Schema. */
const KINDS: Readonly<Record<string, Kind>> = {
  // `object` is numpy's type of text, lists and objects.
  object: 'object',
  category: 'text',
  char: 'text',
  text: 'text',
  varchar: 'text',
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
  int: 'integer',
  long: 'integer',
  integer: 'integer',
  float32: 'number',
  float64: 'number',
  float: 'number',
  double: 'number',
  number: 'number',
  decimal: 'number',
  numeric: 'number',
  real: 'number',
  bool: 'boolean',
  boolean: 'boolean',
  datetime: 'time',
  datetime64: 'time',
  date: 'time',
  timestamp: 'time',
  timestamptz: 'time',
  geometry: 'geometry',
  polygon: 'geometry',
  multipolygon: 'geometry',
  point: 'geometry',
};

interface Column {
  readonly pointer: string;
  readonly name: string;
  readonly type: string;
  readonly plainType: string;
  readonly kind: Kind;
}

/** A list of features, or a GeoJSON FeatureCollection. */
export type Features = Iterable<FeatureLike> | { readonly features: Iterable<FeatureLike> };

/**
 * Compares the columns of an Item with features. Reports columns that no feature has, properties without a column, and
 * values of another type.
 */
export function checkColumns(item: object, input: Features): Finding[] {
  const features = featuresOf(input);
  if (features === undefined) return [invalidFeatures(input)];
  const holder = holderOf(item);
  const columns = columnsIn(holder);
  const attributes = new Map(columns.filter(({ kind }) => kind !== 'geometry').map((column) => [column.name, column]));
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
      missing(column, column.kind === 'geometry' ? geometries > 0 : seen.names.has(column.name)),
    ),
    ...[...seen.extra].map(([name, value]) =>
      fault(at(holder.pointer, 'table:columns'), 'columns.extra', `property ${name} = ${brief(value)}`),
    ),
    ...columns.flatMap((column) => drifted(column, seen.drift.get(column.name))),
    ...columns.flatMap((column) => (isCompared(column) || !seen.names.has(column.name) ? [] : [uncompared(column)])),
  ];
}

function featuresOf(input: unknown): Iterable<unknown> | undefined {
  const list = isObject(input) && 'features' in input ? input['features'] : input;
  return isIterable(list) ? list : undefined;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function invalidFeatures(input: unknown): Finding {
  return {
    pointer: '',
    rule: 'columns.features',
    severity: 'error',
    got: brief(input),
    expected: 'a list of features, or a FeatureCollection',
    fix: 'pass the parsed features',
    source: 'headwater',
  };
}

/** True for a feature with a geometry. A feature may be null, because features are not validated. */
const hasGeometry = (feature: unknown): boolean =>
  isObject(feature) && feature['geometry'] !== undefined && feature['geometry'] !== null;

interface ColumnComparison {
  readonly attributes: ReadonlyMap<string, Column>;
  readonly seen: {
    readonly names: Set<string>;
    readonly extra: Map<string, unknown>;
    readonly drift: Map<string, string>;
  };
  readonly index: number;
}

function readFeature({ attributes, seen, index }: ColumnComparison, feature: unknown): void {
  if (!isObject(feature) || !isObject(feature['properties'])) return;
  for (const [name, value] of Object.entries(feature['properties'])) {
    const column = attributes.get(name);
    seen.names.add(name);
    if (column === undefined) {
      if (!seen.extra.has(name)) seen.extra.set(name, value);
    } else if (!seen.drift.has(name) && !fits(value, column)) {
      seen.drift.set(name, `${brief(value)} in feature ${String(index)}`);
    }
  }
}

interface Holder {
  readonly pointer: string;
  readonly fields: JsonObject;
}

/**
 * Object with the columns: the Item's properties, or else the first asset with columns. Headwater writes columns in
 * the properties; other producers write them on assets.
 */
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
  // Columns without a name are skipped, because other rules report them. A column without type accepts any value.
  return columns.flatMap((column, index) => {
    if (!isObject(column) || typeof column['name'] !== 'string') return [];
    const { name } = column;
    const type = typeof column['type'] === 'string' ? column['type'] : '';
    const plainType = plainTypeOf(type);
    // The column that `table:primary_geometry` names is a geometry, whatever its type is.
    return [
      { pointer: at(here, index), name, type, plainType, kind: name === geometry ? 'geometry' : kindOf(plainType) },
    ];
  });
}

/** Type name without size and namespace: `varchar(80)` becomes `varchar`, `xsd:date` becomes `date`. */
function plainTypeOf(type: string): string {
  return type
    .toLowerCase()
    .replace(/[[(<].*$/s, '')
    .replace(/^.*[.:]/s, '')
    .trim();
}

function kindOf(plainType: string): Kind {
  return Object.hasOwn(KINDS, plainType) ? (KINDS[plainType] ?? 'any') : 'any';
}

/**
 * False for a type name that is not in `KINDS`, because values cannot be compared with it. A missing type counts as
 * compared, because other rules report it.
 */
function isCompared(column: Column): boolean {
  return column.type.trim() === '' || column.kind !== 'any';
}

function fits(value: unknown, { kind, plainType }: Column): boolean {
  if (value === undefined || value === null || kind === 'any' || kind === 'geometry') return true;
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'object') return typeof value === 'string' || typeof value === 'object';
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'integer') return Number.isInteger(value) && isInRange(Number(value), plainType);
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
}

function isInRange(value: number, type: string): boolean {
  return mayHold(type, value) && !(type === 'uint64' && value < 0);
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

function uncompared({ pointer, name, type }: Column): Finding {
  return {
    pointer: at(pointer, 'type'),
    rule: 'columns.type-unchecked',
    severity: 'info',
    got: `${name}: ${type}`,
    expected: 'a type of numpy, Parquet or JSON Schema, such as object, int64, float64, bool, datetime64',
    fix: 'use one of these types; the values of this column were not compared',
    source: 'headwater',
  };
}

function fault(pointer: string, rule: string, got: string): Finding {
  return {
    pointer,
    rule,
    severity: 'error',
    got,
    expected: 'columns and properties with the same names',
    fix: 'list exactly the properties of the features',
    source: 'spec',
  };
}
