import type { Mws, TehsilNames, Village } from './places.ts';

/** A point on the map, degrees (EPSG:4326). */
export interface LonLat {
  readonly longitude: number;
  readonly latitude: number;
}

/** Id and name of a unit of the place directory. */
export interface NamedUnit {
  readonly id: number;
  readonly name: string;
}

/** An active state with the active units below it, each level in order of its slugs. */
export interface ActiveState extends NamedUnit {
  readonly districts: readonly (NamedUnit & { readonly tehsils: readonly NamedUnit[] })[];
}

/** A state, district or tehsil with the names of the units above it; the names below its own level are null. */
export interface FoundUnit {
  readonly state: string;
  readonly district: string | null;
  readonly tehsil: string | null;
}

/** Reads of the place directory by position and as a whole; only `mwsAround`, `mwsAfter` and `villagesAfter` return boundaries. */
export interface PlaceLookups {
  /** The tehsil with these slugs (`placeSlug`), in one query. */
  tehsilNamed(slugs: Readonly<Record<'state' | 'district' | 'tehsil', string>>): Promise<TehsilNames | undefined>;
  /** The names of a tehsil by its id. */
  namesOf(tehsilId: number): Promise<TehsilNames | undefined>;
  /**
   * The tehsil that covers a point, its border and the borders of its holes included. If several do, such as neighbours at their common
   * border, it is the first by the slugs of state, district and tehsil, so that every installation returns the same one.
   */
  tehsilAt(point: LonLat): Promise<TehsilNames | undefined>;
  /** `uid` of the micro-watershed of this tehsil that covers a point, border included; the first by uid if several do. */
  mwsAt(tehsilId: number, point: LonLat): Promise<string | undefined>;
  /** `uid`s of the micro-watersheds of a tehsil, ascending; no boundary is read. */
  mwsUids(tehsilId: number): Promise<readonly string[]>;
  /** Text that changes when the uids or outlines of a tehsil's micro-watersheds change. No boundary is sent. */
  mwsVersion(tehsilId: number): Promise<string>;
  /** Text that changes when the order, ids, names or outlines of a tehsil's villages change. No boundary is sent. */
  villagesVersion(tehsilId: number): Promise<string>;
  /** Up to `most` micro-watersheds of a tehsil after this uid, ordered by uid; '' starts at the first. */
  mwsAfter(tehsilId: number, uid: string, most: number): Promise<readonly Mws[]>;
  /** Up to `most` villages of a tehsil after skipping the first `others`, in the order of `PlaceStore.villagesOf`. */
  villagesAfter(tehsilId: number, others: number, most: number): Promise<readonly Village[]>;
  /** Ids of the villages of a tehsil, ascending; 0 for each village without an id. No boundary is read. */
  villageIds(tehsilId: number): Promise<readonly number[]>;
  /**
   * A micro-watershed of this tehsil and the others of it whose bounding boxes meet its own, for a map of it. Ordered by uid; empty if the
   * tehsil has no such uid.
   */
  mwsAround(tehsilId: number, uid: string): Promise<readonly Mws[]>;
  /** True for each kind of unit of which a tehsil has at least one. */
  unitsBelow(tehsilId: number): Promise<{ readonly mws: boolean; readonly villages: boolean }>;
  /**
   * The units whose slug (`placeSlug`) contains this one: equal slugs first, then those that begin with it, then the others; each by the
   * slugs of state, district and tehsil. '' finds nothing.
   */
  unitsNamed(slug: string, page: { readonly limit: number; readonly offset: number }): Promise<readonly FoundUnit[]>;
  /** Every active state with its active districts and their active tehsils; a unit without active children has an empty list. */
  activeLocations(): Promise<readonly ActiveState[]>;
}
