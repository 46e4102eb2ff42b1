import type { MapFeature } from '../features/feature-table.ts';
import { codeOf, inSrs } from './coordinates.ts';
import type { FeatureResponse } from './request.ts';

/** Yields features as a FeatureCollection like GeoServer's. Coordinates are lon/lat or metres. */
export function* geoJsonTexts(response: FeatureResponse): Generator<string> {
  const { layer, features, srs, numberMatched, timeStamp } = response;
  const propertiesOf = picker(response);
  yield '{"type":"FeatureCollection","features":[';
  let separator = '';
  for (const feature of features) {
    const text = JSON.stringify({
      type: 'Feature',
      id: feature.id,
      geometry: inSrs(feature.geometry, srs),
      geometry_name: layer.geometryName,
      properties: propertiesOf(feature),
    });
    yield `${separator}${text}`;
    separator = ',';
  }
  const end = {
    totalFeatures: numberMatched,
    numberMatched,
    numberReturned: features.length,
    timeStamp: timeStamp.toISOString(),
    crs: {
      type: 'name',
      properties: { name: `urn:ogc:def:crs:EPSG::${codeOf(srs)}` },
    },
  };
  yield `],${JSON.stringify(end).slice(1)}`;
}

/** Function that selects the properties of a feature. If the response has all columns, properties are not copied. */
function picker({ table, columns }: FeatureResponse): (feature: MapFeature) => MapFeature['properties'] {
  const names = new Set(columns.map(({ name }) => name));
  if (table.columns.every(({ name }) => names.has(name))) return ({ properties }) => properties;
  return ({ properties }) =>
    Object.fromEntries(
      [...names].filter((name) => Object.hasOwn(properties, name)).map((name) => [name, properties[name]]),
    );
}
