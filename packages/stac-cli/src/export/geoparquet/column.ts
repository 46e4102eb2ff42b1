import { isObject } from '@headwater/stac';
import type { SchemaElement } from 'hyparquet-writer';
import type { Shape } from './shape.ts';

const UTC = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00:00)$/i;

/** True for a time in UTC. */
export function isUtcTime(text: unknown): text is string {
  const [, seconds] = typeof text === 'string' ? (UTC.exec(text) ?? []) : [];
  return seconds !== undefined && Number.isFinite(Date.parse(`${seconds}Z`));
}

/** True if a UTC time has digits below a microsecond. */
export function isFinerThanMicros(text: string): boolean {
  const [, , fraction = ''] = UTC.exec(text) ?? [];
  return /[1-9]/.test(fraction.slice(6));
}

/** Microseconds from 1970 to a UTC time; finer digits are cut. */
export function microsOf(text: string): bigint {
  const [, seconds = '', fraction = ''] = UTC.exec(text) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

/** Type of a column: the common type of its values, or a type of stac-geoparquet. */
export type ColumnShape = Shape | { readonly kind: 'time' | 'wkb' };

/** Schema elements of an optional column, followed by the elements of its members. */
export function elementsOf(name: string, shape: ColumnShape): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  switch (shape.kind) {
    case 'boolean':
      return [{ ...optional, type: 'BOOLEAN' }];
    case 'integer':
      return [{ ...optional, type: 'INT64' }];
    case 'number':
      return [{ ...optional, type: 'DOUBLE' }];
    case 'wkb':
      return [{ ...optional, type: 'BYTE_ARRAY' }];
    case 'time':
      return [
        { ...optional, type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
      ];
    case 'list':
      return listElements(optional, shape.element);
    case 'object':
      return objectElements(optional, shape.members);
    default:
      return [{ ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
  }
}

type Named = Pick<SchemaElement, 'name' | 'repetition_type'>;

function listElements(named: Named, element: Shape): SchemaElement[] {
  return [
    { ...named, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...elementsOf('element', element),
  ];
}

function objectElements(named: Named, members: ReadonlyMap<string, Shape>): SchemaElement[] {
  if (members.size === 0) return [{ ...named, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
  const below = [...members].flatMap(([name, shape]) => elementsOf(name, shape));
  return [{ ...named, num_children: members.size }, ...below];
}

/** Value converted for a column. */
export function valueIn(shape: ColumnShape, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  switch (shape.kind) {
    case 'integer':
      return BigInt(Number(value));
    case 'time':
      return typeof value === 'string' ? microsOf(value) : undefined;
    case 'json':
      return JSON.stringify(value);
    case 'list':
      return Array.isArray(value) ? value.map((each: unknown) => valueIn(shape.element, each)) : undefined;
    case 'object':
      return shape.members.size === 0 ? JSON.stringify(value) : objectIn(shape.members, value);
    default:
      return value;
  }
}

function objectIn(members: ReadonlyMap<string, Shape>, value: unknown): object {
  const holder = isObject(value) ? value : {};
  return Object.fromEntries(
    [...members].map(([name, shape]) => [name, Object.hasOwn(holder, name) ? valueIn(shape, holder[name]) : undefined]),
  );
}
