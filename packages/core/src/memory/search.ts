import { isObject, joinMembers, membersOf } from '@headwater/stac';
import type { ItemKey, CollectionRecord, PublishedItem } from '../ports/catalog.ts';
import type {
  ItemForm,
  ItemPage,
  ItemSearch,
  SearchRequest,
  SortKey,
  StoredItemText,
  ItemProperty,
  CollectionPage,
  CollectionRequest,
  SearchConditions,
  SearchInterval,
} from '../ports/item-search.ts';
import { extentOfItems } from '../runs/publication.ts';
import { idOfPath } from '../runs/name-conflicts.ts';
import { type CollectionFacts, isListed, pageOfCollections } from '../search/collection-list.ts';
import { type CursorValue, readCursor, writeCursor } from '../search/cursor.ts';
import { sortValue, INSTANT_PATTERN, itemProperties, type PropertyKind, itemTest } from '../search/item-test.ts';
import {
  MAX_PAGE_BYTES,
  MAX_COUNTED_ITEMS,
  queuedSearch,
  SEARCH_TIMEOUT_MS,
  type SearchSlots,
} from '../search/search-queue.ts';
import { searchClock } from '../search/time-slices.ts';
import { comparable, compareValues, cursorKinds, orderName, sortKeys, tieDirection } from '../search/order.ts';
import { type CatalogTables, type ItemRow, type ItemTexts, keyOf } from './catalog-tables.ts';
import { byText, copy } from './copy.ts';
import { placeFilters } from '../search/search-box.ts';
import { itemTimes, spanOf } from '../search/times.ts';

/** Returns the Collection at a path, derived from the Items below the path; undefined without Items. */
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

function listCollections({ items }: CatalogTables, request: CollectionRequest): CollectionPage {
  const rows = [...items.values()];
  const counts = new Map<string, number>();
  for (const { item } of rows) {
    const parts = item.collectionPath.split('/');
    for (let level = 1; level <= parts.length; level++) {
      const path = parts.slice(0, level).join('/');
      counts.set(path, (counts.get(path) ?? 0) + (level === parts.length ? 1 : 0));
    }
  }
  const facts = [...counts].map(([path, itemCount]): CollectionFacts => ({
    path,
    itemCount,
    extent: collectionRecord(rows, path)?.extent ?? null,
  }));
  const { page, ...rest } = pageOfCollections(facts.filter(isListed(request)), request);
  const collections = page.map(({ path, itemCount }) => {
    const record = collectionRecord(rows, path);
    if (record === undefined) throw new Error(`Collection ${path} vanished while it was listed`);
    return { ...record, id: idOfPath(path), itemCount };
  });
  return { collections, ...rest };
}

