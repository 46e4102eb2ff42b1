import { buildCatalog, buildCollection, type CollectionInput } from './builder/catalog.ts';
import { extentOf } from './builder/extent.ts';
import type { ItemInput, RasterItemInput, TabularRasterItemInput, VectorItemInput } from './builder/inputs.ts';
import { memberFields, membersOf } from './builder/members.ts';
import { rasterItem, tabularRasterItem } from './builder/raster-item.ts';
import { columnsOf } from './builder/table.ts';
import { vectorItem } from './builder/vector-item.ts';
import { EXTENSIONS } from './extensions.ts';
import { itemId } from './ids/item-id.ts';
import { instant } from './instant.ts';
import type { Collection, Item } from './types.ts';

/** Base address of the samples. */
export const BASE = 'https://example.org/api/v1/stac';
const PLACE = { state: 'Assam', district: 'Cachar', block: 'Lakhipur' };
const SHA = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const MAPS = 'https://example.org/geoserver';

/** Members that the inputs of all sample Items share. */
export function itemInput(layer: string, year?: number): ItemInput {
  const id = itemId(year === undefined ? { ...PLACE, layer } : { ...PLACE, layer, year });
  return {
    id,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [92.9, 24.7],
          [92.9, 24.8],
          [93.1, 24.8],
          [93.1, 24.7],
        ],
      ],
    },
    title: `Land use land cover : ${String(year ?? 2023)}`,
    description: 'Fortnightly medians of **Sentinel-2** L2A, classified by rules.',
    start: instant('2023-07-01T00:00:00Z'),
    end: instant('2024-06-30T00:00:00Z'),
    published: instant(new Date('2026-11-21T04:00:00.123Z')),
    keywords: ['land cover', 'tehsil'],
    version: '1',
    license: 'CC-BY-4.0',
    providers: [{ name: 'Headwater', roles: ['processor'], url: 'https://example.org/' }],
    processing: {
      lineage: 'Median, indices, thresholds',
      software: { headwater: '0.1.0' },
      version: '1',
      datetime: instant('2026-11-21T04:00:00Z'),
    },
    root: { href: `${BASE}/`, title: 'Catalogue' },
    collection: { id: 'assam_cachar_lakhipur', href: `${BASE}/assam/cachar/lakhipur/`, title: 'Lakhipur' },
    self: `${BASE}/assam/cachar/lakhipur/items/${id}/`,
    derivedFrom: [{ href: 'https://example.org/eo/scene-1.json', title: 'Scene 1', type: 'application/geo+json' }],
    via: [{ href: 'https://example.org/eo/catalog.json', title: 'Scenes' }],
    extra: { 'headwater:synthetic': true, 'headwater:place': PLACE },
  };
}

/** Input of the sample raster. */
export const RASTER_INPUT: RasterItemInput = {
  ...itemInput('land_use_land_cover_raster', 2023),
  grid: { code: 'EPSG:4326', shape: [1113, 2226], transform: [0.0000899, 0, 92.9, 0, -0.0000899, 24.8], gsd: 10 },
  content: {
    dataType: 'uint8',
    nodata: 0,
    classes: [
      { value: 0, name: 'no_data', description: 'Too few clear observations', nodata: true, count: 7 },
      {
        value: 1,
        name: 'built_up',
        title: 'Built up',
        description: 'Buildings, roads',
        color: '#ff0000',
        count: 12,
        percentage: 12.5,
      },
    ],
  },
  assets: {
    data: {
      href: `${MAPS}/LULC/wcs?service=WCS&version=2.0.1&request=GetCoverage&CoverageId=LULC:x&format=geotiff`,
      title: 'Raster Layer',
    },
    cog: { href: 'https://example.org/api/v1/assets/r/1/lulc.tif', title: 'COG', file: { bytes: 12_345, sha256: SHA } },
    style: {
      href: 'https://example.org/api/v1/assets/r/1/lulc.qml',
      title: 'QGIS Style file',
      file: { bytes: 99, sha256: SHA },
    },
    sld: { href: 'https://example.org/api/v1/assets/r/1/lulc.sld', title: 'SLD' },
    thumbnail: { href: 'https://example.org/api/v1/assets/r/1/lulc.png', title: 'Thumbnail' },
    others: {
      quality: {
        href: 'https://example.org/api/v1/assets/r/1/q.json',
        title: 'Quality',
        type: 'application/json',
        roles: ['metadata'],
      },
    },
  },
};

