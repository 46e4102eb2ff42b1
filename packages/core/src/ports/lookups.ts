import type { Mws, TehsilNames, UnitId, Village } from './places.ts';

/** The boundary of a micro-watershed or village for responses, and the version of the list in which it was read. */
export interface OutlineText {
  /** Text of a GeoJSON MultiPolygon, lon/lat: outer rings counter-clockwise, holes clockwise (RFC 7946). */
  readonly geometry: string;
  /** `mwsVersion` or `villagesVersion` of the tehsil at the time of the read. */
  readonly version: string;
}

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

/** An active state with the active units below it; each level is in the order of slugs. */
export interface ActiveState extends NamedUnit {
  readonly districts: readonly (NamedUnit & { readonly tehsils: readonly NamedUnit[] })[];
}

/** A state, district or tehsil with the names of the units above it; the names below its own level are null. */
export interface FoundUnit {
  readonly state: string;
  readonly district: string | null;
  readonly tehsil: string | null;
}

/** A state, district or tehsil in a list for operators. */
export interface ListedUnit extends UnitId {
  readonly name: string;
  readonly isActive: boolean;
  readonly state: NamedUnit;
  /** District of the unit; null for a state. */
  readonly district: NamedUnit | null;
  /** Number of tehsils below the unit; null for a tehsil. */
  readonly tehsils: number | null;
  /** Numbers of micro-watersheds, villages and published layers; null for states and districts. */
  readonly mws: number | null;
  readonly villages: number | null;
  readonly layers: number | null;
  /** True for a tehsil that an import created or changed. */
  readonly isImported: boolean;
}

/** Conditions on the units of a list, and the page to return. A condition that is absent does not restrict the list. */
export interface UnitQuery {
  /** Text that must occur in the slugs of state, district and tehsil, joined by `_`; '' or absent: every unit. */
  readonly slug?: string;
  readonly level?: UnitId['level'];
  readonly isActive?: boolean;
  /** Only this unit. */
  readonly unit?: UnitId;
  /** Only the units below this unit. */
  readonly below?: UnitId;
  /**
   * `tree`, the default: each unit is followed by the units below it; units of one level are sorted by slug. `name`: all units are sorted
   * by their own slugs.
   */
  readonly order?: 'tree' | 'name';
  readonly isDescending?: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A page of units, and the number of all units that match. */
export interface UnitList {
  readonly units: readonly ListedUnit[];
  readonly total: number;
}

/** Read access to the place directory. Only `mwsAround`, `mwsAfter` and `villagesAfter` return boundaries. */
export interface PlaceLookups {
  /** Returns the tehsil with these slugs (`placeSlug`), in one query. */
  tehsilNamed(slugs: Readonly<Record<'state' | 'district' | 'tehsil', string>>): Promise<TehsilNames | undefined>;
  /**
   * Returns the tehsil that covers a point. The border of a tehsil and the borders of its holes belong to the tehsil. Several tehsils may
   * cover the point, such as neighbours at their common border. Of these tehsils, returns the first by the slugs of state, district and
   * tehsil, so that every installation returns the same tehsil.
   */
  tehsilAt(point: LonLat): Promise<TehsilNames | undefined>;
  /**
   * Returns the `uid` of the tehsil's micro-watershed that covers a point, border included. If several micro-watersheds cover the point,
   * returns the lowest uid.
   */
  mwsAt(tehsilId: number, point: LonLat): Promise<string | undefined>;
  /** Returns the `uid`s of the micro-watersheds of a tehsil, ascending; no boundary is read. */
  mwsUids(tehsilId: number): Promise<readonly string[]>;
  /** Returns a text that changes when the uids or outlines of a tehsil's micro-watersheds change; '' if it has none. */
  mwsVersion(tehsilId: number): Promise<string>;
  /** Returns a text that changes when the order, ids, names or outlines of a tehsil's villages change; '' if it has none. */
  villagesVersion(tehsilId: number): Promise<string>;
  /** Returns up to `most` micro-watersheds of a tehsil after this uid, ordered by uid; '' begins with the first micro-watershed. */
  mwsAfter(tehsilId: number, uid: string, most: number): Promise<readonly (OutlineText & Pick<Mws, 'uid'>)[]>;
  /** Returns up to `most` villages of a tehsil in the order of `PlaceStore.villagesOf`, after the first `others` villages. */
  villagesAfter(
    tehsilId: number,
    others: number,
    most: number,
  ): Promise<readonly (OutlineText & Pick<Village, 'id' | 'name'>)[]>;
  /** Returns the ids of the villages of a tehsil, ascending; 0 for each village without an id. No boundary is read. */
  villageIds(tehsilId: number): Promise<readonly number[]>;
  /**
   * Returns, for a map, the micro-watershed with this uid, and the micro-watersheds of the same tehsil whose bounding boxes touch its
   * bounding box. Ordered by uid; empty if the tehsil has no such uid.
   */
  mwsAround(tehsilId: number, uid: string): Promise<readonly Mws[]>;
  /** Returns `mws`: true if the tehsil has a micro-watershed; `villages`: true if it has a village. */
  unitsBelow(tehsilId: number): Promise<{ readonly mws: boolean; readonly villages: boolean }>;
  /**
   * Returns the units whose slug (`placeSlug`) contains this slug: first the units whose slug is equal to it, then the units whose slug
   * begins with it, then all others. Each of these three groups is sorted by the slugs of state, district and tehsil. '' finds nothing.
   */
  unitsNamed(slug: string, page: { readonly limit: number; readonly offset: number }): Promise<readonly FoundUnit[]>;
  /**
   * Returns a page of the units of all levels, active or not, with the numbers of units and layers below each unit. No boundary is read.
   */
  listUnits(query: UnitQuery): Promise<UnitList>;
  /** Returns every active state with its active districts and their active tehsils; a unit without active children has an empty list. */
  activeLocations(): Promise<readonly ActiveState[]>;
}
