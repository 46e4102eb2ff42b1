import { INSTANT_PATTERN, isStorable, itemProperties, type ItemProperty, type PropertyKind } from '@headwater/core';
import type { Sql } from '../database.ts';

/** Of the Items whose data are the latest, by a step of the index for each; what they hold in lists and objects is not in the column. */
const KINDS = `select e.key as name, jsonb_typeof(e.value) as kind,
    bool_and(case jsonb_typeof(e.value) when 'number' then (e.value #>> '{}')::numeric % 1 = 0 else false end) as "isWhole",
    bool_and(case jsonb_typeof(e.value) when 'string' then e.value #>> '{}' ~ $3 else false end) as "isInstant"
  from (select properties from headwater.items where collection_id = $1
    order by start_key desc, id desc limit $2::int) i, jsonb_each(i.properties) e
  group by 1, 2`;

/** What the newest Items of a Collection have in `properties` that can be compared. */
export async function propertiesOf(sql: Sql, collectionId: string, most: number): Promise<readonly ItemProperty[]> {
  if (!isStorable(collectionId)) return [];
  return itemProperties(await sql.rows<PropertyKind>(KINDS, [collectionId, most, INSTANT_PATTERN]));
}
