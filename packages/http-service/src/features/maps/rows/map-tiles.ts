import { EXAMPLE_LAYERS } from '../../../rows/example-world.ts';
import type { Operation, OperationExample } from '../../../rows/operation.ts';
import { paths } from '../../../wire/paths.ts';
import { integerParameter, parameter, type Parameters } from '../schemas/key-value-pairs.ts';
import {
  OgcCollection,
  OgcCollections,
  OgcConformance,
  OgcLanding,
  TileJson,
  TileMatrixSet,
  TileMatrixSets,
  TileSet,
  TileSets,
} from '../schemas/ogc-documents.ts';
import { type MapRow, mapRow } from './map-row.ts';

const COLLECTION = { collection: 'Layer, `workspace:layer`.' };
const SET = { set: 'Tile matrix set: `WebMercatorQuad`.' };
const ZOOM = { zoom: 'Zoom, 0 to 24.' };
const TILE_QUERY: Parameters = {
  size: integerParameter('Side of the tile, pixels; default: 256.', { enum: [256, 512] }),
  v: parameter('Version of the layer, as in the addresses of TileJSON. The response may then be cached for ever.'),
  run: parameter('Id of a run. The response is then the version that this run published, not the newest version.'),
};
const { size: _, ...VECTOR_QUERY } = TILE_QUERY;
const MVT = 'application/vnd.mapbox-vector-tile';
const QUAD = { set: 'WebMercatorQuad' };
const ORIGIN = { zoom: '0', row: '0', col: '0' };
const { raster, vector } = EXAMPLE_LAYERS;
const vectorCollection = { collection: `${vector.workspace}:${vector.name}` };
const unknown = { collection: `${raster.workspace}:none` };

const absent = (params: Readonly<Record<string, string>>): readonly OperationExample[] => [
  { name: 'unknown layer', params, status: 404 },
];

const document = (row: Omit<MapRow, 'media'>): Operation => mapRow({ ...row, media: ['application/json'] });

