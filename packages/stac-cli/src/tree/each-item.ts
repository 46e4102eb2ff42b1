import type { JsonObject } from '@headwater/stac';
import { documentText } from './document-text.ts';
import { rebasedDocument, type Rebasing } from './rebase.ts';
import { walkTree, type DocumentTree, type WalkLimits } from './walk.ts';

/** Limits of the walk, and who is told of the Catalogs and Collections on the way, their addresses made absolute. */
export interface EachOptions extends WalkLimits, Pick<Rebasing, 'onLocal'> {
  readonly onNode?: (node: JsonObject) => void;
}

/** Hands every Item of a tree to `take` with its text, one at a time, in the order of the tree, its addresses made absolute. Returns how many. */
export async function eachItem(
  tree: DocumentTree,
  { onNode, onLocal, ...limits }: EachOptions,
  take: (item: JsonObject, text: string) => Promise<void>,
): Promise<number> {
  let count = 0;
  await walkTree<true>(
    tree,
    {
      enter({ href, document }) {
        onNode?.(rebasedDocument(document, { base: href }));
        return true;
      },
      async item({ href, document }) {
        const item = rebasedDocument(document, { base: href, onLocal });
        await take(item, documentText(item, href));
        count += 1;
      },
      leave: () => Promise.resolve(),
    },
    limits,
  );
  return count;
}
