import { isObject, type JsonObject } from '@headwater/stac';

/** What becomes of the relative addresses of a document that is written elsewhere. */
export interface Rebasing {
  /** Where the document was read. */
  readonly base: string;
  /** Where it is written; undefined where it has no place of its own (a line, a row). */
  readonly to?: string;
  /** Told of each address that leads to a file of this disk: it stays where it is, and is not in the export. */
  readonly onLocal?: ((href: string) => void) | undefined;
}

/** Assets whose addresses hold elsewhere, those of their alternates too. */
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
 * A link or asset whose address holds elsewhere. It is made absolute; one of a file, which no other machine has, is relative to where the
 * document is written, so that both can be moved together. One that is no address stays as it is, for the validator to tell.
 */
export function rebased(holder: JsonObject, { base, to, onLocal }: Rebasing): JsonObject {
  const { href } = holder;
  if (typeof href !== 'string' || URL.canParse(href) || !URL.canParse(href, base)) return holder;
  const target = new URL(href, base);
  if (target.protocol !== 'file:') return { ...holder, href: target.href };
  onLocal?.(target.href);
  return { ...holder, href: to === undefined ? target.href : relativeFrom(new URL(to), target) };
}

/** A document with its addresses made to hold elsewhere. */
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

/** The path from one file to another; the address of the other where there is none (another disk, another machine). */
function relativeFrom(from: URL, to: URL): string {
  const [start, target] = [from, to].map(({ pathname }) => pathname.split('/')) as [string[], string[]];
  if (from.host !== to.host || (/^[a-z]:$/i.test(target[1] ?? '') && start[1] !== target[1])) return to.href;
  let shared = 0;
  while (shared < start.length - 1 && shared < target.length - 1 && start[shared] === target[shared]) shared += 1;
  const up = '../'.repeat(start.length - 1 - shared);
  return `${up === '' ? './' : up}${target.slice(shared).join('/')}${to.search}${to.hash}`;
}