/** Operations of tiles: OGC API - Tiles, and plain XYZ addresses with TileJSON. */
export const mapTileOperations: readonly Operation[] = [
  document({
    id: 'getTilesLandingPage',
    path: paths.mapTiles,
    summary: 'OGC API - Tiles: links to its documents',
    schema: OgcLanding,
    examples: [{ name: 'landing page', status: 200 }],
  }),
  document({
    id: 'getTilesConformance',
    path: paths.mapTilesConformance,
    summary: 'OGC API - Tiles: conformance classes',
    schema: OgcConformance,
    examples: [{ name: 'conformance classes', status: 200 }],
  }),
  document({
    id: 'getTileMatrixSets',
    path: paths.tileMatrixSets,
    summary: 'OGC API - Tiles: the tile matrix sets',
    schema: TileMatrixSets,
    examples: [{ name: 'tile matrix sets', status: 200 }],
  }),
  document({
    id: 'getTileMatrixSet',
    path: paths.tileMatrixSet,
    summary: 'OGC API - Tiles: scales and sizes of a tile matrix set',
    schema: TileMatrixSet,
    params: SET,
    examples: [{ name: 'WebMercatorQuad', params: { set: 'WebMercatorQuad' }, status: 200 }],
  }),
  document({
    id: 'getTilesCollections',
    path: paths.mapTilesCollections,
    summary: 'OGC API - Tiles: the layers that have map tiles',
    schema: OgcCollections,
    examples: [{ name: 'layers', status: 200 }],
  }),
  document({
    id: 'getTilesCollection',
    path: paths.mapTilesCollection,
    summary: 'OGC API - Tiles: a layer that has map tiles',
    schema: OgcCollection,
    params: COLLECTION,
    examples: absent(unknown),
  }),
  document({
    id: 'getMapTileSets',
    path: paths.mapTileSets,
    summary: 'OGC API - Tiles: the tile sets of a layer',
    schema: TileSets,
    params: COLLECTION,
    examples: absent(unknown),
  }),
  document({
    id: 'getMapTileSet',
    path: paths.mapTileSet,
    summary: 'OGC API - Tiles: limits and addresses of a tile set',
    schema: TileSet,
    params: { ...COLLECTION, ...SET },
    examples: absent({ ...unknown, set: 'WebMercatorQuad' }),
  }),
  mapRow({
    id: 'getMapTile',
    path: paths.mapTile,
    summary: 'OGC API - Tiles: a tile of a layer as PNG',
    media: ['image/png'],
    params: { ...COLLECTION, ...SET, ...ZOOM, row: 'Row, from the north.', col: 'Column, from the west.' },
    query: TILE_QUERY,
    examples: absent({ ...unknown, set: 'WebMercatorQuad', zoom: '0', row: '0', col: '0' }),
  }),
  document({
    id: 'getVectorTileSets',
    path: paths.vectorTileSets,
    summary: 'OGC API - Tiles: the vector tile sets of a layer',
    schema: TileSets,
    params: COLLECTION,
    examples: [{ name: 'vector layer', params: vectorCollection, status: 200 }, ...absent(unknown)],
  }),
  document({
    id: 'getVectorTileSet',
    path: paths.vectorTileSet,
    summary: 'OGC API - Tiles: limits and addresses of a vector tile set',
    schema: TileSet,
    params: { ...COLLECTION, ...SET },
    examples: [{ name: 'vector layer', params: { ...vectorCollection, ...QUAD }, status: 200 }],
  }),
  mapRow({
    id: 'getVectorTile',
    path: paths.vectorTile,
    summary: 'OGC API - Tiles: a vector tile of a layer',
    description: 'The tile has the columns of the layer. A tile without features has no bytes.',
    media: [MVT],
    params: { ...COLLECTION, ...SET, ...ZOOM, row: 'Row, from the north.', col: 'Column, from the west.' },
    query: VECTOR_QUERY,
    examples: [{ name: 'tile', params: { ...vectorCollection, ...QUAD, ...ORIGIN }, status: 200 }],
  }),
  mapRow({
    id: 'getTileJson',
    path: paths.tileJson,
    summary: 'TileJSON of a layer, or a file with all of its vector tiles',
    description:
      'TileJSON contains the address of the tiles: PNG for a raster, vector tiles for a vector layer. PMTiles and MBTiles files are made when they are requested; requests of ranges are answered.',
    media: ['application/json', 'application/vnd.pmtiles', 'application/vnd.sqlite3'],
    schema: TileJson,
    params: {
      workspace: 'Workspace of the layer.',
      file: 'Name of the layer with the ending `.json`, or, for vector layers, `.pmtiles` or `.mbtiles`.',
    },
    query: VECTOR_QUERY,
    hasRanges: true,
    examples: [
      { name: 'vector layer', params: { workspace: vector.workspace, file: `${vector.name}.json` }, status: 200 },
      { name: 'PMTiles', params: { workspace: vector.workspace, file: `${vector.name}.pmtiles` }, status: 200 },
      ...absent({ workspace: raster.workspace, file: 'none.json' }),
    ],
  }),
  mapRow({
    id: 'getXyzTile',
    path: paths.xyzTile,
    summary: 'Tile of a layer as picture or as vector tile, in the scheme XYZ of web maps',
    media: ['image/png', 'image/webp', 'image/jpeg', MVT],
    params: {
      workspace: 'Workspace of the layer.',
      layer: 'Name of the layer.',
      ...ZOOM,
      col: 'Column, from the west.',
      file: 'Row, from the north, with an ending: `.png`, `.webp` or `.jpg` for a picture, `.mvt` for a vector tile. For dense screens, `@2x` is before the ending of a picture.',
    },
    query: TILE_QUERY,
    examples: [
      {
        name: 'vector tile',
        params: { workspace: vector.workspace, layer: vector.name, zoom: '0', col: '0', file: '0.mvt' },
        status: 200,
      },
      {
        name: 'WebP',
        params: { workspace: vector.workspace, layer: vector.name, zoom: '0', col: '0', file: '0.webp' },
        status: 200,
      },
      ...absent({ workspace: raster.workspace, layer: 'none', zoom: '0', col: '0', file: '0.png' }),
    ],
  }),
];
