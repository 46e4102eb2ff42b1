import type { Operation } from '../../../rows/operation.ts';
import { EXAMPLE_LAYERS } from '../../../rows/example-world.ts';
import { paths } from '../../../wire/paths.ts';
import { integerParameter, parameter, type Parameters } from '../schemas/key-value-pairs.ts';
import {
  OgcCollection,
  OgcCollections,
  OgcConformance,
  OgcFeature,
  OgcFeatures,
  OgcLanding,
  OgcSchema,
} from '../schemas/ogc-documents.ts';
import { mapRow } from './map-row.ts';

const COLLECTION = 'Id of the collection: `workspace:layer` of a vector layer.';
const F = { f: parameter('Format of the response; optional.', 'json') };
const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const CRS_VALUES = [CRS84, 'http://www.opengis.net/def/crs/EPSG/0/3857'];
const OF_FEATURES: Parameters = {
  ...F,
  crs: parameter('Coordinate system of the response; default: longitude and latitude.', ...CRS_VALUES),
  properties: parameter('Names of the columns in the response, separated by commas; default: all.'),
};

/** Parameters of a list of features. All other parameters are names of columns. */
const OF_ITEMS: Parameters = {
  ...OF_FEATURES,
  limit: integerParameter('Maximum number of features on a page, 1 to 10000; default: 10.', { minimum: 1 }),
  offset: integerParameter('Number of features before the page; default: 0.', { minimum: 0 }),
  bbox: parameter('Selects the features that intersect this box: west,south,east,north.'),
  'bbox-crs': parameter('Coordinate system of `bbox`; default: longitude and latitude.', ...CRS_VALUES),
  datetime: parameter(
    'Selects by a time, a day or an interval such as `2021-07-01/..`; each feature has the interval of its layer.',
  ),
  filter: parameter('Filter in CQL2, such as `area_in_ha > 100`.'),
  'filter-lang': parameter('Language of `filter`; default: cql2-text.', 'cql2-text', 'cql2-json'),
  'filter-crs': parameter('Coordinate system of `filter`; optional.', CRS84),
};

const { vector } = EXAMPLE_LAYERS;
const collection = `${vector.workspace}:${vector.name}`;
const unknown = { name: 'unknown layer', params: { collection: 'none:none' }, status: 404 };
const wrongFormat = { name: 'unknown format', query: { f: 'html' }, status: 400 };
const params = { collection: COLLECTION };
const JSON_MEDIA = ['application/json'];
const SCHEMA_MEDIA = ['application/schema+json'];
const GEOJSON_MEDIA = ['application/geo+json'];

/** Operations of OGC API Features. */
export const mapFeatureOperations: readonly Operation[] = [
  mapRow({
    id: 'getOgcFeatures',
    path: paths.ogcFeatures,
    summary: 'OGC API Features: landing page',
    media: JSON_MEDIA,
    schema: OgcLanding,
    query: F,
    examples: [{ name: 'landing page', status: 200 }, wrongFormat],
  }),
  mapRow({
    id: 'getOgcFeaturesConformance',
    path: paths.ogcFeaturesConformance,
    summary: 'OGC API Features: conformance classes',
    media: JSON_MEDIA,
    schema: OgcConformance,
    query: F,
    examples: [{ name: 'classes', status: 200 }, wrongFormat],
  }),
  mapRow({
    id: 'listOgcCollections',
    path: paths.ogcCollections,
    summary: 'OGC API Features: all published vector layers',
    media: JSON_MEDIA,
    schema: OgcCollections,
    query: F,
    examples: [{ name: 'layers', status: 200 }, wrongFormat],
  }),
  mapRow({
    id: 'getOgcCollection',
    path: paths.ogcCollection,
    summary: 'OGC API Features: a vector layer',
    media: JSON_MEDIA,
    schema: OgcCollection,
    params,
    query: F,
    examples: [{ name: 'layer', params: { collection }, status: 200 }, unknown],
  }),
  mapRow({
    id: 'getOgcCollectionSchema',
    path: paths.ogcCollectionSchema,
    summary: 'OGC API Features: JSON Schema of the features of a layer',
    media: SCHEMA_MEDIA,
    schema: OgcSchema,
    params,
    query: F,
    examples: [{ name: 'schema', params: { collection }, status: 200 }, unknown],
  }),
  mapRow({
    id: 'getOgcCollectionQueryables',
    path: paths.ogcCollectionQueryables,
    summary: 'OGC API Features: columns of a layer that filters can use, as JSON Schema',
    media: SCHEMA_MEDIA,
    schema: OgcSchema,
    params,
    query: F,
    examples: [{ name: 'queryables', params: { collection }, status: 200 }, unknown],
  }),
  mapRow({
    id: 'listOgcItems',
    path: paths.ogcItems,
    summary: 'OGC API Features: features of a layer as GeoJSON, in pages',
    description:
      'A parameter with the name of a column selects the features that have the value of the parameter in this column. Links of the response lead to the next and the previous page.',
    media: GEOJSON_MEDIA,
    schema: OgcFeatures,
    params,
    query: OF_ITEMS,
    examples: [
      { name: 'page', params: { collection }, query: { limit: '1' }, status: 200 },
      { name: 'unknown column', params: { collection }, query: { none: '1' }, status: 400 },
      unknown,
    ],
  }),
  mapRow({
    id: 'getOgcItem',
    path: paths.ogcItem,
    summary: 'OGC API Features: one feature as GeoJSON',
    media: GEOJSON_MEDIA,
    schema: OgcFeature,
    params: { ...params, feature: 'Id of the feature, such as `layer.1`.' },
    query: OF_FEATURES,
    examples: [
      { name: 'feature', params: { collection, feature: `${vector.name}.1` }, status: 200 },
      { name: 'unknown feature', params: { collection, feature: 'none' }, status: 404 },
    ],
  }),
];
