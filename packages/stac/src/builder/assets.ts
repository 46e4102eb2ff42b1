import { StacError } from '../errors.ts';
import type { NonEmpty } from '../json.ts';
import { MEDIA } from '../media-types.ts';
import { multihash } from '../multihash.ts';
import type { Asset, SideAssets } from '../types.ts';
import { classObjects } from './classes.ts';
import type { AssetInput, CommonAssets, ExtraAssetInput } from './inputs.ts';
import { filledText, httpHref } from './links.ts';

/** Media type and roles of an asset. */
export interface AssetKind {
  readonly type: string;
  readonly roles: NonEmpty<string>;
}

/** Fields that only some assets have. */
export type AssetFields = Partial<Omit<Asset, 'href' | 'type' | 'title' | 'roles'>>;

const ASSET_KINDS = {
  style: { type: MEDIA.xml, roles: ['metadata'] },
  sld: { type: MEDIA.sld, roles: ['metadata'] },
  thumbnail: { type: MEDIA.png, roles: ['thumbnail'] },
} as const satisfies Record<string, AssetKind>;

/** Reserved keys that `others` cannot contain. */
const FIXED = new Set(['data', 'cog', 'geojson', 'geoparquet', 'table', ...Object.keys(ASSET_KINDS)]);

/** Builds an asset. Throws `StacError` for a bad href, title, size or checksum. */
export function asset<const Kind extends AssetKind>(key: string, input: AssetInput, kind: Kind): Asset<Kind['type']> {
  const [first, ...others] = kind.roles;
  filledText(kind.type, `assets.${key}.type`);
  return {
    href: httpHref(input.href, `assets.${key}.href`),
    type: kind.type,
    title: filledText(input.title, `assets.${key}.title`),
    ...(input.description === undefined
      ? {}
      : { description: filledText(input.description, `assets.${key}.description`) }),
    roles: [first, ...others],
    ...fileFields(key, input),
  };
}

type FieldsOf = (input: ExtraAssetInput) => AssetFields;

/** Builds style, SLD, thumbnail and the assets of `others`. */
export function commonAssets({ style, sld, thumbnail, others }: CommonAssets, fieldsOf: FieldsOf): SideAssets {
  const legend = thumbnail?.legend;
  return {
    ...(style === undefined ? {} : { style: asset('style', style, ASSET_KINDS.style) }),
    ...(sld === undefined ? {} : { sld: asset('sld', sld, ASSET_KINDS.sld) }),
    ...(thumbnail === undefined
      ? {}
      : {
          thumbnail: {
            ...asset('thumbnail', thumbnail, ASSET_KINDS.thumbnail),
            ...(legend === undefined ? {} : { 'classification:classes': classObjects(legend) }),
          },
        }),
    ...Object.fromEntries(
      Object.entries(others ?? {}).map(([key, input]) => [key, { ...ownAsset(key, input), ...fieldsOf(input) }]),
    ),
  };
}

function ownAsset(key: string, input: ExtraAssetInput): Asset {
  if (FIXED.has(key) || !/^[A-Za-z0-9_-]+$/.test(key) || key === '__proto__') {
    throw new StacError(
      `assets.${key}: this key is already used or not safe; choose another key of letters, digits, - and _`,
    );
  }
  return asset(key, input, input);
}

function fileFields(key: string, { file }: AssetInput): Pick<Asset, 'file:size' | 'file:checksum'> {
  if (file === undefined) return {};
  if (!Number.isSafeInteger(file.bytes) || file.bytes < 0) {
    throw new StacError(`assets.${key}.file.bytes: ${String(file.bytes)} is not a size; give whole bytes`);
  }
  const digest = filledText(file.sha256, `assets.${key}.file.sha256`);
  return { 'file:size': file.bytes, 'file:checksum': multihash(digest) };
}
