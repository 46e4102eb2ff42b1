/** Valid documents of other producers. The profile `headwater` refuses them. */

const BOX = [-122.6, 37.7, -122.4, 37.9];
const POLYGON = {
  type: 'Polygon',
  coordinates: [
    [
      [-122.6, 37.7],
      [-122.4, 37.7],
      [-122.4, 37.9],
      [-122.6, 37.9],
      [-122.6, 37.7],
    ],
  ],
};

/** An Item of a static catalogue: relative links without titles, another form of id. */
export const foreignItem = () => ({
  type: 'Feature',
  stac_version: '1.1.0',
  stac_extensions: [
    'https://stac-extensions.github.io/eo/v2.0.0/schema.json',
    'https://stac-extensions.github.io/projection/v2.0.0/schema.json',
  ],
  id: '20201211_223832_CS2',
  geometry: POLYGON,
  bbox: BOX,
  properties: {
    datetime: '2020-12-11T22:38:32.125Z',
    'eo:cloud_cover': 1.2,
    'proj:code': 'EPSG:32610',
    'acme:orbit': { number: 7 },
  },
  collection: 'simple-collection',
  links: [
    { rel: 'collection', href: './collection.json' },
    { rel: 'root', href: '../catalog.json', type: 'application/json' },
    { rel: 'parent', href: '../2020/catalog.json', type: 'application/json' },
    { rel: 'alternate', href: 's3://bucket/item.json' },
  ],
  assets: {
    visual: {
      href: './scene.tif',
      type: 'image/tiff; application=geotiff; profile=cloud-optimized',
      roles: ['visual'],
    },
    archive: { href: 's3://bucket/scene.zip' },
  },
});

/** An Item with a time span, without `datetime` and geometry. */
export const foreignSpan = () => ({
  type: 'Feature',
  stac_version: '1.1.0',
  id: 'Mosaic of 2019',
  geometry: null,
  properties: { datetime: null, start_datetime: '2019-01-01T00:00:00Z', end_datetime: '2019-12-31T23:59:59Z' },
  links: [],
  assets: {},
});

/** An Item with a height, and a table whose columns have only names. */
export const foreignPoint = () => ({
  type: 'Feature',
  stac_version: '1.1.0',
  stac_extensions: ['https://stac-extensions.github.io/table/v1.2.0/schema.json'],
  id: 'station:7',
  geometry: { type: 'Point', coordinates: [8.5, 47.4, 410] },
  bbox: [8.5, 47.4, 410, 8.5, 47.4, 410],
  properties: { datetime: '2024-05-01T00:00:00+00:00', 'table:columns': [{ name: 'time' }, { name: 'level' }] },
  links: [{ rel: 'self', href: 'https://example.org/stations/7' }],
  assets: { data: { href: '../7.parquet', type: 'application/vnd.apache.parquet' } },
});

/** An Item of STAC 1.0.0 with a relative `self` link, and with members of later versions. */
export const foreignItem10 = () => ({
  type: 'Feature',
  stac_version: '1.0.0',
  stac_extensions: [
    'https://stac-extensions.github.io/eo/v1.0.0/schema.json',
    'https://stac-extensions.github.io/projection/v1.1.0/schema.json',
  ],
  id: 'S2A_29RKH_20200219_0_L2A',
  geometry: POLYGON,
  bbox: BOX,
  properties: {
    datetime: '2020-02-19T11:34:25.405000Z',
    'proj:epsg': 32_629,
    keywords: 'sea, coast',
    unit: 4,
    description: '',
  },
  links: [
    { rel: 'self', href: './item.json' },
    { rel: 'license', href: 'https://example.org/licence', created: 'long ago' },
  ],
  assets: {
    B02: {
      href: './B02.tif',
      'eo:bands': [{ name: 'B02', common_name: 'blue' }],
      'raster:bands': [{ nodata: 0, data_type: 'uint15', scale: 0.001 }],
    },
  },
});

/** A Collection of an API, with search links, assets and summaries. */
export const foreignCollection = () => ({
  type: 'Collection',
  stac_version: '1.1.0',
  id: 'landsat-c2/l2',
  description: 'Scenes',
  license: 'other',
  extent: {
    spatial: { bbox: [[-180, -82.8, 0, 180, 82.8, 4000]] },
    temporal: { interval: [['1982-08-22T00:00:00Z', null]] },
  },
  links: [
    { rel: 'items', href: 'https://example.org/collections/landsat/items', type: 'application/geo+json' },
    { rel: 'search', href: 'https://example.org/search', type: 'application/geo+json', method: 'GET' },
    { rel: 'search', href: 'https://example.org/search', type: 'application/geo+json', method: 'POST' },
    { rel: 'http://www.opengis.net/def/rel/ogc/1.0/queryables', href: 'queryables' },
    { rel: 'parent', href: 'https://example.org/' },
  ],
  assets: { thumbnail: { href: 'thumb.png' } },
  summaries: { gsd: [30], 'eo:cloud_cover': { minimum: 0, maximum: 100 } },
});

/** A Collection of STAC 1.0.0 with two boxes and a small asset definition. */
export const foreignCollection10 = () => ({
  type: 'Collection',
  stac_version: '1.0.0',
  id: 'aerial',
  description: 'Photographs',
  license: 'proprietary',
  extent: {
    spatial: {
      bbox: [
        [-10, 40, 5, 60],
        [-10, 40, 0, 50],
      ],
    },
    temporal: { interval: [[null, null]] },
  },
  links: [{ rel: 'item', href: './a/a.json' }],
  item_assets: { image: { type: 'image/tiff' } },
});

/** A Collection of 1.0.0 with current extensions, which check more fields than the schema of 1.0.0. */
export const foreignExtended10 = () => ({
  ...foreignCollection10(),
  id: 'land-cover',
  stac_extensions: [
    'https://stac-extensions.github.io/classification/v2.0.0/schema.json',
    'https://stac-extensions.github.io/raster/v2.0.0/schema.json',
    'https://stac-extensions.github.io/alternate-assets/v1.2.0/schema.json',
  ],
  bands: [{ 'raster:scale': 1 }],
  item_assets: {
    cover: {
      type: 'image/tiff',
      bands: [{ name: 'cover', 'raster:sampling': 'area' }],
      'classification:classes': [{ value: 1, name: 'water' }],
      alternate: { s3: { title: 'Bucket' } },
    },
  },
});

/** An Item of 1.0.0 with `bands` of 1.1.0, which the raster extension checks. */
export const foreignBands10 = () => ({
  ...foreignItem(),
  stac_version: '1.0.0',
  id: 'bands',
  stac_extensions: ['https://stac-extensions.github.io/raster/v2.0.0/schema.json'],
  assets: { visual: { href: './scene.tif', bands: [{ name: 'B1', 'raster:scale': 0.5 }] } },
});

/** A Catalog with only the required members. */
export const foreignCatalog = () => ({
  type: 'Catalog',
  stac_version: '1.1.0',
  id: 'examples',
  description: 'Examples of others',
  links: [{ rel: 'child', href: './a/collection.json' }],
});

/** All documents of this file. */
export const foreignDocuments = (): readonly object[] => [
  foreignItem(),
  foreignSpan(),
  foreignPoint(),
  foreignItem10(),
  foreignCollection(),
  foreignCollection10(),
  foreignExtended10(),
  foreignBands10(),
  foreignCatalog(),
  { ...foreignCatalog(), stac_version: '1.0.0', links: [{ rel: 'self', href: './catalog.json' }] },
];
