import { isList, isObject, type NonEmpty } from '../json.ts';
import type { ItemAsset } from '../types.ts';

/** Summary of Items as plain JSON. `membersOf` summarizes Items; `joinMembers` joins summaries. */
export interface Members {
  /** Distinct values by property; ascending, numbers first. */
  readonly values: Readonly<Record<string, readonly (string | number)[]>>;
  /** Distinct texts of asset fields by asset key; ascending. */
  readonly assets: Readonly<Record<string, Readonly<Record<AssetField, readonly string[]>>>>;
}

/** Collection fields that summarize members. */
export interface MemberFields {
  readonly summaries?: Readonly<Record<string, MemberSummary>>;
  readonly item_assets?: Readonly<Record<string, ItemAsset>>;
}

type MemberSummary = NonEmpty<string | number> | { readonly minimum: number; readonly maximum: number };

type AssetField = 'type' | 'title' | 'roles';

/** Properties that are summarized. Keywords are left out, because they contain names of places. */
const SUMMARIZED = ['gsd', 'proj:code', 'processing:version', 'platform', 'constellation', 'instruments'];

/** Summarizes stored Items. Ignores values of fields that are neither texts nor finite numbers. */
export function membersOf(items: readonly object[]): Members {
  return joinMembers(items.map(oneMember));
}

/** Joins summaries; order and grouping do not matter. */
export function joinMembers(all: readonly Members[]): Members {
  const values = new Map<string, Set<string | number>>();
  const assets = new Map<string, Record<AssetField, Set<string>>>();
  for (const members of all) {
    for (const [name, some] of Object.entries(members.values))
      addAll(
        place(values, name, () => new Set()),
        some,
      );
    for (const [key, fields] of Object.entries(members.assets)) {
      const seen = place(assets, key, () => ({ type: new Set(), title: new Set(), roles: new Set() }));
      for (const field of ['type', 'title', 'roles'] as const) addAll(seen[field], fields[field]);
    }
  }
  return {
    values: byName(values, sorted),
    assets: byName(assets, ({ type, title, roles }) => ({
      type: sorted(type),
      title: sorted(title),
      roles: sorted(roles),
    })),
  };
}

/** `summaries` and `item_assets` of a Collection; STAC requires that empty fields are omitted. */
export function memberFields({ values, assets }: Members): MemberFields {
  const summaries = Object.fromEntries(
    Object.entries(values).flatMap(([name, [first, ...others]]) =>
      first === undefined ? [] : [[name, summary([first, ...others])] as const],
    ),
  );
  // STAC requires at least two fields in a definition of `item_assets`, so definitions with only roles are omitted.
  const described = Object.entries(assets).filter(([, { type, title }]) => type.length + title.length > 0);
  const itemAssets = Object.fromEntries(described.map(([key, fields]) => [key, itemAsset(fields)]));
  return {
    ...(Object.keys(summaries).length === 0 ? {} : { summaries }),
    ...(Object.keys(itemAssets).length === 0 ? {} : { item_assets: itemAssets }),
  };
}

function oneMember(item: object): Members {
  const { properties, assets } = { properties: undefined, assets: undefined, ...item } as Record<string, unknown>;
  const found = isObject(properties) ? properties : {};
  const all = isObject(assets) ? Object.entries(assets).filter(([, asset]) => isObject(asset)) : [];
  return {
    values: Object.fromEntries(
      SUMMARIZED.map((name) => [name, scalars(found[name])]).filter(([, some]) => some?.length),
    ),
    assets: Object.fromEntries(all.map(([key, asset]) => [key, fieldsOf(isObject(asset) ? asset : {})])),
  };
}

function fieldsOf({ type, title, roles }: Readonly<Record<string, unknown>>): Record<AssetField, readonly string[]> {
  return { type: texts(type), title: texts(title), roles: texts(roles) };
}

function scalars(value: unknown): readonly (string | number)[] {
  const list: readonly unknown[] = isList(value) ? value : [value];
  return list.filter(
    (each): each is string | number => typeof each === 'string' || (typeof each === 'number' && Number.isFinite(each)),
  );
}

function texts(value: unknown): readonly string[] {
  return scalars(value).filter((each) => typeof each === 'string');
}

function summary(all: NonEmpty<string | number>): MemberSummary {
  const numbers = all.filter((each) => typeof each === 'number');
  if (numbers.length !== all.length) return all;
  // `Math.min(...all)` would fail for too many arguments.
  return {
    minimum: numbers.reduce((least, each) => Math.min(least, each), Infinity),
    maximum: numbers.reduce((most, each) => Math.max(most, each), -Infinity),
  };
}

/** Definition of an asset key. If there are several types or titles, the description lists them. */
function itemAsset({ type, title, roles }: Readonly<Record<AssetField, readonly string[]>>): ItemAsset {
  const description = [type, title].filter((all) => all.length > 1).map((all) => all.join(' or '));
  return {
    ...(type.length === 1 ? { type: type[0] } : {}),
    ...(title.length === 1 ? { title: title[0] } : {}),
    ...(description.length === 0 ? {} : { description: description.join(': ') }),
    roles: [...roles],
  };
}

function place<T>(map: Map<string, T>, key: string, make: () => T): T {
  const there = map.get(key) ?? make();
  map.set(key, there);
  return there;
}

function addAll<T>(to: Set<T>, values: readonly T[]): void {
  for (const value of values) to.add(value);
}

function sorted<T extends string | number>(values: ReadonlySet<T>): readonly T[] {
  const rank = (value: T): number => (typeof value === 'number' ? 0 : 1);
  return [...values].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function byName<T, R>(map: ReadonlyMap<string, T>, make: (value: T) => R): Readonly<Record<string, R>> {
  const entries = [...map].map(([name, value]): [string, R] => [name, make(value)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
