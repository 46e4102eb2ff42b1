import { isObject } from '@headwater/stac';
import type { ItemProperty } from '../ports/item-search.ts';
import { INSTANT_PATTERN, itemProperties, type PropertyKind } from '../search/item-properties.ts';
import { comparable } from '../search/order.ts';
import type { ItemRow } from './catalog-tables.ts';

const INSTANT = new RegExp(INSTANT_PATTERN);

/** What these Items have in `properties` that can be compared. */
export function propertiesOf(rows: readonly ItemRow[]): readonly ItemProperty[] {
  const values = rows.flatMap(({ item: { item } }) =>
    Object.entries(isObject(item['properties']) ? item['properties'] : {}),
  );
  const kinds = Map.groupBy(values, ([name, value]) => JSON.stringify([comparable(name), typeof value]));
  return itemProperties([...kinds.values()].map(kindOf));
}

function kindOf(values: readonly (readonly [name: string, value: unknown])[]): PropertyKind {
  const [[name, first] = ['', null]] = values;
  return {
    name: String(comparable(name)),
    kind: typeof first,
    isWhole: values.every(([, value]) => Number.isInteger(value)),
    isInstant: values.every(([, value]) => typeof value === 'string' && INSTANT.test(value)),
  };
}
