import { pointTransform } from '@headwater/raster';
import type { PixelGrid } from '@headwater/core';
import { SAMPLE_COLLECTION, SAMPLE_PLACE, type SampleFrame } from './sample-frame.ts';
import type { SceneDate } from './scene-calendar.ts';

const CLOUD_CODES: readonly number[] = [8, 9, 10];

const BANDS = {
  B02: { common: 'blue', center: 0.49, gsd: 10 },
  B03: { common: 'green', center: 0.56, gsd: 10 },
  B04: { common: 'red', center: 0.665, gsd: 10 },
  B08: { common: 'nir', center: 0.842, gsd: 10 },
  B11: { common: 'swir16', center: 1.61, gsd: 20 },
  B12: { common: 'swir22', center: 2.19, gsd: 20 },
} as const;

const COG_TYPE = 'image/tiff; application=geotiff; profile=cloud-optimized';
const SYNTHETIC = 'Synthetic: painted by a program, not measured by any satellite';

/** A JSON object. No closer type is needed, because the scene catalogue validates the documents when it reads them. */
type Json = Record<string, unknown>;

function sampleBbox(frame: SampleFrame): [number, number, number, number] {
  const ring = footprint(frame);
  const lons = ring.map(([lon]) => lon);
  const lats = ring.map(([, lat]) => lat);
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

function footprint({ grid10m }: SampleFrame): [number, number][] {
  const { crs, west, north, cols, rows } = grid10m;
  const toLonLat = pointTransform(crs, 'EPSG:4326');
  const [east, south] = [west + cols * 10, north - rows * 10];
  const corners = [
    [west, north],
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ] as const;
  return corners.map(([x, y]) => {
    const [lon, lat] = toLonLat(x, y);
    return [Number(lon.toFixed(7)), Number(lat.toFixed(7))];
  });
}

/** Returns the STAC 1.1.0 Item of one acquisition, with the cloud cover of `scl` (scene classification). */
export function sceneItem(scene: SceneDate, scl: Uint8Array, frame: SampleFrame): Json {
  // From baseline 04.00 on, pixel values contain an offset of 1000. Some providers write it into each asset
  // (`raster:offset`), some state only the baseline, and others subtract it and say so in the Item
  // (`earthsearch:boa_offset_applied`). The sample has all three.
  const statesOffset = scene.rawOffset && scene.day % 2 === 0;
  return {
    type: 'Feature',
    stac_version: '1.1.0',
    stac_extensions: extensions(statesOffset),
    id: scene.id,
    collection: SAMPLE_COLLECTION,
    geometry: { type: 'Polygon', coordinates: [footprint(frame)] },
    bbox: sampleBbox(frame),
    properties: properties(scene, scl, frame),
    links: [
      { rel: 'root', href: '../../catalog.json', type: 'application/json' },
      { rel: 'parent', href: '../../collection.json', type: 'application/json' },
      { rel: 'collection', href: '../../collection.json', type: 'application/json' },
    ],
    assets: assets(statesOffset, frame),
  };
}

function extensions(statesOffset: boolean): string[] {
  const found = [
    'https://stac-extensions.github.io/eo/v2.0.0/schema.json',
    'https://stac-extensions.github.io/projection/v2.0.0/schema.json',
  ];
  return statesOffset ? [...found, 'https://stac-extensions.github.io/raster/v2.0.0/schema.json'] : found;
}

function properties(scene: SceneDate, scl: Uint8Array, frame: SampleFrame): Json {
  const seen = scl.filter((code) => code !== 0);
  const share = (codes: readonly number[]): number =>
    Number(((100 * seen.filter((code) => codes.includes(code)).length) / Math.max(1, seen.length)).toFixed(3));
  return {
    datetime: scene.datetime,
    title: `Synthetic scene of ${SAMPLE_PLACE.tehsil}, ${scene.datetime.slice(0, 10)}`,
    description: SYNTHETIC,
    constellation: 'sentinel-2',
    platform: scene.id.startsWith('SYNA') ? 'sentinel-2a' : 'sentinel-2b',
    instruments: ['msi'],
    gsd: 10,
    'eo:cloud_cover': share(CLOUD_CODES),
    'proj:code': frame.grid10m.crs,
    's2:processing_baseline': scene.baseline,
    's2:cloud_shadow_percentage': share([3]),
    's2:nodata_pixel_percentage': Number((100 * (1 - seen.length / scl.length)).toFixed(3)),
    'earthsearch:boa_offset_applied': scene.baseline >= '04.00' && !scene.rawOffset,
    'headwater:synthetic': true,
  };
}

function assets(statesOffset: boolean, { grid10m, grid20m }: SampleFrame): Json {
  const found: Json = {};
  for (const [name, { common, center, gsd }] of Object.entries(BANDS)) {
    found[name] = {
      ...fileOf(name, gsd === 10 ? grid10m : grid20m),
      bands: [{ name, 'eo:common_name': common, 'eo:center_wavelength': center }],
      data_type: 'uint16',
      nodata: 0,
      ...(statesOffset ? { 'raster:scale': 0.0001, 'raster:offset': -0.1 } : {}),
    };
  }
  return {
    ...found,
    SCL: { ...fileOf('SCL', grid20m), title: 'Scene classification', data_type: 'uint8', nodata: 0 },
  };
}

function fileOf(name: string, grid: PixelGrid): Json {
  return {
    href: `./${name}.tif`,
    type: COG_TYPE,
    roles: ['data'],
    gsd: grid.pixelWidth,
    'proj:shape': [grid.rows, grid.cols],
    'proj:transform': [grid.pixelWidth, 0, grid.west, 0, -grid.pixelHeight, grid.north],
  };
}

/** Root document of the static catalogue. */
export function sampleCatalog(): Json {
  return {
    type: 'Catalog',
    stac_version: '1.1.0',
    id: 'headwater-sample',
    title: 'Headwater sample scenes',
    description: `${SYNTHETIC}. Sentinel-2-like scenes of the fictional tehsil ${SAMPLE_PLACE.tehsil}.`,
    links: [
      { rel: 'root', href: './catalog.json', type: 'application/json' },
      { rel: 'child', href: './collection.json', type: 'application/json' },
    ],
  };
}

/** Collection of all scenes, with a link to each Item. */
export function sampleCollection(scenes: readonly SceneDate[], frame: SampleFrame): Json {
  return {
    type: 'Collection',
    stac_version: '1.1.0',
    id: SAMPLE_COLLECTION,
    title: 'Headwater sample: Sentinel-2-like scenes',
    description: `${SYNTHETIC}.`,
    license: 'CC0-1.0',
    extent: {
      spatial: { bbox: [sampleBbox(frame)] },
      temporal: { interval: [[scenes[0]?.datetime ?? null, scenes.at(-1)?.datetime ?? null]] },
    },
    links: [
      { rel: 'root', href: './catalog.json', type: 'application/json' },
      { rel: 'parent', href: './catalog.json', type: 'application/json' },
      ...scenes.map(({ id }) => ({ rel: 'item', href: `./items/${id}/${id}.json`, type: 'application/geo+json' })),
    ],
  };
}
