import { joinMembers, membersOf } from '@headwater/stac';
import type { CollectionRecord } from '../ports/catalog.ts';
import { extentOfItems } from '../runs/item-extent.ts';
import type { ItemRow } from './catalog-tables.ts';
import { byText } from './copy.ts';

/** The Collection at a path, as the Items below it make it; undefined where there are none. */
export function collectionRecord(rows: readonly ItemRow[], path: string): CollectionRecord | undefined {
  const prefix = path === '' ? '' : `${path}/`;
  const below = rows.map(({ item }) => item).filter(({ collectionPath: at }) => at === path || at.startsWith(prefix));
  if (below.length === 0) return undefined;
  const deeper = below.filter(({ collectionPath: at }) => at.length > prefix.length && at.startsWith(prefix));
  const next = deeper.map(({ collectionPath: at }) => prefix + (at.slice(prefix.length).split('/')[0] ?? ''));
  const own = path === '' ? [] : below.map(({ item }) => item);
  const members = own.length === 0 ? joinMembers([]) : membersOf(own);
  return { path, extent: extentOfItems(own), members, children: [...new Set(next)].sort(byText) };
}
