import type { PlaceBundle } from '@headwater/core';
import type { Position } from 'geojson';
import { BadPlaceFile, type Tell, usable } from './bad-place-file.ts';
import type { PlaceFeature } from './place-features.ts';
import { toGeometry } from './place-geometry.ts';
import { hasProperty, mwsUid, tehsilKey, tehsilNames, village } from './place-properties.ts';
import type { TehsilNames } from './place-properties.ts';
import { touchingAreas } from './touching-areas.ts';

/** Features of one tehsil, sorted by what they are. */
export interface TehsilFeatures {
  readonly names: TehsilNames;
  readonly boundary: readonly PlaceFeature[];
  readonly mws: readonly PlaceFeature[];
  readonly villages: readonly PlaceFeature[];
}

/** The bundle of a boundary file: names and outline alone. Features without names are left out and told. */
export function boundaryBundle(features: readonly PlaceFeature[], tell: Tell): PlaceBundle {
  const named = usable(features, (feature) => ({ feature, names: tehsilNames(feature) }), tell);
  const geometry = boundaryOf(named.map(({ feature }) => feature));
  return { ...agreedNames(named.map(({ names }) => names)), geometry, mws: [], villages: [] };
}

/** The bundle of a file that holds one tehsil; only its boundary has to name it. */
export function placeBundle(features: readonly PlaceFeature[], tell: Tell): PlaceBundle {
  const { boundary, mws, villages } = partsOf(features);
  const head = boundaryBundle(boundary, tell);
  const { geometry } = head;
  return { ...head, mws: ownMws({ mws, geometry }, tell), villages: ownVillages({ villages, geometry }, tell) };
}

/** Features of one tehsil, which all name it, by what they are. */
export function ofOneTehsil(features: readonly PlaceFeature[]): TehsilFeatures {
  return { names: agreedNames(features.map(tehsilNames)), ...partsOf(features) };
}

/** A feature with `uid` is a micro-watershed, one with `vill_ID` a village, one with neither is of the boundary. */
function partsOf(features: readonly PlaceFeature[]): Omit<TehsilFeatures, 'names'> {
  const mws = features.filter((feature) => hasProperty(feature, 'uid'));
  const villages = features.filter((feature) => !hasProperty(feature, 'uid') && hasProperty(feature, 'vill_ID'));
  const boundary = features.filter((feature) => !hasProperty(feature, 'uid') && !hasProperty(feature, 'vill_ID'));
  return { boundary, mws, villages };
}

/** The names on which all agree; throws `BadPlaceFile` where they do not. */
function agreedNames(all: readonly TehsilNames[]): TehsilNames {
  const [first] = all;
  if (first === undefined) throw new BadPlaceFile('the file holds no feature of a boundary, which names the tehsil');
  const other = all.find((names) => tehsilKey(names) !== tehsilKey(first));
  if (other !== undefined)
    throw new BadPlaceFile(
      `the features are of two tehsils, ${first.tehsil} and ${other.tehsil}; use a folder for each`,
    );
  return first;
}

/** One tehsil ready to be stored; throws `BadPlaceFile` where no micro-watershed or no village of it is good. */
export function toBundle({ names, boundary, mws, villages }: TehsilFeatures, tell: Tell): PlaceBundle {
  const geometry = boundaryOf(boundary);
  return {
    ...names,
    geometry,
    mws: ownMws({ mws, geometry }, tell),
    villages: ownVillages({ villages, geometry }, tell),
  };
}

type Boundary = Pick<PlaceBundle, 'geometry'>;

/** `mergedMws` of the tehsil within this boundary: those that do not touch it are left out and told. */
export function ownMws({ mws, geometry }: Pick<TehsilFeatures, 'mws'> & Boundary, tell: Tell): PlaceBundle['mws'] {
  return touchingAreas(mergedMws(mws, tell), { boundary: geometry, nameOf: mwsTitle, tell });
}

/** `mergedVillages` of the tehsil within this boundary: those that do not touch it are left out and told. */
export function ownVillages(
  { villages, geometry }: Pick<TehsilFeatures, 'villages'> & Boundary,
  tell: Tell,
): PlaceBundle['villages'] {
  return touchingAreas(mergedVillages(villages, tell), { boundary: geometry, nameOf: villageTitle, tell });
}

/** A micro-watershed as messages call it. */
export const mwsTitle = ({ uid }: { readonly uid: string }): string => `micro-watershed ${uid}`;

/** A village as messages call it. */
export const villageTitle = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  `village ${id} (${name})`;

/** All boundary features as one geometry; null where there is none. */
function boundaryOf(features: readonly PlaceFeature[]): PlaceBundle['geometry'] {
  const polygons = features.flatMap((feature) => feature.polygons);
  return polygons.length === 0 ? null : toGeometry(polygons);
}

/**
 * Micro-watersheds; features with one uid are parts of one of them, a part that is there twice counts once. Those without uid
 * are left out and told.
 */
export function mergedMws(features: readonly PlaceFeature[], tell: Tell): PlaceBundle['mws'] {
  const found = usable(features, (feature) => ({ uid: mwsUid(feature), polygons: feature.polygons }), tell);
  const parts = Map.groupBy(found, ({ uid }) => uid);
  return [...parts].map(([uid, all]) => ({
    uid,
    geometry: toGeometry(distinct(all.flatMap((part) => part.polygons))),
  }));
}

function distinct(polygons: readonly Position[][][]): Position[][][] {
  return polygons.length === 1 ? [...polygons] : [...new Map(polygons.map((p) => [JSON.stringify(p), p])).values()];
}

/** What is told of a part of a village that calls it otherwise than the first one. */
export const twoNames = ({
  id,
  before,
  here,
}: {
  readonly id: number;
  readonly before: string;
  readonly here: string;
}): string =>
  `it is a part of village ${id}, which is called ${JSON.stringify(before)} before and ${JSON.stringify(here)} here; the first name is kept`;

/** Villages; features with one id above 0 are parts of one village. Those without id or name are left out and told. */
export function mergedVillages(features: readonly PlaceFeature[], tell: Tell): PlaceBundle['villages'] {
  const found: { id: number; name: string; polygons: Position[][][] }[] = [];
  const byId = new Map<number, (typeof found)[number]>();
  const named = usable(features, (feature) => ({ ...village(feature), feature }), tell);
  for (const { id, name, feature } of named) {
    const { polygons, where } = feature;
    const known = id === 0 ? undefined : byId.get(id);
    if (known !== undefined) {
      if (known.name !== name) tell(`${where}: ${twoNames({ id, before: known.name, here: name })}`);
      known.polygons.push(...polygons);
      continue;
    }
    const entry = { id, name, polygons: [...polygons] };
    found.push(entry);
    byId.set(id, entry);
  }
  return found.map(({ id, name, polygons }) => ({ id, name, geometry: toGeometry(polygons) }));
}
