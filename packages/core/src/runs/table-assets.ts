import { isObject, MEDIA } from '@headwater/stac';
import { DomainError } from '../errors.ts';
import type { Addresses } from '../ports/host.ts';
import type { ItemKey, NewItem } from '../ports/catalog.ts';
import type { Deliverable } from '../ports/runs.ts';
import type { PublishedTable } from '../ports/tables.ts';

const FORMS = [
  { form: 'json', suffix: '', type: MEDIA.json },
  { form: 'csv', suffix: '_csv', type: MEDIA.csv },
] as const;

/**
 * Adds the assets `table_{name}` (JSON) and `table_{name}_csv` to the Items of the deliverable's tables; their existing
 * assets with equal keys stay. For a table of an Item of an earlier run, sets `earlierItem.assets` instead.
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

/** Adds assets to an Item and replaces assets with equal keys. */
export function withAddedAssets(
  item: Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return { ...item, assets: { ...(isObject(item['assets']) ? item['assets'] : {}), ...added } };
}

/**
 * Throws `conflict` if the earlier Item already has the maximum number of other tables whose names begin with
 * `limit.names`.
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
    `Item ${earlierItem.id} already has ${there.length} tables whose names begin with ${names}; this is the maximum. ${remedy}`,
  );
}

const assetKey = (name: string): string => `table_${name.replaceAll('.', '_')}`;

function withAssets(item: NewItem, tables: readonly PublishedTable[], addresses: Pick<Addresses, 'table'>): NewItem {
  const added = Object.assign({}, ...tables.map((table) => assetsOf(table, item, addresses)));
  const own = isObject(item.item['assets']) ? item.item['assets'] : {};
  return { ...item, item: withAddedAssets(withAddedAssets(item.item, added), own) };
}

function assetsOf(
  { name, rows, columns }: PublishedTable,
  { collectionPath }: Pick<ItemKey, 'collectionPath'>,
  addresses: Pick<Addresses, 'table'>,
): Readonly<Record<string, unknown>> {
  const entries = FORMS.map(({ form, suffix, type }) => {
    const href = addresses.table(collectionPath, name, form);
    const title = `Table ${name} (${form.toUpperCase()})`;
    const description = `${rows.length} rows of ${columns.length} columns at publication; the address returns the newest rows.`;
    return [`${assetKey(name)}${suffix}`, { href, type, title, description, roles: ['data'] }] as const;
  });
  return Object.fromEntries(entries);
}
