import type { PlaceLookups } from '../ports/lookups.ts';
import { copy } from './copy.ts';
import type { PlaceTables } from './place-tables.ts';

/** Reads that copy no more of a tehsil than they return. */
export type PlaceParts = Pick<PlaceLookups, 'mwsVersion' | 'villagesVersion' | 'mwsAfter' | 'villagesAfter'>;

/** Parts of what is below tehsils, and versions of it. */
export function placeParts({ mws, villages }: Pick<PlaceTables, 'mws' | 'villages'>): PlaceParts {
  // A list is never changed: another one takes its place.
  const versions = new WeakMap<readonly unknown[], string>();
  const versionOf = (list: readonly unknown[] = []): string => {
    const version = versions.get(list) ?? JSON.stringify(list);
    versions.set(list, version);
    return version;
  };
  return {
    mwsVersion: async (tehsilId) => versionOf(mws.get(tehsilId)),
    villagesVersion: async (tehsilId) => versionOf(villages.get(tehsilId)),
    mwsAfter: async (tehsilId, after, most) =>
      copy((mws.get(tehsilId) ?? []).filter(({ uid }) => uid > after).slice(0, most)),
    villagesAfter: async (tehsilId, others, most) => copy((villages.get(tehsilId) ?? []).slice(others, others + most)),
  };
}
