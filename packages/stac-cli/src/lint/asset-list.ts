import { isObject, type JsonObject } from '@headwater/stac';

/** An asset with its place in the tree. */
export interface ListedAsset {
  readonly document: string;
  readonly pointer: string;
  /** Absolute address. */
  readonly href: string;
  readonly type: string | undefined;
  /** `file:size`, bytes. */
  readonly size: number | undefined;
}

/** The assets of a document whose addresses can be resolved. The validator reports the other assets. */
export function assetsOf(document: string, value: unknown): ListedAsset[] {
  const assets = isObject(value) && isObject(value['assets']) ? value['assets'] : {};
  return Object.entries(assets).flatMap(([key, asset]) => (isObject(asset) ? listed(document, key, asset) : []));
}

function listed(document: string, key: string, { href, type, 'file:size': size }: JsonObject): ListedAsset[] {
  if (typeof href !== 'string' || !URL.canParse(href, document)) return [];
  return [
    {
      document,
      pointer: `/assets/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      href: new URL(href, document).href,
      type: typeof type === 'string' ? type : undefined,
      size: typeof size === 'number' ? size : undefined,
    },
  ];
}
