import type { ChangeCounts, PlaceBundle, Village } from '../ports/places.ts';

type Villages = PlaceBundle['villages'];

/** Villages of a tehsil after an import, with the numbers of changes. */
export interface MergedVillages {
  readonly villages: Villages;
  readonly counts: ChangeCounts;
}

/** Returns the villages of a file in their order. With `keepsOthers`, all other stored villages follow. */
export function mergeVillages(stored: readonly Village[], imported: Villages, keepsOthers: boolean): MergedVillages {
  const wanted = new Set(imported.map(keyOf));
  const others = stored.filter((village) => !wanted.has(keyOf(village)));
  const known = new Set(stored.map(textOf));
  const unchanged = imported.filter((village) => known.has(textOf(village))).length;
  const remaining = keepsOthers ? others : [];
  return {
    villages: [...imported, ...remaining.map(({ id, name, geometry }) => ({ id, name, geometry }))],
    counts: { stored: imported.length - unchanged, unchanged, removed: others.length - remaining.length },
  };
}

/** Census code of a village; for a village without a code (`id` 0), its name. */
const keyOf = ({ id, name }: Villages[number]): string => (id === 0 ? `0 ${name}` : String(id));

const textOf = ({ id, name, geometry }: Villages[number]): string =>
  JSON.stringify([id, name, geometry.type, geometry.coordinates]);
