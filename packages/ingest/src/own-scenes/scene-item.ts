import type { BandName, PixelGrid } from '@headwater/core/pixel-plan';
import { BAND_IDENTITIES } from '../scenes/bands.ts';
import { asList, asNumber, asObject, asText, type JsonObject, own } from '../scenes/json.ts';
import type { OwnScene, Radiometry } from './own-scene.ts';
import { DEFAULT_SCALE } from './radiometry.ts';

/** COG of one band in the folder of its Item. */
export interface MadeBand {
  readonly band: BandName;
  readonly grid: PixelGrid;
  /** Type of the pixels, such as `uint16`. */
  readonly dtype: string;
  readonly nodata: number;
  /** Absolute path of the download. */
  readonly source: string;
}

/** Corners as lon/lat: north-west, south-west, south-east, north-east. */
export type Footprint = readonly (readonly [number, number])[];

/** Scene, files and footprint of an Item. */
export interface ItemInput {
  readonly scene: OwnScene;
  readonly radiometry: Radiometry;
  readonly bands: readonly MadeBand[];
  readonly footprint: Footprint;
  readonly collection: string;
}

const extension = (name: string): string => `https://stac-extensions.github.io/${name}/v2.0.0/schema.json`;
const COG_TYPE = 'image/tiff; application=geotiff; profile=cloud-optimized';
/** Mean solar time of the overpass, hours (ESA, Sentinel-2 mission: 10:30). */
const LOCAL_HOUR = 10.5;

/** File name of a band. */
export const bandFile = (band: BandName): string => `${BAND_IDENTITIES[band].id}.tif`;

/**
 * Creates the STAC 1.1.0 Item of a scene, with relative links from its folder to `catalog.json` and `collection.json`
 * above.
 */
export function sceneItem({ scene, radiometry, bands, footprint, collection }: ItemInput): JsonObject {
  const [lons, lats] = [footprint.map(([lon]) => lon), footprint.map(([, lat]) => lat)];
  const bbox = [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
  const link = (rel: string, href: string): JsonObject => ({ rel, href, type: 'application/json' });
  return {
    type: 'Feature',
    stac_version: '1.1.0',
    stac_extensions: [
      extension('eo'),
      extension('projection'),
      ...(radiometry.offset === undefined ? [] : [extension('raster')]),
    ],
    id: scene.id,
    collection,
    geometry: { type: 'Polygon', coordinates: [[...footprint, footprint[0]]] },
    bbox,
    properties: propertiesOf(scene, radiometry, { bands, longitude: ((bbox[0] ?? 0) + (bbox[2] ?? 0)) / 2 }),
    links: [
      link('root', '../catalog.json'),
      link('parent', '../collection.json'),
      link('collection', '../collection.json'),
    ],
    assets: Object.fromEntries(bands.map((made) => [BAND_IDENTITIES[made.band].id, assetOf(made, radiometry)])),
  };
}

function propertiesOf(
  scene: OwnScene,
  { baseline }: Radiometry,
  { bands, longitude }: { readonly bands: readonly MadeBand[]; readonly longitude: number },
): JsonObject {
  const { day, time = localTime(longitude), tile, platform, cloudCover, madeAt, productUri } = scene;
  return {
    datetime: `${day}T${time}Z`,
    title: `Sentinel-2 ${tile === undefined ? '' : `tile ${tile}, `}${day}`,
    constellation: 'sentinel-2',
    ...(platform === undefined ? {} : { platform: platform.toLowerCase().replace('s2', 'sentinel-2') }),
    instruments: ['msi'],
    gsd: Math.min(...bands.map(({ grid }) => metresOf(grid))),
    'proj:code': bands[0]?.grid.crs ?? null,
    ...(cloudCover === undefined ? {} : { 'eo:cloud_cover': Math.min(100, Math.max(0, cloudCover)) }),
    ...(tile === undefined ? {} : { 's2:mgrs_tile': tile }),
    ...(baseline === undefined ? {} : { 's2:processing_baseline': baseline }),
    ...(productUri === undefined ? {} : { 's2:product_uri': productUri }),
    ...(madeAt === undefined ? {} : { 's2:generation_time': madeAt }),
  };
}

/** Usual overpass time (UTC) at a longitude, for scenes without time. */
function localTime(longitude: number): string {
  const minutes = Math.round((((LOCAL_HOUR - longitude / 15 + 48) % 24) * 60) % 1440);
  return `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;
}

const METRES_OF_DEGREE = 111_320;
const metresOf = ({ crs, pixelHeight }: PixelGrid): number =>
  crs === 'EPSG:4326' ? Math.round(pixelHeight * METRES_OF_DEGREE) : pixelHeight;

function assetOf({ band, grid, dtype, nodata, source }: MadeBand, { offset, scale }: Radiometry): JsonObject {
  const { id, common } = BAND_IDENTITIES[band];
  const digital = typeof offset === 'number' || offset === undefined ? offset : (offset.get(id) ?? 0);
  const isClass = band === 'scl';
  return {
    href: `./${bandFile(band)}`,
    type: COG_TYPE,
    title: isClass ? 'Scene classification' : `Band ${id}`,
    roles: ['data'],
    gsd: metresOf(grid),
    'proj:shape': [grid.rows, grid.cols],
    'proj:transform': [grid.pixelWidth, 0, grid.west, 0, -grid.pixelHeight, grid.north],
    ...(isClass ? {} : { bands: [{ name: id, 'eo:common_name': common }] }),
    data_type: dtype,
    nodata,
    ...(isClass || digital === undefined
      ? {}
      : { 'raster:scale': scale, 'raster:offset': Number((digital * scale).toPrecision(12)) }),
    'headwater:source': source,
  };
}

/**
 * Offset and scale in an earlier Item of the scene. A new Item keeps them, because the user may have chosen them (for
 * example with `--offset`). Undefined if the Item has no offset.
 */
export function earlierRadiometry(item: unknown): Radiometry | undefined {
  const properties = asObject(own(asObject(item) ?? {}, 'properties')) ?? {};
  const assets = asObject(own(asObject(item) ?? {}, 'assets')) ?? {};
  for (const value of Object.values(assets)) {
    const asset = asObject(value) ?? {};
    const [offset, scale] = [asNumber(own(asset, 'raster:offset')), asNumber(own(asset, 'raster:scale'))];
    if (offset === undefined || asList(own(asset, 'bands')).length === 0) continue;
    const baseline = asText(own(properties, 's2:processing_baseline'));
    const used = scale ?? DEFAULT_SCALE;
    return {
      basis: 'given',
      scale: used,
      offset: Math.round(offset / used),
      ...(baseline === undefined ? {} : { baseline }),
    };
  }
  return undefined;
}