/** Input of the sample raster of measured values. */
export const NUMERIC_INPUT: RasterItemInput = {
  ...itemInput('terrain_slope_raster'),
  grid: { code: 'EPSG:4326', shape: [1113, 2226], transform: [0.0000899, 0, 92.9, 0, -0.0000899, 24.8], gsd: 30 },
  content: {
    bands: [
      {
        name: 'slope',
        description: 'Slope in percent of the horizontal distance',
        dataType: 'float32',
        nodata: -9999,
        unit: '%',
        statistics: { minimum: 0, maximum: 61.25, mean: 4.5, stddev: 3.25, count: 1000, validPercent: 40.5 },
      },
      { name: 'aspect', dataType: 'float32', nodata: Number.NaN, unit: 'degree' },
      { name: 'landform', dataType: 'int16', nodata: -32_768 },
    ],
  },
  assets: {
    data: {
      href: `${MAPS}/terrain/wcs?service=WCS&version=2.0.1&request=GetCoverage&CoverageId=terrain:x&format=geotiff`,
      title: 'Raster Layer',
    },
    cog: { href: 'https://example.org/api/v1/assets/r/1/slope.tif', title: 'COG', file: { bytes: 999, sha256: SHA } },
  },
};

interface Row {
  readonly uid: string;
  readonly area_in_ha: number;
  readonly built_up_2023: number | null;
}

/** Input of the sample vector. */
export const VECTOR_INPUT: VectorItemInput = {
  ...itemInput('land_use_land_cover_vector'),
  columns: columnsOf<Row>()({
    uid: { type: 'object', description: 'Micro-watershed id' },
    area_in_ha: { type: 'float64', description: 'Area, ha' },
    built_up_2023: { type: 'float64', description: 'Built-up area in 2023, ha' },
  }),
  rowCount: 24,
  assets: {
    data: {
      href: `${MAPS}/mws/ows?service=WFS&version=1.0.0&request=GetFeature&typeName=mws:x&outputFormat=application/json`,
      title: 'Vector Layer',
    },
    geojson: {
      href: 'https://example.org/api/v1/assets/r/1/lulc.geojson',
      title: 'GeoJSON',
      file: { bytes: 12_345, sha256: SHA },
    },
    thumbnail: { href: 'https://example.org/api/v1/assets/r/1/v.png', title: 'Thumbnail' },
  },
};

interface ClassRow {
  readonly value: number;
  readonly name: string;
  readonly area_in_ha: number;
}

/** Input of the sample raster with a table of classes. */
export const TABULAR_INPUT: TabularRasterItemInput<ClassRow> = {
  ...itemInput('terrain_raster'),
  grid: RASTER_INPUT.grid,
  content: RASTER_INPUT.content,
  columns: columnsOf<ClassRow>()({
    value: { type: 'int64', description: 'Value of the pixels' },
    name: { type: 'object', description: 'Name of the class' },
    area_in_ha: { type: 'float64', description: 'Area, ha' },
  }),
  rowCount: 2,
  assets: {
    data: RASTER_INPUT.assets.data,
    table: {
      href: 'https://example.org/api/v1/assets/r/1/classes.csv',
      title: 'Areas of the classes',
      type: 'text/csv',
    },
  },
};

