import type { PlaceBundle } from '@headwater/core';
import type { Position } from 'geojson';
import { BadPlaceFile, type Report, usable } from './bad-place-file.ts';
import type { PlaceFeature } from './place-features.ts';
import { toGeometry } from './place-geometry.ts';
import { hasProperty, isMws, mwsUid, tehsilKey, tehsilNames, village } from './place-properties.ts';
import type { TehsilNames } from './place-properties.ts';
import { touchingAreas } from './touching-areas.ts';

/** Features of one tehsil by kind. */
export interface TehsilFeatures {
  readonly names: TehsilNames;
  readonly boundary: readonly PlaceFeature[];
  readonly mws: readonly PlaceFeature[];
  readonly villages: readonly PlaceFeature[];
}

/** Bundle (names and parts of a tehsil) of a boundary file. Features without names are reported. */
export function boundaryBundle(features: readonly PlaceFeature[], report: Report): PlaceBundle {
  const named = usable(features, (feature) => ({ feature, names: tehsilNames(feature) }), report);
  const geometry = boundaryOf(named.map(({ feature }) => feature));
  return { ...agreedNames(named.map(({ names }) => names)), geometry, mws: [], villages: [] };
}

/** Bundle of a file with all parts of one tehsil. Only boundary features need the names of the tehsil. */
export function placeBundle(features: readonly PlaceFeature[], report: Report): PlaceBundle {
  const { boundary, mws, villages } = partsOf(features);
  const head = boundaryBundle(boundary, report);
  const { geometry } = head;
  return { ...head, mws: ownMws({ mws, geometry }, report), villages: ownVillages({ villages, geometry }, report) };
}

/** Groups features that all have the names of one tehsil. */
export function ofOneTehsil(features: readonly PlaceFeature[]): TehsilFeatures {
  return { names: agreedNames(features.map(tehsilNames)), ...partsOf(features) };
}

/**
 * Groups features by kind. Features with `uid`, or with `mws_id` and without `vill_ID`, are micro-watersheds. Other
 * features with `vill_ID` are villages, and all others are boundaries.
 */
function partsOf(features: readonly PlaceFeature[]): Omit<TehsilFeatures, 'names'> {
  const mws = features.filter(isMws);
  const villages = features.filter((feature) => !isMws(feature) && hasProperty(feature, 'vill_ID'));
  const boundary = features.filter((feature) => !isMws(feature) && !hasProperty(feature, 'vill_ID'));
  return { boundary, mws, villages };
}

function agreedNames(all: readonly TehsilNames[]): TehsilNames {
  const [first] = all;
  if (first === undefined) throw new BadPlaceFile('the file has no boundary feature; add one that names the tehsil');
  const other = all.find((names) => tehsilKey(names) !== tehsilKey(first));
  if (other !== undefined)
    throw new BadPlaceFile(
      `the features belong to two tehsils, ${first.tehsil} and ${other.tehsil}; use a folder for each`,
    );
  return first;
}

/** Bundle of one tehsil. Throws `BadPlaceFile` if all micro-watersheds or all villages are bad. */
export function toBundle({ names, boundary, mws, villages }: TehsilFeatures, report: Report): PlaceBundle {
  const geometry = boundaryOf(boundary);
  return {
    ...names,
    geometry,
    mws: ownMws({ mws, geometry }, report),
    villages: ownVillages({ villages, geometry }, report),
  };
}

type Boundary = Pick<PlaceBundle, 'geometry'>;

/** Returns the merged micro-watersheds that touch the boundary, and reports all others. */
export function ownMws({ mws, geometry }: Pick<TehsilFeatures, 'mws'> & Boundary, report: Report): PlaceBundle['mws'] {
  return touchingAreas(mergedMws(mws, report), { boundary: geometry, nameOf: mwsTitle, report });
}

/** Returns the merged villages that touch the boundary, and reports all others. */
export function ownVillages(
  { villages, geometry }: Pick<TehsilFeatures, 'villages'> & Boundary,
  report: Report,
): PlaceBundle['villages'] {
  return touchingAreas(mergedVillages(villages, report), { boundary: geometry, nameOf: villageTitle, report });
}

/** Name of a micro-watershed in messages. */
export const mwsTitle = ({ uid }: { readonly uid: string }): string => `micro-watershed ${uid}`;

/** Name of a village in messages. */
export const villageTitle = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  `village ${id} (${name})`;

function boundaryOf(features: readonly PlaceFeature[]): PlaceBundle['geometry'] {
  const polygons = features.flatMap((feature) => feature.polygons);
  return polygons.length === 0 ? null : toGeometry(polygons);
}

/** Merges features with the same uid, and drops repeated parts. Features without uid are reported. */
export function mergedMws(features: readonly PlaceFeature[], report: Report): PlaceBundle['mws'] {
  const found = usable(features, (feature) => ({ uid: mwsUid(feature), polygons: feature.polygons }), report);
  const parts = Map.groupBy(found, ({ uid }) => uid);
  return [...parts].map(([uid, all]) => ({
    uid,
    geometry: toGeometry(distinct(all.flatMap((part) => part.polygons))),
  }));
}

function distinct(polygons: readonly Position[][][]): Position[][][] {
  return polygons.length === 1 ? [...polygons] : [...new Map(polygons.map((p) => [JSON.stringify(p), p])).values()];
}

/** Note on a village whose parts have different names. */
export const twoNames = ({
  id,
  before,
  here,
}: {
  readonly id: number;
  readonly before: string;
  readonly here: string;
}): string =>
  `it is a part of village ${id}, which has the name ${JSON.stringify(here)} here, but ${JSON.stringify(before)} before; the first name is stored`;

/**
 * Merges features with the same id. The id 0 means that the village has no id, so its features are not merged. Features
 * without the id or name property are reported.
 */
export function mergedVillages(features: readonly PlaceFeature[], report: Report): PlaceBundle['villages'] {
  const found: { id: number; name: string; polygons: Position[][][] }[] = [];
  const byId = new Map<number, (typeof found)[number]>();
  const named = usable(features, (feature) => ({ ...village(feature), feature }), report);
  for (const { id, name, feature } of named) {
    const { polygons, where } = feature;
    const known = id === 0 ? undefined : byId.get(id);
    if (known !== undefined) {
      if (known.name !== name) report(`${where}: ${twoNames({ id, before: known.name, here: name })}`);
      known.polygons.push(...polygons);
      continue;
    }
    const entry = { id, name, polygons: [...polygons] };
    found.push(entry);
    byId.set(id, entry);
  }
  return found.map(({ id, name, polygons }) => ({ id, name, geometry: toGeometry(polygons) }));
}
