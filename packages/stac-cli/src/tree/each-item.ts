import { isObject, type JsonObject } from '@headwater/stac';
import { absoluteAssets, withAbsolute } from './absolute.ts';
import { walkTree, type DocumentTree, type WalkLimits } from './walk.ts';

/** Limits of the walk, and who is told of the Catalogs and Collections on the way. */
export interface EachOptions extends WalkLimits {
  readonly onNode?: (node: JsonObject) => void;
}

/** Hands every Item of a tree to `take`, one at a time, in the order of the tree, its addresses made absolute. Returns how many. */
export async function eachItem(
  tree: DocumentTree,
  { onNode, ...limits }: EachOptions,
  take: (item: JsonObject) => Promise<void>,
): Promise<number> {
  let count = 0;
  await walkTree<true>(
    tree,
    {
      enter({ document }) {
        onNode?.(document);
        return true;
      },
      async item({ href, document }) {
        await take(absoluteItem(document, href));
        count += 1;
      },
      leave: () => Promise.resolve(),
    },
    limits,
  );
  return count;
}

function absoluteItem(item: JsonObject, base: string): JsonObject {
  const { links, assets } = item;
  return {
    ...item,
    ...(Array.isArray(links)
      ? { links: links.map((link: unknown) => (isObject(link) ? withAbsolute(link, base) : link)) }
      : {}),
    ...(isObject(assets) ? { assets: absoluteAssets(assets, base) } : {}),
  };
}
