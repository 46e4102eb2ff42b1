import { isObject, MEDIA } from '@headwater/stac';
import type { Addresses } from '../ports/addresses.ts';
import type { NewItem } from '../ports/catalog.ts';
import type { Deliverable } from '../ports/runs.ts';
import type { PublishedTable } from '../ports/tables.ts';

const FORMS = [
  { form: 'json', suffix: '', type: MEDIA.json },
  { form: 'csv', suffix: '_csv', type: MEDIA.csv },
] as const;

/**
 * The Items of a deliverable with the addresses of the tables that name them: an asset `table_{name}` (JSON) and one `table_{name}_csv`
 * for each, with the role `data`. The addresses answer the newest rows. What an Item itself says under such a key stays.
 */
export function withTableAssets(deliverable: Deliverable, addresses: Pick<Addresses, 'table'>): Deliverable {
  const { tables = [] } = deliverable;
  if (tables.every(({ itemId }) => itemId === undefined)) return deliverable;
  const items = deliverable.items.map((item): NewItem => {
    const own = tables.filter(({ itemId }) => itemId === item.id);
    return own.length === 0 ? item : withAssets(item, own, addresses);
  });
  return { ...deliverable, items };
}

function withAssets(given: NewItem, tables: readonly PublishedTable[], addresses: Pick<Addresses, 'table'>): NewItem {
  const entries = tables.flatMap(({ name, rows, columns }) =>
    FORMS.map(({ form, suffix, type }) => {
      const href = addresses.table(given.collectionPath, name, form);
      const title = `Table ${name} (${form.toUpperCase()})`;
      const description = `${rows.length} rows of ${columns.length} columns when this was published; the newest rows are answered.`;
      return [
        `table_${name.replaceAll('.', '_')}${suffix}`,
        { href, type, title, description, roles: ['data'] },
      ] as const;
    }),
  );
  const assets = isObject(given.item['assets']) ? given.item['assets'] : {};
  return { ...given, item: { ...given.item, assets: { ...assets, ...Object.fromEntries(entries), ...assets } } };
}
