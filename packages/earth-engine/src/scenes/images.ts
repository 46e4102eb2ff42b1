import type { BandName, PixelGrid } from '@headwater/core/pixel-plan';
import type { Scene } from '@headwater/core';
import { isObject } from '@headwater/core/values';

/** Collection of Sentinel-2 surface reflectance without the offset of processing baseline 04.00. */
export const COLLECTION = 'COPERNICUS/S2_SR_HARMONIZED';

const BAND_IDS: readonly (readonly [BandName, string])[] = [
  ['blue', 'B2'],
  ['green', 'B3'],
  ['red', 'B4'],
  ['nir', 'B8'],
  ['swir16', 'B11'],
  ['swir22', 'B12'],
  ['scl', 'SCL'],
];

/** A band of an image: its name in the collection, and its grid. */
export interface ImageBand {
  /** Id of the image for expressions, such as `COPERNICUS/S2_SR_HARMONIZED/2020...`. */
  readonly imageId: string;
  readonly bandId: string;
  readonly grid: PixelGrid;
}

/** A scene, and its bands by address. */
export interface ListedScene {
  readonly scene: Scene;
  readonly bands: ReadonlyMap<string, ImageBand>;
}

/** A scene, or the reason why a listed image cannot be used. */
export type SceneOrReason = ListedScene | { readonly itemHref: string; readonly reason: string };

const SCALE = 0.0001;

/**
 * Converts a listed image to a scene. Addresses of bands contain `accountId`, so that runs with different accounts
 * have different digests of their inputs.
 */
export function sceneOfImage(
  image: unknown,
  { accountId, origin }: { readonly accountId: number; readonly origin: string },
): SceneOrReason {
  const { name, startTime, properties, geometry, bands } = isObject(image) ? image : {};
  const id = typeof name === 'string' ? name.slice(name.lastIndexOf('/') + 1) : '';
  const itemHref = `${origin}/v1/projects/earthengine-public/assets/${COLLECTION}/${id}`;
  const reject = (reason: string): SceneOrReason => ({ itemHref, reason });
  if (!/^\w{1,100}$/.test(id)) return reject('has no valid name');
  const time = typeof startTime === 'string' ? Date.parse(startTime) : Number.NaN;
  if (Number.isNaN(time)) return reject('has no startTime');
  const bbox = boxOfGeometry(geometry);
  if (bbox === undefined) return reject('has no geometry');
  const found = bandsOf(bands, `${COLLECTION}/${id}`);
  const grid = (found.get('red') ?? found.get('nir'))?.grid;
  if (grid === undefined) return reject('names no grid of band B4 or B8');
  const facts = isObject(properties) ? properties : {};
  const addressed = [...found].map(([band, of]) => {
    const href = `earth-engine:${accountId}/${of.imageId}/${of.bandId}`;
    return { band, href, of };
  });
  const cloudCover = facts['CLOUDY_PIXEL_PERCENTAGE'];
  return {
    scene: {
      id,
      itemHref,
      collection: COLLECTION,
      datetime: new Date(time).toISOString(),
      crs: grid.crs,
      grid,
      bbox,
      bands: Object.fromEntries(
        addressed.map(({ band, href }) => {
          return [band, { href, offset: 0, scale: band === 'scl' ? 1 : SCALE, nodata: 0 }];
        }),
      ),
      processing: processingOf(facts),
      synthetic: false,
      ...(typeof cloudCover === 'number' ? { cloudCover } : {}),
    },
    bands: new Map(addressed.map(({ href, of }) => [href, of] as const)),
  };
}

function processingOf(facts: Readonly<Record<string, unknown>>): Scene['processing'] {
  const { PROCESSING_BASELINE: baseline, GENERATION_TIME: at } = facts;
  return {
    ...(typeof baseline === 'string' ? { baseline } : {}),
    ...(typeof at === 'number' && Number.isFinite(at) ? { at: new Date(at).toISOString() } : {}),
  };
}

function bandsOf(bands: unknown, imageId: string): ReadonlyMap<BandName, ImageBand> {
  const found = new Map<BandName, ImageBand>();
  for (const [name, bandId] of BAND_IDS) {
    const band: unknown = Array.isArray(bands) ? bands.find((each) => isObject(each) && each['id'] === bandId) : null;
    const grid = isObject(band) ? gridOf(band['grid']) : undefined;
    if (grid !== undefined) found.set(name, { imageId, bandId, grid });
  }
  return found;
}

/**
 * Converts a grid; undefined if it is not north-up or is incomplete. A missing number of the transform is 0, because
 * Google omits zeros.
 */
function gridOf(grid: unknown): PixelGrid | undefined {
  const { crsCode, dimensions, affineTransform } = isObject(grid) ? grid : {};
  if (typeof crsCode !== 'string' || !isObject(dimensions) || !isObject(affineTransform)) return undefined;
  const of = (name: string): number => numberOf(affineTransform[name] ?? 0);
  const [cols, rows] = [numberOf(dimensions['width']), numberOf(dimensions['height'])];
  const [pixelWidth, pixelHeight] = [of('scaleX'), -of('scaleY')];
  const isPlain = of('shearX') === 0 && of('shearY') === 0 && pixelWidth > 0 && pixelHeight > 0;
  if (!isPlain || !(cols > 0) || !(rows > 0)) return undefined;
  return { crs: crsCode, west: of('translateX'), north: of('translateY'), pixelWidth, pixelHeight, cols, rows };
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

function boxOfGeometry(geometry: unknown): Scene['bbox'] | undefined {
  const found = isObject(geometry) ? positionsOf(geometry['coordinates']) : [];
  if (found.length === 0) return undefined;
  const [lons, lats] = [found.map(([lon]) => lon), found.map(([, lat]) => lat)];
  return [lons, lats].every((each) => each.every(Number.isFinite))
    ? [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)]
    : undefined;
}

function positionsOf(value: unknown): readonly (readonly [number, number])[] {
  if (!Array.isArray(value)) return [];
  const [lon, lat]: readonly unknown[] = value;
  return typeof lon === 'number' && typeof lat === 'number' ? [[lon, lat]] : value.flatMap(positionsOf);
}
