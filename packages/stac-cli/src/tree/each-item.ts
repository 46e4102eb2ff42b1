import type { JsonObject } from '@headwater/stac';
import { documentText } from './document-text.ts';
import { rebasedDocument, type Rebasing } from './rebase.ts';
import { walkTree, type DocumentTree, type WalkLimits } from './walk.ts';

/** Limits of the walk, and a callback for Catalogs and Collections. */
export interface EachItemOptions extends WalkLimits, Pick<Rebasing, 'onLocal'> {
  readonly onNode?: (node: JsonObject) => void;
}

/** Calls `take` for each Item in tree order. Addresses in Items are absolute. Returns the number of Items. */
export async function eachItem(
  tree: DocumentTree,
  { onNode, onLocal, ...limits }: EachItemOptions,
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
