import type { BandName } from '@headwater/core/pixel-plan';
import { asList, asNumber, asObject, asText, own, type JsonObject } from './json.ts';

/** Sentinel-2 band id and STAC common name. */
export interface BandIdentity {
  readonly id: string;
  readonly common: string;
}

/** Names of the bands that land cover uses. */
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

/** Asset of an Item, with its key. */
export interface NamedAsset {
  readonly key: string;
  readonly asset: JsonObject;
}

/**
 * Finds the asset of a band. Looks for the band id as key (`B04`, `B04_10m`), then for the common name as key (`red`).
 * Otherwise looks for the common name in the fields, then for the band id in the file name. Of several assets, the one
 * with the smallest pixels is chosen. Assets that are not TIFFs, such as JPEG 2000, are ignored.
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
 * Size that stands for an unknown pixel size. It is larger than any pixel, so unknown sizes come last; finite, because
 * the difference of two infinities is NaN.
 */
const UNKNOWN_SIZE = Number.MAX_VALUE;

/**
 * Pixel size in metres: from the key, the file name, or the fields. `gsd` is last, because it may be the sensor's
 * resolution.
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

/** True for a TIFF, by the media type or, without media type, by the ending. */
export function isTiff(asset: JsonObject): boolean {
  const type = asText(own(asset, 'type'));
  if (type !== undefined) return /^image\/(?:tiff|vnd\.stac\.geotiff|x\.geotiff)/i.test(type);
  return /\.tiff?(?:$|\?)/i.test(asText(own(asset, 'href')) ?? '');
}

function commonName(asset: JsonObject): string | undefined {
  for (const member of ['eo:bands', 'bands']) {
    const bands = asList(own(asset, member));
    const only = bands.length === 1 ? asObject(bands[0]) : undefined;
    const name = only && (asText(own(only, 'eo:common_name')) ?? asText(own(only, 'common_name')));
    if (name !== undefined) return name;
  }
  return asText(own(asset, 'eo:common_name'));
}
