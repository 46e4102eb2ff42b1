import { otherCrsOf } from '@headwater/core/geo';
import type { MultiPolygon, Point, Polygon, Position } from 'geojson';
import { shown } from '../legend/parse-legend.ts';
import {
  badLabels,
  checkedLabel,
  checkedPosition,
  checkedYear,
  fault,
  Faults,
  MOST_LABELS,
  type ReferenceLabel,
} from './labels.ts';

/** Names of the properties (in CSV: columns) with label and year; default: `label` and `year`. */
export interface LabelProperties {
  readonly label?: string;
  readonly year?: string;
}

const MOST_POSITIONS = 5_000_000;

/**
 * Parses labels from a FeatureCollection (RFC 7946) of points and polygons. Throws `validation` with the invalid
 * features.
 */
export function geojsonLabels(value: unknown, properties: LabelProperties = {}): readonly ReferenceLabel[] {
  const { type, features } = recordOf(value);
  if (type !== 'FeatureCollection' || !Array.isArray(features))
    throw badLabels('it must be a GeoJSON FeatureCollection with a list of features');
  const otherCrs = otherCrsOf(value);
  if (otherCrs !== undefined) throw badLabels(crsProblem(otherCrs));
  if (features.length === 0) throw badLabels('features is empty; it needs at least one label');
  if (features.length > MOST_LABELS) throw badLabels(`it has more than ${MOST_LABELS} features; split it`);
  const faults = new Faults();
  const budget = { left: MOST_POSITIONS };
  const labels = features.flatMap((feature: unknown, i) => {
    const where = `features[${i}]`;
    return faults.at(where, () => labelsOf(feature, where, { properties, budget })) ?? [];
  });
  if (budget.left < 0) throw badLabels(`it has more than ${MOST_POSITIONS} positions; simplify it or split it`);
  faults.throwIfAny();
  return labels;
}

interface Reading {
  readonly properties: LabelProperties;
  readonly budget: { left: number };
}

function labelsOf(feature: unknown, where: string, { properties, budget }: Reading): ReferenceLabel[] {
  const { type, geometry, properties: values } = recordOf(feature);
  if (type !== 'Feature') throw fault('type must be Feature');
  const otherCrs = otherCrsOf(feature, geometry);
  if (otherCrs !== undefined) throw fault(crsProblem(otherCrs));
  const [labelName, yearName] = [properties.label ?? 'label', properties.year ?? 'year'];
  const held = recordOf(values);
  const label = checkedLabel(own(held, labelName), `properties.${labelName}`);
  const year = checkedYear(own(held, yearName), `properties.${yearName}`);
  return geometriesOf(geometry, budget).map((each) => ({ label, year, geometry: each, where }));
}

function geometriesOf(value: unknown, budget: Reading['budget']): (Point | Polygon | MultiPolygon)[] {
  const { type, coordinates } = recordOf(value);
  if (type === 'Point') return [{ type, coordinates: positionOf(coordinates, budget) }];
  if (type === 'MultiPoint')
    return listOf(coordinates, 'position').map((each) => ({ type: 'Point', coordinates: positionOf(each, budget) }));
  if (type === 'Polygon') return [{ type, coordinates: ringsOf(coordinates, budget) }];
  if (type === 'MultiPolygon')
    return [{ type, coordinates: listOf(coordinates, 'polygon').map((each) => ringsOf(each, budget)) }];
  const found = typeof type === 'string' ? shown(type) : 'none';
  throw fault(`geometry.type must be Point, MultiPoint, Polygon or MultiPolygon, it is ${found}`);
}

function ringsOf(value: unknown, budget: Reading['budget']): Position[][] {
  return listOf(value, 'ring').map((ring, r) => {
    const positions = listOf(ring, 'position').map((each) => positionOf(each, budget));
    const [first, last] = [positions[0], positions.at(-1)];
    if (positions.length < 4) throw fault(`ring ${r} has ${positions.length} positions; a ring needs at least 4`);
    if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1])
      throw fault(`ring ${r} is open; its last position must be its first`);
    return positions;
  });
}

function positionOf(value: unknown, budget: Reading['budget']): Position {
  budget.left -= 1;
  const [lon, lat]: unknown[] = Array.isArray(value) ? value : [];
  if (typeof lon !== 'number' || typeof lat !== 'number' || !Number.isFinite(lon + lat))
    throw fault('geometry.coordinates: a position must be two numbers, longitude and latitude');
  return [...checkedPosition(lon, lat)];
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw fault(`geometry.coordinates needs at least one ${what}`);
  return value;
}

const crsProblem = (name: string): string =>
  `its member crs names another CRS than longitude/latitude (${shown(name)}); convert with ogr2ogr -t_srs EPSG:4326`;

function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
