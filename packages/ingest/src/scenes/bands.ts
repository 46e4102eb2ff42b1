import type { BandName } from '@headwater/core/pixel-plan';
import { asList, asNumber, asObject, asText, own, type JsonObject } from './json.ts';

/** Names of a band: its Sentinel-2 band id, and its STAC common name. */
export interface BandIdentity {
  readonly id: string;
  readonly common: string;
}

/** Sentinel-2 band id and STAC common name of each band that land cover uses. */
export const BAND_IDENTITIES: Readonly<Record<BandName, BandIdentity>> = {
  blue: { id: 'B02', common: 'blue' },
  green: { id: 'B03', common: 'green' },
  red: { id: 'B04', common: 'red' },
  nir: { id: 'B08', common: 'nir' },
  swir16: { id: 'B11', common: 'swir16' },
  swir22: { id: 'B12', common: 'swir22' },
  scl: { id: 'SCL', common: 'scl' },
};

/** All bands that land cover uses. */
export const BAND_NAMES: readonly BandName[] = ['blue', 'green', 'red', 'nir', 'swir16', 'swir22', 'scl'];

/** An asset of an Item, with its key. */
export interface NamedAsset {
  readonly key: string;
  readonly asset: JsonObject;
}

/**
 * Finds the asset of a band in an Item. Tries four ways in this order: the asset's key is the band id (`B04`, `b04`, `B04_10m`, `B04.tif`); the
 * key is the name in Earth Search (`red`); the asset's single band has the common name (STAC 1.0 `eo:bands`, 1.1 `bands`); the file name contains
 * the band id (`..._B04_10m.tif`). `B8A` never matches `B08`. Ignores JPEG 2000 copies (`red-jp2`). If several assets match in the same way
 * (`B04_10m`, `B04_20m`, `B04_60m`), chooses the asset with the smallest pixels.
 */
export function findBand(assets: JsonObject, band: BandName): NamedAsset | undefined {
  const { id, common } = BAND_IDENTITIES[band];
  const named = Object.entries(assets).flatMap(([key, value]) => {
    const asset = asObject(value);
    return asset !== undefined && isTiff(asset) ? [{ key, asset }] : [];
  });
  const finest = (test: (asset: NamedAsset) => boolean): NamedAsset | undefined =>
    named.filter(test).toSorted((a, b) => pixelSize(a) - pixelSize(b))[0];
  const resolution = new RegExp(`^${id.toLowerCase()}(?:_\\d+m)?(?:\\.tiff?)?$`);
  const file = new RegExp(`(?:^|[/_])${id}(?:_\\d+m)?\\.tiff?(?:$|\\?)`, 'i');
  return (
    finest(({ key }) => resolution.test(key.toLowerCase())) ??
    finest(({ key }) => key.toLowerCase() === common) ??
    finest(({ asset }) => commonName(asset) === common) ??
    finest(({ asset }) => file.test(asText(own(asset, 'href')) ?? ''))
  );
}

/**
 * Pixel size of assets that state no size. The number is larger than any pixel, so such assets are sorted last. The number is
 * finite, because the difference of two infinities is NaN.
 */
const UNKNOWN_SIZE = Number.MAX_VALUE;

/**
 * Pixel size of an asset in metres: from its key or file name, otherwise from its fields. `gsd` is used last, because `gsd` may be
 * the resolution of the sensor and not that of the file.
 */
function pixelSize({ key, asset }: NamedAsset): number {
  const name = asText(own(asset, 'href')) ?? '';
  const [, named] = /_(\d+)m(?:\.tiff?)?$/i.exec(key) ?? /_(\d+)m\.tiff?(?:$|\?)/i.exec(name) ?? [];
  if (named !== undefined) return Number(named);
  const band = asObject(asList(own(asset, 'raster:bands'))[0]);
  const [width] = asList(own(asset, 'proj:transform'));
  return (
    asNumber(own(asset, 'raster:spatial_resolution')) ??
    (band && asNumber(own(band, 'spatial_resolution'))) ??
    asNumber(width) ??
    asNumber(own(asset, 'gsd')) ??
    UNKNOWN_SIZE
  );
}

/** True for a TIFF by media type, or by the ending of the file name if the media type is missing. */
export function isTiff(asset: JsonObject): boolean {
  const type = asText(own(asset, 'type'));
  if (type !== undefined) return /^image\/(?:tiff|vnd\.stac\.geotiff|x\.geotiff)/i.test(type);
  return /\.tiff?(?:$|\?)/i.test(asText(own(asset, 'href')) ?? '');
}

/**
 * Common name of an asset with exactly one band; undefined for an asset with several bands, such as a visual composite.
 */
function commonName(asset: JsonObject): string | undefined {
  for (const member of ['eo:bands', 'bands']) {
    const bands = asList(own(asset, member));
    const only = bands.length === 1 ? asObject(bands[0]) : undefined;
    const name = only && (asText(own(only, 'eo:common_name')) ?? asText(own(only, 'common_name')));
    if (name !== undefined) return name;
  }
  return asText(own(asset, 'eo:common_name'));
}
