import type { ChangeCounts, PlaceBundle, Village } from '../ports/places.ts';

type Villages = PlaceBundle['villages'];

/** What the villages of a tehsil are after an import, and how many of them that changes. */
export interface MergedVillages {
  readonly villages: Villages;
  readonly counts: ChangeCounts;
}

/** The villages of a file in their order; with `keepsOthers` those that are there and not in the file stay behind them. */
export function mergeVillages(stored: readonly Village[], given: Villages, keepsOthers: boolean): MergedVillages {
  const wanted = new Set(given.map(keyOf));
  const others = stored.filter((village) => !wanted.has(keyOf(village)));
  const known = new Set(stored.map(textOf));
  const unchanged = given.filter((village) => known.has(textOf(village))).length;
  const kept = keepsOthers ? others : [];
  return {
    villages: [...given, ...kept.map(({ id, name, geometry }) => ({ id, name, geometry }))],
    counts: { stored: given.length - unchanged, unchanged, removed: others.length - kept.length },
  };
}

/** A village is known by its census code; 0 means that it has none. */
const keyOf = ({ id, name }: Villages[number]): string => (id === 0 ? `0 ${name}` : String(id));

const textOf = ({ id, name, geometry }: Villages[number]): string =>
  JSON.stringify([id, name, geometry.type, geometry.coordinates]);
