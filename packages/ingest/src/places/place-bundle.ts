import type { PlaceBundle } from '@headwater/core';
import type { Position } from 'geojson';
import { BadPlaceFile } from './bad-place-file.ts';
import type { PlaceFeature } from './place-features.ts';
import { toGeometry } from './place-geometry.ts';
import { mwsUid, tehsilKey, tehsilNames, village } from './place-properties.ts';
import type { TehsilNames } from './place-properties.ts';

/** Features of one tehsil, sorted by what they are. */
export interface TehsilFeatures {
  readonly names: TehsilNames;
  readonly boundary: readonly PlaceFeature[];
  readonly mws: readonly PlaceFeature[];
  readonly villages: readonly PlaceFeature[];
}

/** Names that all boundary features agree on; throws `BadPlaceFile` where they do not. */
export function namesOf(boundary: readonly PlaceFeature[]): TehsilNames {
  const all = boundary.map(tehsilNames);
  const [first] = all;
  if (first === undefined) throw new BadPlaceFile('the file holds no feature');
  const other = all.find((names) => tehsilKey(names) !== tehsilKey(first));
  if (other !== undefined)
    throw new BadPlaceFile(
      `the features are of two tehsils, ${first.tehsil} and ${other.tehsil}; use a folder for each`,
    );
  return first;
}

/** One tehsil ready to be stored; throws `BadPlaceFile` for a uid that is missing or there twice. */
export function toBundle({ names, boundary, mws, villages }: TehsilFeatures): PlaceBundle {
  return { ...names, geometry: boundaryOf(boundary), mws: uniqueMws(mws), villages: mergedVillages(villages) };
}

/** All boundary features as one geometry; null where there is none. */
export function boundaryOf(features: readonly PlaceFeature[]): PlaceBundle['geometry'] {
  const polygons = features.flatMap((feature) => feature.polygons);
  return polygons.length === 0 ? null : toGeometry(polygons);
}

/** Micro-watersheds of one tehsil; throws `BadPlaceFile` for a uid that is missing or there twice. */
export function uniqueMws(features: readonly PlaceFeature[]): PlaceBundle['mws'] {
  const seen = new Map<string, string>();
  return features.map((feature) => {
    const uid = mwsUid(feature);
    const before = seen.get(uid);
    if (before !== undefined) throw new BadPlaceFile(`${feature.where}: uid ${uid} stands at ${before} already`);
    seen.set(uid, feature.where);
    return { uid, geometry: toGeometry(feature.polygons) };
  });
}

/** Villages; features with one id above 0 are parts of one village. Throws `BadPlaceFile` for a missing id or name. */
export function mergedVillages(features: readonly PlaceFeature[]): PlaceBundle['villages'] {
  const found: { id: number; name: string; polygons: Position[][][] }[] = [];
  const byId = new Map<number, (typeof found)[number]>();
  for (const feature of features) {
    const { id, name } = village(feature);
    const known = id === 0 ? undefined : byId.get(id);
    if (known !== undefined) {
      known.polygons.push(...feature.polygons);
      continue;
    }
    const entry = { id, name, polygons: [...feature.polygons] };
    found.push(entry);
    byId.set(id, entry);
  }
  return found.map(({ id, name, polygons }) => ({ id, name, geometry: toGeometry(polygons) }));
}
