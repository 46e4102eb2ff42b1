import { isObject, MEDIA } from '@headwater/stac';
import { DomainError } from '../errors.ts';
import type { Addresses } from '../ports/addresses.ts';
import type { ItemKey, NewItem } from '../ports/catalog.ts';
import type { Deliverable } from '../ports/runs.ts';
import type { PublishedTable } from '../ports/tables.ts';

const FORMS = [
  { form: 'json', suffix: '', type: MEDIA.json },
  { form: 'csv', suffix: '_csv', type: MEDIA.csv },
] as const;

/**
 * The Items of a deliverable with the addresses of the tables that name them: an asset `table_{name}` (JSON) and one `table_{name}_csv`
 * for each, with the role `data`. The addresses answer the newest rows. What an Item itself says under such a key stays. Where a table
 * belongs to an earlier Item, its addresses go with it for the store to add.
 */
export function withTableAssets(deliverable: Deliverable, addresses: Pick<Addresses, 'table'>): Deliverable {
  if (deliverable.tables === undefined) return deliverable;
  const tables = deliverable.tables.map((table): PublishedTable => {
    const { earlierItem } = table;
    if (earlierItem === undefined) return table;
    return { ...table, earlierItem: { ...earlierItem, assets: assetsOf(table, earlierItem, addresses) } };
  });
  const items = deliverable.items.map((item): NewItem => {
    const own = tables.filter(({ itemId }) => itemId === item.id);
    return own.length === 0 ? item : withAssets(item, own, addresses);
  });
  return { ...deliverable, items, tables };
}

/** An Item with more assets; of two with one key the added one counts. */
export function withAddedAssets(
  item: Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return { ...item, assets: { ...(isObject(item['assets']) ? item['assets'] : {}), ...added } };
}

/**
 * Throws `conflict` where the earlier Item of a table names as many tables of its kind as it may, and the table is none of them. `item`
 * is that Item, undefined where there is none yet.
 */
export function checkTableRoom(
  item: Readonly<Record<string, unknown>> | undefined,
  { name, earlierItem }: Pick<PublishedTable, 'name' | 'earlierItem'>,
): void {
  if (earlierItem?.limit === undefined) return;
  const { names, most, remedy } = earlierItem.limit;
  const assets = isObject(item?.['assets']) ? Object.keys(item['assets']) : [];
  const there = assets.filter((key) => key.startsWith(assetKey(names)) && !key.endsWith('_csv'));
  if (there.length < most || there.includes(assetKey(name))) return;
  throw new DomainError(
    'conflict',
    `Item ${earlierItem.id} names ${there.length} tables ${names}... already, and takes no more of them. ${remedy}`,
  );
}

/** Key of the asset that leads to a table of this name, and what the keys of its other forms begin with. */
const assetKey = (name: string): string => `table_${name.replaceAll('.', '_')}`;

function withAssets(given: NewItem, tables: readonly PublishedTable[], addresses: Pick<Addresses, 'table'>): NewItem {
  const added = Object.assign({}, ...tables.map((table) => assetsOf(table, given, addresses)));
  const own = isObject(given.item['assets']) ? given.item['assets'] : {};
  return { ...given, item: withAddedAssets(withAddedAssets(given.item, added), own) };
}

/** A table's addresses by the keys of their assets. */
function assetsOf(
  { name, rows, columns }: PublishedTable,
  { collectionPath }: Pick<ItemKey, 'collectionPath'>,
  addresses: Pick<Addresses, 'table'>,
): Readonly<Record<string, unknown>> {
  const entries = FORMS.map(({ form, suffix, type }) => {
    const href = addresses.table(collectionPath, name, form);
    const title = `Table ${name} (${form.toUpperCase()})`;
    const description = `${rows.length} rows of ${columns.length} columns when this was published; the newest rows are answered.`;
    return [`${assetKey(name)}${suffix}`, { href, type, title, description, roles: ['data'] }] as const;
  });
  return Object.fromEntries(entries);
}
