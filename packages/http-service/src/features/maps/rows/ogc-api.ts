import { EXAMPLE_LAYERS } from '../../../rows/example-world.ts';
import type { Operation, OperationExample } from '../../../rows/operation.ts';
import { ownMapServer } from '../../../wire/paths.ts';
import { type Parameters, parameter } from '../schemas/key-value-pairs.ts';
import { mapRow } from './map-row.ts';

const FEATURES = `${ownMapServer('')}/ogc/features/v1`;
const TILES = `${ownMapServer('')}/ogc/tiles/v1`;

const PARAMETERS: Readonly<Record<string, string>> = {
  collection: 'Name of a layer, `workspace:layer`.',
  feature: 'Id of a feature, as in lists.',
  matrixSet: 'Grid of the tiles, such as `WebMercatorQuad`.',
  style: 'Name of a style; `default` is the style of the layer.',
  z: 'Level of the tile; 0 is the whole world.',
  y: 'Row of the tile, from the north.',
  x: 'Column of the tile, from the west. An ending, such as `.png`, chooses the format.',
};

const JSON_MEDIA = ['application/json'];
const collection = `${EXAMPLE_LAYERS.vector.workspace}:${EXAMPLE_LAYERS.vector.name}`;
const coverage = `${EXAMPLE_LAYERS.raster.workspace}:${EXAMPLE_LAYERS.raster.name}`;

/** A row below the address of an API; its parameters are those of its path. */
function apiRow(
  [id, path, summary]: readonly [id: string, path: string, summary: string],
  examples: readonly OperationExample[],
  { media = JSON_MEDIA, query = {} }: { readonly media?: readonly string[]; readonly query?: Parameters } = {},
): Operation {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, PARAMETERS[name] ?? name]));
  return mapRow({ id, path, summary, media, params, query, examples });
}

const ok = (params: Readonly<Record<string, string>>): OperationExample => ({ name: 'ok', params, status: 200 });
const unknown = (params: Readonly<Record<string, string>>): OperationExample => ({
  name: 'unknown',
  params: { ...params, collection: 'none:none' },
  status: 404,
});
const works: OperationExample = { name: 'ok', status: 200 };

const ITEMS: Parameters = {
  limit: parameter('Number of features on a page.'),
  bbox: parameter('Box: west,south,east,north, degrees.'),
  datetime: parameter('Time or interval, RFC 3339.'),
  filter: parameter('Filter, CQL2.'),
  'filter-lang': parameter('Language of the filter.', 'cql2-text', 'cql2-json'),
  'filter-crs': parameter('Coordinate system of the filter.'),
};
const GEOJSON = { media: ['application/geo+json', ...JSON_MEDIA], query: ITEMS };

/** Rows of OGC API Features. */
export const ogcFeaturesOperations: readonly Operation[] = [
  apiRow(['getFeaturesApi', `${FEATURES}/`, 'Landing page of OGC API Features'], [works]),
  apiRow(['getFeaturesConformance', `${FEATURES}/conformance`, 'Conformance classes of OGC API Features'], [works]),
  apiRow(['getFeaturesDescription', `${FEATURES}/api`, 'OpenAPI document of OGC API Features'], [works], {
    media: ['application/vnd.oai.openapi+json;version=3.0', ...JSON_MEDIA],
  }),
  apiRow(['listFeatureCollections', `${FEATURES}/collections`, 'All vector layers'], [works]),
  apiRow(
    ['getFeatureCollection', `${FEATURES}/collections/:collection`, 'Extent, title and links of a vector layer'],
    [ok({ collection }), unknown({})],
  ),
  apiRow(
    ['getFeatureQueryables', `${FEATURES}/collections/:collection/queryables`, 'Properties that filters can use'],
    [ok({ collection }), unknown({})],
    { media: ['application/schema+json', ...JSON_MEDIA] },
  ),
  apiRow(
    ['getFeatureSchema', `${FEATURES}/collections/:collection/schema`, 'JSON Schema of the features of a layer'],
    [ok({ collection }), unknown({})],
    { media: ['application/schema+json', ...JSON_MEDIA] },
  ),
  apiRow(
    ['listFeatures', `${FEATURES}/collections/:collection/items`, 'Features of a layer, page by page'],
    [ok({ collection }), unknown({})],
    GEOJSON,
  ),
  apiRow(
    ['getFeature', `${FEATURES}/collections/:collection/items/:feature`, 'One feature'],
    [ok({ collection, feature: `${EXAMPLE_LAYERS.vector.name}.1` }), unknown({ feature: 'none' })],
    GEOJSON,
  ),
];

const TILE = `:matrixSet/:z/:y/:x`;
const VECTOR_TILE = { media: ['application/vnd.mapbox-vector-tile'] };
const MAP_TILE = { media: ['image/png', 'image/webp'] };
const place = { matrixSet: 'WebMercatorQuad', z: '0', y: '0', x: '0' };

/** Rows of OGC API Tiles. */
export const ogcTilesOperations: readonly Operation[] = [
  apiRow(['getTilesApi', `${TILES}/`, 'Landing page of OGC API Tiles'], [works]),
  apiRow(['getTilesConformance', `${TILES}/conformance`, 'Conformance classes of OGC API Tiles'], [works]),
  apiRow(['listTileMatrixSets', `${TILES}/tileMatrixSets`, 'Grids of tiles'], [works]),
  apiRow(
    ['getTileMatrixSet', `${TILES}/tileMatrixSets/:matrixSet`, 'Definition of a grid of tiles'],
    [ok({ matrixSet: place.matrixSet }), { name: 'unknown', params: { matrixSet: 'none' }, status: 404 }],
  ),
  apiRow(['listTileCollections', `${TILES}/collections`, 'All layers with tiles'], [works]),
  apiRow(
    ['getTileCollection', `${TILES}/collections/:collection`, 'Extent, title and links of a layer with tiles'],
    [ok({ collection }), unknown({})],
  ),
  apiRow(
    ['listVectorTilesets', `${TILES}/collections/:collection/tiles`, 'Tilesets of vector tiles of a layer'],
    [ok({ collection }), unknown({})],
  ),
  apiRow(
    [
      'getVectorTileset',
      `${TILES}/collections/:collection/tiles/:matrixSet`,
      'Tileset of vector tiles, or its TileJSON',
    ],
    [ok({ collection, matrixSet: place.matrixSet }), unknown(place)],
  ),
  apiRow(
    ['getVectorTile', `${TILES}/collections/:collection/tiles/${TILE}`, 'Vector tile (MVT)'],
    [ok({ collection, ...place }), unknown(place)],
    VECTOR_TILE,
  ),
  apiRow(
    ['listMapTilesets', `${TILES}/collections/:collection/map/tiles`, 'Tilesets of pictures of a layer'],
    [ok({ collection: coverage }), unknown({})],
  ),
  apiRow(
    ['getMapTileset', `${TILES}/collections/:collection/map/tiles/:matrixSet`, 'Tileset of pictures, or its TileJSON'],
    [ok({ collection: coverage, matrixSet: place.matrixSet }), unknown(place)],
  ),
  apiRow(
    ['getMapTile', `${TILES}/collections/:collection/map/tiles/${TILE}`, 'Picture of a tile in the style of the layer'],
    [unknown(place)],
    MAP_TILE,
  ),
  apiRow(
    [
      'getStyledMapTile',
      `${TILES}/collections/:collection/styles/:style/map/tiles/${TILE}`,
      'Picture of a tile in a style',
    ],
    [unknown({ ...place, style: 'default' })],
    MAP_TILE,
  ),
];
