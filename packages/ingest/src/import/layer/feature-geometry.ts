import { featureGeometry } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import type { LayerFeature } from '@headwater/layer-kit';
import type { Position } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { type GeometryReading, placePolygons, placePosition, toGeometry } from '../../places/place-geometry.ts';

/** What features of a layer are: all of them the same. */
export type LayerShape = 'polygon' | 'line' | 'point';

/** Checks a geometry of a file (RFC 7946), lon/lat; polygons are mended, which is told. Throws `BadPlaceFile` for what cannot be shown, `TooMuch` beyond the budget. */
export function layerGeometry(
  value: unknown,
  reading: GeometryReading,
): { readonly shape: LayerShape; readonly geometry: LayerFeature['geometry'] } {
  if (!isObject(value)) throw new BadPlaceFile('it has no geometry');
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
  if (positions.length < 2) throw new BadPlaceFile('a line needs 2 positions or more');
  return positions.map(placePosition);
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw new BadPlaceFile('the geometry has no coordinates');
  return value;
}
