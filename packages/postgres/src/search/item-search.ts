import { INSTANT_PATTERN, itemProperties, kindOf, type PropertyKind, queuedSearch } from '@headwater/core/search';
import { isStorable } from '@headwater/core/values';
import type { ItemForm, ItemProperty, ItemSearch, StoredItemText } from '@headwater/core/ports';
import type { Database, Statement, Sql } from '../database.ts';
import { itemTextColumns, type ItemTextRow, withText } from '../texts/item-text.ts';
import { unwritten, writeTexts } from '../texts/write-texts.ts';
import { listCollections, pathOfCollection } from './collections.ts';
import { largeSets } from './large-sets.ts';
import { scanItems } from './scan-items.ts';
import { searchItems } from './search-items.ts';

const KINDS = `select e.key as name, jsonb_typeof(e.value) as kind,
    bool_and(case jsonb_typeof(e.value) when 'number' then (e.value #>> '{}')::numeric % 1 = 0 else false end) as "isWhole",
    bool_and(case jsonb_typeof(e.value) when 'string' then e.value #>> '{}' ~ $3 else false end) as "isInstant"
  from (select properties from headwater.items where collection_id = $1
    order by start_key desc, id desc limit $2::int) i, jsonb_each(i.properties) e
  group by 1, 2`;

async function propertiesOf(sql: Sql, collectionId: string, most: number): Promise<readonly ItemProperty[]> {
  if (!isStorable(collectionId)) return [];
  return itemProperties(await sql.rows<PropertyKind>(KINDS, [collectionId, most, INSTANT_PATTERN]));
}

/**
 * Subquery for the path of a Collection by its id. It is part of the statement that reads an Item, because a second
 * statement would need another round trip.
 */
const PATH = '(select path from headwater.collection_names where id = $1)';
const BY_NAME = itemStatements('headwater_item_text', PATH);
const BY_PLACE = itemStatements('headwater_item_text_at', '$1');

interface ItemStatements {
  readonly present: Statement;
  readonly former: string;
}

function itemStatements(name: string, path: string): ItemStatements {
  const columns = itemTextColumns('$3');
  return {
    present: {
      name,
      text: `select ${columns} from headwater.items i where i.collection_path = ${path} and i.id = $2`,
    },
    former: `select ${columns} from headwater.items i where (i.collection_path, i.id) =
      (select present_path, present_id from headwater.item_aliases where collection_path = ${path} and id = $2)`,
  };
}

/** Searches of published Items in PostgreSQL. */
export function itemSearch(sql: Database): ItemSearch {
  const large = largeSets();
  const { slots, timeoutMs } = sql.searchLimits;
  const item = async (
    { present, former }: ItemStatements,
    name: readonly string[],
    form: ItemForm,
  ): Promise<StoredItemText | undefined> => {
    const values = [...name, form.name];
    if (!values.every(isStorable)) return undefined;
    const row = (await sql.first<ItemTextRow>(present, values)) ?? (await sql.first<ItemTextRow>(former, values));
    return row === undefined ? undefined : withText(row, form);
  };
  return {
    search: queuedSearch(
      async (request, form) =>
        // A costly search runs in short statements, because the embedded database cannot stop a statement.
        sql.embedded && kindOf(request) === 'costly'
          ? await scanItems({ sql: sql.searches, timeoutMs }, request, form)
          : await searchItems({ sql: sql.searches, large }, request, form),
      slots,
      timeoutMs,
    ),
    item: async ({ collectionId, id }, form) => await item(BY_NAME, [collectionId, id], form),
    itemAt: async ({ collectionPath, id }, form) => await item(BY_PLACE, [collectionPath, id], form),
    properties: async (collectionId, most) => await propertiesOf(sql, collectionId, most),
    collections: async (request) => await listCollections(sql, request),
    pathOf: async (id) => await pathOfCollection(sql, id),
    unwritten: async (form) => await unwritten(sql, form),
    write: async (form, most, which) => await writeTexts(sql, form, { most, which }),
  };
}