/** A new sample raster Item. */
export const sampleRaster = () => rasterItem(RASTER_INPUT);
/** A new sample Item of measured values. */
export const sampleNumeric = () => rasterItem(NUMERIC_INPUT);
/** A new sample raster with a table of classes. */
export const sampleTabular = () => tabularRasterItem<ClassRow>(TABULAR_INPUT);
/** A new sample vector Item. */
export const sampleVector = () => vectorItem(VECTOR_INPUT);

/** The sample vector Item as a service returns it, with alternate addresses and links to maps. */
export function sampleServed() {
  const item = sampleVector();
  const assets = Object.entries(item.assets).map(([key, asset]) => {
    const latest = { href: `${BASE}/latest/${key}`, title: 'Newest version' };
    return [key, { ...asset, 'alternate:name': 'This version', alternate: { latest } }] as const;
  });
  const maps = [
    {
      rel: 'wms',
      href: `${BASE}/wms`,
      type: 'image/png',
      title: 'WMS',
      'wms:layers': ['a:b'],
      'wms:transparent': true,
    },
    { rel: 'xyz', href: `${BASE}/tiles/{z}/{x}/{y}.png`, type: 'image/png', title: 'Tiles' },
    { rel: 'tilejson', href: `${BASE}/tiles.json`, type: 'application/json', title: 'TileJSON' },
  ];
  return {
    ...item,
    stac_extensions: [...item.stac_extensions, EXTENSIONS.alternate, EXTENSIONS.webMapLinks],
    links: [...item.links, ...maps],
    assets: Object.fromEntries(assets),
  };
}

/** The sample Collection whose assets and item assets have alternates. */
export function sampleCollectionWithAlternates() {
  const collection = sampleCollection();
  const asset = { href: `${BASE}/zip`, title: 'All', type: 'application/zip', roles: ['data'] };
  return {
    ...collection,
    stac_extensions: [...(collection.stac_extensions ?? []), EXTENSIONS.alternate],
    assets: { zip: { ...asset, alternate: { mirror: { href: 's3://bucket/zip', 'alternate:name': 'Mirror' } } } },
    item_assets: { data: { title: 'Data', type: 'text/csv', alternate: { latest: { title: 'Newest version' } } } },
  };
}

/** The sample root. */
export const sampleCatalog = () =>
  buildCatalog({
    id: 'headwater',
    title: 'Catalogue',
    description: 'Everything',
    self: `${BASE}/`,
    children: [{ href: `${BASE}/assam/`, title: 'Assam' }],
  });

/** The sample root with extensions that a Catalog can declare. */
export const sampleCatalogWithExtensions = () => ({
  ...sampleCatalog(),
  stac_extensions: [EXTENSIONS.version, EXTENSIONS.file, EXTENSIONS.raster],
  version: '3',
  deprecated: false,
});

/** The sample Collection of one tehsil. */
export function sampleCollection(items: readonly Item[] = [sampleRaster(), sampleVector()]): Collection {
  return buildCollection(collectionInput(items));
}

function collectionInput(items: readonly Item[]): CollectionInput {
  return {
    id: 'assam_cachar_lakhipur',
    title: 'Lakhipur',
    description: 'Layers of Lakhipur',
    self: `${BASE}/assam/cachar/lakhipur/`,
    root: { href: `${BASE}/`, title: 'Catalogue' },
    parent: { href: `${BASE}/assam/cachar/`, title: 'Cachar' },
    items: items.map((item) => ({
      href: `${BASE}/assam/cachar/lakhipur/items/${item.id}/`,
      title: item.properties.title,
    })),
    links: [
      { rel: 'license', href: 'https://spdx.org/licenses/CC-BY-4.0.html', title: 'CC-BY-4.0', type: 'text/html' },
    ],
    keywords: ['tehsil'],
    license: 'CC-BY-4.0',
    providers: [{ name: 'Headwater', roles: ['producer', 'host'], url: 'https://example.org/' }],
    extent: extentOf(items),
    ...memberFields(membersOf(items)),
  };
}

/** Input of a sample Collection. */
export const COLLECTION_INPUT = collectionInput([sampleRaster()]);
