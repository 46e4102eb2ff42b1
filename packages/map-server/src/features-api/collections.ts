import type { MapColumn, MapLayer, MapLayers } from '@headwater/core/ports';
import type { FeatureTable } from '../features/feature-table.ts';
import { ogcAbsent } from '../protocol/ogc-error.ts';

/** Coordinate systems of responses and of `bbox`. */
export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
export const CRS3857 = 'http://www.opengis.net/def/crs/EPSG/0/3857';

const GEOJSON = 'application/geo+json';
const SCHEMA = 'application/schema+json';

const idOf = ({ workspace, name }: MapLayer): string => `${workspace}:${name}`;

/** Address of a collection. */
export function collectionAddress(layer: MapLayer, base: string): string {
  return `${base}/collections/${encodeURIComponent(layer.workspace)}:${encodeURIComponent(layer.name)}`;
}

/** Vector layer of a collection; throws if there is none. */
export async function layerOf(layers: MapLayers, id: string): Promise<MapLayer> {
  const colon = id.indexOf(':');
  const layer = colon < 1 ? undefined : await layers.find(id.slice(0, colon), id.slice(colon + 1));
  if (layer?.kind === 'vector') return layer;
  const problem = layer === undefined ? 'is not published' : 'is a raster, which has no features';
  throw ogcAbsent(
    'NotFound',
    'collectionId',
    `collectionId: the layer "${id.slice(0, 200)}" ${problem}; use an id of /collections, such as workspace:layer`,
  );
}

/** Description of a collection. */
export function collectionOf(layer: MapLayer, base: string) {
  const { title, abstract, box, interval, itemHref } = layer;
  const address = collectionAddress(layer, base);
  const json = 'application/json';
  const described = { type: SCHEMA, title: 'Schema of the features', href: `${address}/schema` };
  return {
    id: idOf(layer),
    title,
    description: abstract,
    itemType: 'feature',
    extent: {
      ...(box === null ? {} : { spatial: { bbox: [box], crs: CRS84 } }),
      ...(interval === null
        ? {}
        : {
            temporal: {
              interval: [[interval.start, interval.end]],
              trs: 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian',
            },
          }),
    },
    crs: [CRS84, CRS3857],
    storageCrs: CRS84,
    links: [
      { rel: 'self', type: json, title: 'This collection', href: address },
      { rel: 'items', type: GEOJSON, title: 'Features', href: `${address}/items` },
      { rel: 'describedby', ...described },
      // The link is repeated with a capital B, because GDAL before 3.8 finds only this spelling.
      { rel: 'describedBy', ...described },
      {
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables',
        type: SCHEMA,
        title: 'Properties for filters',
        href: `${address}/queryables`,
      },
      ...(itemHref === null
        ? []
        : [{ rel: 'related', type: GEOJSON, title: 'STAC Item of the layer', href: itemHref }]),
    ],
  };
}

/**
 * Link to the OpenAPI document. The media type names OpenAPI 3.0 although the document is 3.1, because OWSLib finds
 * only this type.
 */
export const serviceDescription = (href: string) => ({
  rel: 'service-desc',
  type: 'application/vnd.oai.openapi+json;version=3.0',
  title: 'OpenAPI document of the service',
  href,
});

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema of a feature. Types have no `null`, because GDAL would read a list of types as text. */
export function schemaOf(layer: MapLayer, table: FeatureTable, base: string) {
  const { title, abstract } = layer;
  const properties = Object.fromEntries(table.columns.map((column) => [column.name, propertyOf(column, table)]));
  return {
    $schema: DRAFT,
    $id: `${collectionAddress(layer, base)}/schema`,
    title,
    description: abstract,
    type: 'object',
    required: ['type', 'id', 'geometry', 'properties'],
    properties: {
      type: { type: 'string', enum: ['Feature'] },
      id: { type: 'string' },
      geometry: { $ref: `https://geojson.org/schema/${table.geometryType}.json` },
      properties: { type: 'object', properties },
    },
  };
}

/** JSON Schema of the properties for filters. */
export function queryablesOf(layer: MapLayer, table: FeatureTable, base: string) {
  const columns = Object.fromEntries(table.columns.map((column) => [column.name, propertyOf(column, table)]));
  return {
    $schema: DRAFT,
    $id: `${collectionAddress(layer, base)}/queryables`,
    title: layer.title,
    type: 'object',
    properties: { ...columns, geometry: { format: 'geometry-any', 'x-ogc-role': 'primary-geometry' } },
    additionalProperties: false,
  };
}

/** Largest value of GDAL's integer columns. */
const INT32 = 2 ** 31 - 1;

function propertyOf({ name, type, description }: MapColumn, { features }: FeatureTable) {
  const isLarge =
    type === 'integer' &&
    features.some(({ properties }) => Object.hasOwn(properties, name) && Math.abs(Number(properties[name])) > INT32);
  const typed = { type: isLarge ? 'number' : type };
  return description === undefined ? typed : { ...typed, description };
}
