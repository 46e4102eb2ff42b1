import { isObject, type JsonObject } from '@headwater/stac';

/** Assets with their addresses made absolute, those of their alternates too. */
export function absoluteAssets(assets: JsonObject, base: string): JsonObject {
  return Object.fromEntries(
    Object.entries(assets).map(([key, asset]) => [key, isObject(asset) ? absoluteAsset(asset, base) : asset]),
  );
}

function absoluteAsset(asset: JsonObject, base: string): JsonObject {
  const { alternate } = asset;
  return {
    ...withAbsolute(asset, base),
    ...(isObject(alternate) ? { alternate: absoluteAssets(alternate, base) } : {}),
  };
}

/** A link or asset with its address made absolute; one that is no address stays as it is, for the validator to tell. */
export function withAbsolute(holder: JsonObject, base: string): JsonObject {
  const { href } = holder;
  if (typeof href !== 'string' || URL.canParse(href) || !URL.canParse(href, base)) return holder;
  return { ...holder, href: new URL(href, base).href };
}