function pathOfCollection({ items }: CatalogTables, id: string): string | undefined {
  for (const { item } of items.values()) {
    const parts = item.collectionPath.split('/');
    const paths = parts.map((_, level) => parts.slice(0, level + 1).join('/'));
    const found = paths.find((path) => idOfPath(path) === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

const INSTANT = new RegExp(INSTANT_PATTERN);

function propertiesOf(rows: readonly ItemRow[]): readonly ItemProperty[] {
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

/** Maximum numbers of parallel searches, by kind. They are small, because all searches share one thread. */
const SLOTS: SearchSlots = { plain: 4, scanning: 1, costly: 1 };

/** Searches of published Items in memory. */
export function memorySearch(tables: CatalogTables): ItemSearch {
  const { items, aliases, texts } = tables;
  const itemAt = ({ collectionPath, id }: ItemKey, form: ItemForm): StoredItemText | undefined => {
    const name = keyOf(collectionPath, id);
    const row = items.get(name) ?? items.get(aliases.get(name) ?? '');
    return row === undefined ? undefined : withText(row, texts.of(row, form));
  };
  return {
    search: queuedSearch(
      async (request, form) => await searchPage(items.values(), { request, form, texts }),
      SLOTS,
      SEARCH_TIMEOUT_MS,
    ),
    item: async ({ collectionId, id }, form) => {
      const collectionPath = pathOfCollection(tables, collectionId);
      return collectionPath === undefined ? undefined : itemAt({ collectionPath, id }, form);
    },
    itemAt: async (key, form) => itemAt(key, form),
    properties: async (collectionId, most) => propertiesOf(newest(items.values(), collectionId).slice(0, most)),
    collections: async (request) => listCollections(tables, request),
    pathOf: async (id) => pathOfCollection(tables, id),
    unwritten: async (form) => [...items.values()].filter((row) => !texts.has(row, form)).length,
    write: async (form, most, which = 'others') => {
      const isWritten = (row: ItemRow): boolean => (which === 'missing' ? texts.hasAny(row) : texts.has(row, form));
      const left = [...items.values()].filter((row) => !isWritten(row)).slice(0, most);
      for (const row of left) texts.cache(row, form);
      return left.length;
    },
  };
}

interface PageQuery {
  readonly request: SearchRequest;
  readonly form: ItemForm;
  readonly texts: ItemTexts;
}

interface SortedRow {
  readonly row: ItemRow;
  readonly values: readonly CursorValue[];
}

async function searchPage(items: Iterable<ItemRow>, { request, form, texts }: PageQuery): Promise<ItemPage> {
  const keys = sortKeys(request.sort);
  const compare = comparison(keys);
  const rows = [...items];
  const found = (await matching(rows, request)).map((row): SortedRow => ({ row, values: placeOf(row, keys) }));
  found.sort((a, b) => compare(a.values, b.values));
  const after = request.cursor === undefined ? undefined : readPlace(request.cursor, keys);
  const left = after === undefined ? found : found.filter(({ values }) => compare(values, after) > 0);
  const page = fitting(
    left.slice(0, request.limit).map((placed) => ({ ...placed, text: texts.of(placed.row, form) })),
    request.maxBytes ?? MAX_PAGE_BYTES,
  );
  const last = page.at(-1);
  const isWhole = page.length === found.length;
  return {
    items: page.map(({ row, text }) => withText(row, text)),
    ...(last === undefined || page.length === left.length ? {} : { next: writeCursor(orderName(keys), last.values) }),
    ...(isWhole || isCountable(rows, request) ? counted(found.length, request) : {}),
  };
}

async function matching(rows: readonly ItemRow[], request: SearchRequest): Promise<readonly ItemRow[]> {
  const matches = matcher(request);
  const clock = searchClock(SEARCH_TIMEOUT_MS);
  const found: ItemRow[] = [];
  for (const row of rows) {
    await clock.tick();
    if (matches(row)) found.push(row);
  }
  return found;
}

function isCountable(rows: readonly ItemRow[], { collections, ids, maxScannedItems }: SearchRequest): boolean {
  if (maxScannedItems === undefined) return true;
  const named = { ...(collections === undefined ? {} : { collections }), ...(ids === undefined ? {} : { ids }) };
  return rows.filter(matcher(named)).length <= maxScannedItems;
}

function counted(
  found: number,
  { withMatched, mostMatched = MAX_COUNTED_ITEMS }: SearchRequest,
): Pick<ItemPage, 'matched'> {
  return withMatched === true && found <= mostMatched ? { matched: found } : {};
}

function newest(rows: Iterable<ItemRow>, collectionId: string): readonly ItemRow[] {
  const compare = comparison(sortKeys(undefined));
  const placed = [...rows].filter(({ item }) => idOfPath(item.collectionPath) === collectionId);
  return placed.sort((a, b) => compare(placeOf(a, sortKeys(undefined)), placeOf(b, sortKeys(undefined))));
}

function fitting<T extends { readonly text: string }>(page: readonly T[], maxBytes: number): readonly T[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  const end = page.findIndex(({ text }) => (bytes += encoder.encode(text).length) > maxBytes);
  return end === -1 ? page : page.slice(0, Math.max(1, end));
}

function placeOf(row: ItemRow, keys: readonly SortKey[]): readonly CursorValue[] {
  return [...keys.map(({ property }) => sortValue(row.item, property)), row.item.id, idOfPath(row.item.collectionPath)];
}

function readPlace(cursor: string, keys: readonly SortKey[]): readonly CursorValue[] {
  return readCursor(cursor, { order: orderName(keys), kinds: cursorKinds(keys) });
}

function comparison(keys: readonly SortKey[]): (a: readonly CursorValue[], b: readonly CursorValue[]) => number {
  const tie = tieDirection(keys);
  const signs = [...keys.map(({ direction }) => direction), tie, tie].map((each) => (each === 'asc' ? 1 : -1));
  return (a, b) => {
    for (const [index, sign] of signs.entries()) {
      const difference = compareValues(a[index] ?? null, b[index] ?? null);
      if (difference !== 0) return sign * difference;
    }
    return 0;
  };
}

type Condition = (item: PublishedItem) => boolean;

/** Returns a function that checks an Item against all conditions. Throws `validation` for invalid conditions. */
export function matcher(conditions: SearchConditions): (row: ItemRow) => boolean {
  const { collections, ids, interval, filter } = conditions;
  const all: Condition[] = [];
  if (collections !== undefined) {
    const wanted = new Set(collections);
    all.push(({ collectionPath }) => wanted.has(idOfPath(collectionPath)));
  }
  if (ids !== undefined) {
    const wanted = new Set(ids);
    all.push(({ id }) => wanted.has(id));
  }
  if (interval !== undefined) all.push(overlaps(interval));
  for (const each of [...placeFilters(conditions), ...(filter === undefined ? [] : [filter])]) all.push(itemTest(each));
  return ({ item }) => all.every((holds) => holds(item));
}

function overlaps(interval: SearchInterval): Condition {
  const [from, to] = spanOf(interval);
  return ({ item }) => {
    const { start_datetime: start, end_datetime: end } = itemTimes(item);
    return start !== null && end !== null && Date.parse(start) <= to && Date.parse(end) >= from;
  };
}

/** Builds a cache of Items' texts. A changed Item is a new row, so a cached text is never outdated. */
export function itemTexts(): ItemTexts {
  const cache = new WeakMap<ItemRow, { readonly name: string; readonly text: string }>();
  const of = (row: ItemRow, form: ItemForm): string => {
    const cached = cache.get(row);
    return cached?.name === form.name ? cached.text : form.text(copy(row.item));
  };
  return {
    of,
    has: (row, form) => cache.get(row)?.name === form.name,
    hasAny: (row) => cache.has(row),
    cache: (row, form) => cache.set(row, { name: form.name, text: of(row, form) }),
  };
}

/** Returns the text of an Item with the members that identify the Item. */
export function withText({ item, updated }: ItemRow, text: string): StoredItemText {
  const { id, collectionPath, version, runId } = item;
  return { id, collectionPath, version, runId, updated, text };
}
