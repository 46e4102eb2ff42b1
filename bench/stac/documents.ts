import { columnsOf, instant, itemId, rasterItem, vectorItem, type Item, type RasterItemInput } from '@headwater/stac';

const BASE = 'https://example.org/api/v1/stac';
const PLACE = { state: 'Assam', district: 'Cachar', block: 'Lakhipur' };
const [COLUMNS, VERTICES] = [40, 200];

/** A closed, counter-clockwise ring of 200 vertices around a point. */
const RING = Array.from({ length: VERTICES + 1 }, (_, index) => {
  const angle = (2 * Math.PI * (index % VERTICES)) / VERTICES;
  return [93 + 0.2 * Math.cos(angle), 24.8 + 0.15 * Math.sin(angle)];
});

function shared(layer: string) {
  return {
    id: itemId({ ...PLACE, layer }),
    title: 'Land use land cover',
    description: 'Fortnightly medians of **Sentinel-2** L2A, classified by rules.',
    start: instant('2023-07-01T00:00:00Z'),
    end: instant('2024-06-30T00:00:00Z'),
    published: instant('2026-11-21T04:00:00Z'),
    keywords: ['land cover', 'tehsil'],
    processing: { lineage: 'Median, indices, thresholds', software: { headwater: '0.2.0' } },
    root: { href: `${BASE}/`, title: 'Catalogue' },
    collection: { id: 'assam_cachar_lakhipur', href: `${BASE}/assam/cachar/lakhipur/`, title: 'Lakhipur' },
    self: `${BASE}/assam/cachar/lakhipur/items/${layer}/`,
  } as const;
}

const FILE = { bytes: 12_345, sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' };

/** Returns a vector Item with 40 columns and 200 vertices. */
export function vector40(): Item {
  const names = Array.from({ length: COLUMNS }, (_, index) => `area_${String(index)}_in_ha`);
  const columns = columnsOf<Record<string, number>>()(
    Object.fromEntries(names.map((name) => [name, { type: 'float64', description: `Area of class ${name}, ha` }])),
  );
  return vectorItem<Record<string, number>>({
    ...shared('land_use_land_cover_vector'),
    geometry: { type: 'Polygon', coordinates: [RING] },
    columns,
    rowCount: 240,
    assets: {
      data: { href: 'https://example.org/geoserver/mws/ows?service=WFS', title: 'Vector Layer' },
      geojson: { href: 'https://example.org/assets/lulc.geojson', title: 'GeoJSON', file: FILE },
      thumbnail: { href: 'https://example.org/assets/v.png', title: 'Thumbnail', file: FILE },
    },
  });
}

const CLASSES = Array.from({ length: 13 }, (_, value) => ({
  value,
  name: `class_${String(value)}`,
  description: `Class ${String(value)}`,
  color: 'aa00ff',
}));

const [FIRST = { value: 0, name: 'none', description: 'None' }, ...OTHERS] = CLASSES;

/** Returns the input of the raster Item: a box, 13 classes, four files. */
export const rasterInput = (): RasterItemInput => ({
  ...shared('land_use_land_cover_raster'),
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [92.9, 24.7],
        [93.1, 24.7],
        [93.1, 24.8],
        [92.9, 24.8],
        [92.9, 24.7],
      ],
    ],
  },
  grid: { code: 'EPSG:4326', shape: [1113, 2226], transform: [0.0000899, 0, 92.9, 0, -0.0000899, 24.8], gsd: 10 },
  content: { dataType: 'uint8', nodata: 0, classes: [FIRST, ...OTHERS] },
  assets: {
    data: { href: 'https://example.org/geoserver/LULC/wcs?service=WCS', title: 'Raster Layer' },
    cog: { href: 'https://example.org/assets/lulc.tif', title: 'COG', file: FILE },
    style: { href: 'https://example.org/assets/lulc.qml', title: 'QGIS Style file', file: FILE },
    thumbnail: { href: 'https://example.org/assets/lulc.png', title: 'Thumbnail', file: FILE },
  },
});

/** Returns the raster Item. */
export const raster = (): Item => rasterItem(rasterInput());
