import type { Geometry } from 'geojson';
import type { WorldFeature } from './map-world.fixture.ts';

/** Rounds numbers to nine decimals, as a replacer for `JSON.stringify`. */
export const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value;

/** Returns type and parts of a geometry, so that a Polygon equals a MultiPolygon with one part. */
export function partsOf(geometry: Geometry | null): unknown {
  if (geometry === null) return null;
  if (geometry.type === 'GeometryCollection') return geometry.geometries.map(partsOf);
  const type = geometry.type.replace('Multi', '');
  const parts = geometry.type.startsWith('Multi') ? geometry.coordinates : [geometry.coordinates];
  return { type, parts: parts.flat(Infinity).length === 0 ? [] : JSON.parse(JSON.stringify(parts, rounded)) };
}

/** Decodes an XML name of GML to the original name. */
export const fromXmlName = (name: string): string =>
  name.replace(/_x([0-9A-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Encodes a name as an XML name, as in GML. */
export const toXmlName = (name: string): string =>
  name.replaceAll(
    /^\d|[^\w.-]/g,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );

const OWN_IDS: ReadonlySet<string> = new Set(['gml_id', 'fid', 'id', 'mvt_id']);

/** Returns features that can be compared: original names, no missing values or ids, geometries as lists of parts. */
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
