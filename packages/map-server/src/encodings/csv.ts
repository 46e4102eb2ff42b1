import type { Geometry, Position } from 'geojson';
import { inSrs } from './coordinates.ts';
import { cellText, type FeatureResponse, valueOf } from './request.ts';

/**
 * Yields features as CSV (RFC 4180): id, columns, geometry as WKT. Missing value: empty cell; empty text: `""`.
 * Formulas are not escaped, because programs must receive the stored data.
 */
export function* csvTexts({ layer, features, columns, srs }: FeatureResponse): Generator<string> {
  const names = columns.map(({ name }) => name);
  yield csvLine(['FID', ...names, layer.geometryName]);
  for (const feature of features) {
    const { id, box } = feature;
    const geometry = box === null ? null : inSrs(feature.geometry, srs);
    yield csvLine([id, ...names.map((name) => valueOf(feature, name)), geometry === null ? undefined : wkt(geometry)]);
  }
}

/** A line of CSV with its line break. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (value === undefined) return '';
  const text = cellText(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Well-known text, two coordinates per position. */
export function wkt(geometry: Geometry): string {
  const name = geometry.type.toUpperCase();
  if (geometry.type !== 'GeometryCollection') {
    const text = nested(geometry.coordinates);
    return `${name} ${geometry.type === 'Point' ? `(${text})` : text}`;
  }
  if (geometry.geometries.length === 0) return `${name} EMPTY`;
  return `${name} (${geometry.geometries.map(wkt).join(', ')})`;
}

type Nested = Position | readonly Nested[];

function nested(coordinates: Nested): string {
  if (coordinates.length === 0) return 'EMPTY';
  if (typeof coordinates[0] === 'number') return `${coordinates[0]} ${String(coordinates[1])}`;
  return `(${(coordinates as readonly Nested[]).map(nested).join(', ')})`;
}
