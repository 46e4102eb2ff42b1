import type { Geometry } from 'geojson';
import type { WorldFeature } from './map-world.fixture.ts';

/** Rounds numbers to nine decimals, as a replacer for `JSON.stringify`. */
export const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value;

/**
 * Type and parts of a geometry. A geometry such as a Polygon is returned as a list of one part, so that it equals a
 * MultiPolygon with one part.
 */
export function partsOf(geometry: Geometry | null): unknown {
  if (geometry === null) return null;
  if (geometry.type === 'GeometryCollection') return geometry.geometries.map(partsOf);
  const type = geometry.type.replace('Multi', '');
  const parts = geometry.type.startsWith('Multi') ? geometry.coordinates : [geometry.coordinates];
  return { type, parts: parts.flat(Infinity).length === 0 ? [] : JSON.parse(JSON.stringify(parts, rounded)) };
}

/** Decodes an XML name of GML or its schema to the original name. */
export const fromXmlName = (name: string): string =>
  name.replace(/_x([0-9A-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Encodes a name as an XML name, as GML and its schema contain it. */
export const toXmlName = (name: string): string =>
  name.replaceAll(
    /^\d|[^\w.-]/g,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );

const OWN_IDS: ReadonlySet<string> = new Set(['gml_id', 'fid', 'id', 'mvt_id']);

/** Features that can be compared: names of columns are decoded, missing values and ids of the client are removed, geometries are lists of parts. */
export function comparable(
  features: readonly WorldFeature[],
): readonly { readonly properties: Readonly<Record<string, unknown>>; readonly geometry: unknown }[] {
  return features.map(({ properties, geometry }) => {
    const values = Object.entries(properties)
      .filter(([name, value]) => !OWN_IDS.has(name) && value !== null)
      .map(([name, value]) => [fromXmlName(name), rounded('', value)]);
    return { properties: Object.fromEntries(values), geometry: partsOf(geometry) };
  });
}
