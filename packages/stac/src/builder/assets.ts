import { StacError } from '../errors.ts';
import type { NonEmpty } from '../json.ts';
import { MEDIA } from '../media-types.ts';
import { multihash } from '../multihash.ts';
import type { Asset } from '../types.ts';
import { classObjects } from './classes.ts';
import type { AssetInput, CommonAssets } from './inputs.ts';
import { filledText, httpHref } from './links.ts';

/** Media type and roles of an asset. */
export interface AssetKind {
  readonly type: string;
  readonly roles: NonEmpty<string>;
}

/** Kinds of the assets with fixed keys. */
const ASSET_KINDS = {
  style: { type: MEDIA.xml, roles: ['metadata'] },
  sld: { type: MEDIA.sld, roles: ['metadata'] },
  thumbnail: { type: MEDIA.png, roles: ['thumbnail'] },
} as const satisfies Record<string, AssetKind>;

/** Keys that `others` may not take. */
const FIXED = new Set(['data', 'cog', 'geojson', 'geoparquet', 'table', ...Object.keys(ASSET_KINDS)]);

/** One asset under `key`. Throws `StacError` for a bad href, title, size or checksum, naming the key. */
export function asset(key: string, input: AssetInput, kind: AssetKind): Asset {
  const [first, ...others] = kind.roles;
  return {
    href: httpHref(input.href, `assets.${key}.href`),
    type: filledText(kind.type, `assets.${key}.type`),
    title: filledText(input.title, `assets.${key}.title`),
    ...(input.description === undefined
      ? {}
      : { description: filledText(input.description, `assets.${key}.description`) }),
    roles: [first, ...others],
    ...fileFields(key, input),
  };
}

/** Style, sld, thumbnail and the caller's own, as given. */
export function commonAssets(input: CommonAssets): Record<string, Asset> {
  const assets: Record<string, Asset> = {};
  for (const key of ['style', 'sld', 'thumbnail'] as const) {
    const given = input[key];
    if (given !== undefined) assets[key] = asset(key, given, ASSET_KINDS[key]);
  }
  const { thumbnail } = assets;
  const legend = input.thumbnail?.legend;
  if (thumbnail !== undefined && legend !== undefined)
    assets['thumbnail'] = { ...thumbnail, 'classification:classes': classObjects(legend) };
  for (const [key, given] of Object.entries(input.others ?? {})) {
    if (FIXED.has(key) || !/^[A-Za-z0-9_-]+$/.test(key) || key === '__proto__') {
      throw new StacError(`assets.${key}: this key is taken or unsafe; choose another of letters, digits, - and _`);
    }
    assets[key] = asset(key, given, given);
  }
  return assets;
}

function fileFields(key: string, { file }: AssetInput): Pick<Asset, 'file:size' | 'file:checksum'> {
  if (file === undefined) return {};
  if (!Number.isSafeInteger(file.bytes) || file.bytes < 0) {
    throw new StacError(`assets.${key}.file.bytes: ${String(file.bytes)} is not a size; give whole bytes`);
  }
  const digest = filledText(file.sha256, `assets.${key}.file.sha256`);
  return { 'file:size': file.bytes, 'file:checksum': multihash(digest) };
}
