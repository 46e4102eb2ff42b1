import { placeSlug } from '@headwater/stac';
import { invalidField } from '../errors.ts';
import { mergeVillages } from '../places/merge-villages.ts';
import type {
  ChangeCounts,
  Mws,
  Place,
  PlaceBundle,
  PlaceChange,
  State,
  Tehsil,
  Dataset,
  District,
  Village,
} from '../ports/places.ts';
import { copy } from './copy.ts';

/** The place directory as lists of rows. */
export interface PlaceTables {
  /** The highest id so far in each list, because ids are not reused. */
  readonly lastIds: Map<readonly State[], number>;
  readonly states: State[];
  readonly districts: District[];
  readonly tehsils: Tehsil[];
  readonly mws: Map<number, readonly Mws[]>;
  readonly villages: Map<number, readonly Village[]>;
  readonly datasets: Dataset[];
  readonly imported: Set<number>;
  /** Keys of the units that an operator made inactive. */
  readonly staysInactive: Set<string>;
}

interface Saving {
  /** Throws for a bundle that cannot be saved. */
  readonly check: (bundle: PlaceBundle) => void;
  readonly save: (tables: PlaceTables, bundle: PlaceBundle) => Place;
  readonly isTrial: boolean;
}

/** `PlaceStore.saveChanges` in memory. Checks and counts all changes before it saves the first one. */
export async function saveChanges(
  tables: PlaceTables,
  changes: () => AsyncIterable<PlaceChange>,
  { check, save, isTrial }: Saving,
): Promise<ChangeCounts> {
  const total = { stored: 0, unchanged: 0, removed: 0 };
  const bundles: PlaceBundle[] = [];
  for await (const change of changes()) {
    const { bundle, counts } = merged(tables, copy(change));
    check(bundle);
    bundles.push(bundle);
    total.stored += counts.stored;
    total.unchanged += counts.unchanged;
    total.removed += counts.removed;
  }
  if (!isTrial) for (const bundle of bundles) tables.imported.add(save(tables, bundle).tehsil.id);
  return total;
}

function merged(tables: PlaceTables, change: PlaceChange): { bundle: PlaceBundle; counts: ChangeCounts } {
  const { state, district, tehsil, geometry, mws, villages, keepsOthers = false } = change;
  const existing = tehsilOf(tables, change);
  if (existing === undefined && geometry === undefined)
    throw invalidField('tehsil', `"${tehsil}" is not a known tehsil; import its boundary first, or correct the name`);
  const own = { mws: tables.mws.get(existing?.id ?? 0) ?? [], villages: tables.villages.get(existing?.id ?? 0) ?? [] };
  const all = [
    geometry === undefined ? undefined : countOne(same(existing?.geometry, geometry)),
    mws === undefined ? undefined : mwsCounts(own.mws, mws, keepsOthers),
    villages === undefined ? undefined : mergeVillages(own.villages, villages, keepsOthers).counts,
  ].filter((counts) => counts !== undefined);
  const sum = (name: keyof ChangeCounts): number => all.reduce((before, counts) => before + counts[name], 0);
  return {
    bundle: {
      state,
      district,
      tehsil,
      geometry: geometry ?? existing?.geometry ?? null,
      mws: mws === undefined ? own.mws : [...mws, ...(keepsOthers ? othersOf(own.mws, mws) : [])],
      villages: villages === undefined ? own.villages : mergeVillages(own.villages, villages, keepsOthers).villages,
    },
    counts: { stored: sum('stored'), unchanged: sum('unchanged'), removed: sum('removed') },
  };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const countOne = (isSame: boolean): ChangeCounts => ({ stored: isSame ? 0 : 1, unchanged: isSame ? 1 : 0, removed: 0 });

function mwsCounts(own: readonly Mws[], imported: PlaceBundle['mws'], keepsOthers: boolean): ChangeCounts {
  const known = new Map(own.map(({ uid, geometry }) => [uid, geometry]));
  const unchanged = imported.filter(({ uid, geometry }) => same(known.get(uid), geometry)).length;
  return { stored: imported.length - unchanged, unchanged, removed: keepsOthers ? 0 : othersOf(own, imported).length };
}

function othersOf(own: readonly Mws[], imported: PlaceBundle['mws']): readonly Mws[] {
  const wanted = new Set(imported.map(({ uid }) => uid));
  return own.filter(({ uid }) => !wanted.has(uid));
}

/** Returns the tehsil with these names. */
export function tehsilOf(
  { states, districts, tehsils }: PlaceTables,
  names: Pick<PlaceChange, 'state' | 'district' | 'tehsil'>,
): Tehsil | undefined {
  const named = <T extends State>(units: readonly T[], name: string): T | undefined =>
    units.find((unit) => placeSlug(unit.name) === placeSlug(name));
  const state = named(states, names.state);
  const district = named(
    districts.filter(({ stateId }) => stateId === state?.id),
    names.district,
  );
  return named(
    tehsils.filter(({ districtId }) => districtId === district?.id),
    names.tehsil,
  );
}
