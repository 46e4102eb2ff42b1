import { isObject, type JsonObject } from '@headwater/stac';

/** Settings for rewriting addresses in a copied document. */
export interface Rebasing {
  /** Address of the original document. */
  readonly base: string;
  /** Address of the copy; undefined for a line or a row of a file. */
  readonly to?: string;
  /**
   * Called for each relative address of a local file, with the absolute address. The export does not contain these
   * files.
   */
  readonly onLocal?: ((href: string) => void) | undefined;
}

/** Assets with rewritten addresses, also of alternates. */
export function rebasedAssets(assets: JsonObject, rebasing: Rebasing): JsonObject {
  return Object.fromEntries(
    Object.entries(assets).map(([key, asset]) => [key, isObject(asset) ? rebasedAsset(asset, rebasing) : asset]),
  );
}

function rebasedAsset(asset: JsonObject, rebasing: Rebasing): JsonObject {
  const { alternate } = asset;
  return {
    ...rebased(asset, rebasing),
    ...(isObject(alternate) ? { alternate: rebasedAssets(alternate, rebasing) } : {}),
  };
}

/**
 * Returns a link or asset with its relative address rewritten: relative to `to` for a local file, otherwise (or without
 * `to`) absolute.
 */
export function rebased(holder: JsonObject, { base, to, onLocal }: Rebasing): JsonObject {
  const { href } = holder;
  if (typeof href !== 'string' || URL.canParse(href) || !URL.canParse(href, base)) return holder;
  const target = new URL(href, base);
  if (target.protocol !== 'file:') return { ...holder, href: target.href };
  onLocal?.(target.href);
  return { ...holder, href: to === undefined ? target.href : relativeFrom(new URL(to), target) };
}

/** A document with rewritten addresses. */
export function rebasedDocument(document: JsonObject, rebasing: Rebasing): JsonObject {
  const { links, assets } = document;
  return {
    ...document,
    ...(Array.isArray(links)
      ? { links: links.map((link: unknown) => (isObject(link) ? rebased(link, rebasing) : link)) }
      : {}),
    ...(isObject(assets) ? { assets: rebasedAssets(assets, rebasing) } : {}),
  };
}

/** Address relative to `from`. Absolute if the files are on different disks or machines. */
function relativeFrom(from: URL, to: URL): string {
  const [start, target] = [from, to].map(({ pathname }) => pathname.split('/')) as [string[], string[]];
  if (from.host !== to.host || (/^[a-z]:$/i.test(target[1] ?? '') && start[1] !== target[1])) return to.href;
  let shared = 0;
  while (shared < start.length - 1 && shared < target.length - 1 && start[shared] === target[shared]) shared += 1;
  const up = '../'.repeat(start.length - 1 - shared);
  return `${up === '' ? './' : up}${target.slice(shared).join('/')}${to.search}${to.hash}`;
}
