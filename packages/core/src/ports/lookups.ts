import type { Mws, TehsilNames, UnitId, Village } from './places.ts';

/** The boundary of a micro-watershed or village, and the version of its list. */
export interface OutlineText {
  /** GeoJSON MultiPolygon as text, lon/lat, with the ring directions of RFC 7946. */
  readonly geometry: string;
  /** `mwsVersion` or `villagesVersion` of the tehsil at the time of the read. */
  readonly version: string;
}

/** A tehsil, and the layer or the version of its boundaries. */
export interface TehsilBoundaries extends TehsilNames {
  /** Name of the published layer; null if there is none. */
  readonly layerName: string | null;
  /** `mwsVersion` or `villagesVersion`; null if a layer is published. */
  readonly version: string | null;
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

/** A state, district or tehsil with the names of the units above it. */
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

/** Optional conditions on the units of a list, and the page to return. */
export interface UnitQuery {
  /** Text that must occur in the slugs of state, district and tehsil, joined by `_`. */
  readonly slug?: string;
  readonly level?: UnitId['level'];
  readonly isActive?: boolean;
  readonly unit?: UnitId;
  /** Only the units below this unit. */
  readonly below?: UnitId;
  /** `tree` (default): each unit is followed by the units below it. `name`: sorted by the slug of the unit itself. */
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
   * Returns the tehsil with these slugs, and its first vector layer (by name) of the workspace and the dataset. Without
   * such a layer, returns the version of the boundaries of `kind` instead. Uses one query.
   */
  boundariesNamed(
    slugs: Parameters<PlaceLookups['tehsilNamed']>[0],
    boundaries: { readonly kind: 'mws' | 'villages'; readonly workspace: string; readonly dataset: string },
  ): Promise<TehsilBoundaries | undefined>;
  /**
   * Returns the tehsil that covers a point, borders included; if several tehsils cover the point, the first by slugs.
   */
  tehsilAt(point: LonLat): Promise<TehsilNames | undefined>;
  /** Returns the lowest `uid` of the tehsil's micro-watersheds that cover a point, borders included. */
  mwsAt(tehsilId: number, point: LonLat): Promise<string | undefined>;
  /** Returns the `uid`s of the micro-watersheds of a tehsil, ascending; no boundary is read. */
  mwsUids(tehsilId: number): Promise<readonly string[]>;
  /**
   * Returns the time at which the uids or outlines of a tehsil's micro-watersheds last changed; '' without them. The
   * time is an ISO 8601 text in UTC; all times of one store have the same number of decimals (three or six). Boundaries
   * that differ from those of an earlier read have a later time.
   */
  mwsVersion(tehsilId: number): Promise<string>;
  /** Like `mwsVersion`, for the order, ids, names and outlines of a tehsil's villages. */
  villagesVersion(tehsilId: number): Promise<string>;
  /** Returns up to `most` micro-watersheds of a tehsil after this uid, ordered by uid; '' for the first. */
  mwsAfter(tehsilId: number, uid: string, most: number): Promise<readonly (OutlineText & Pick<Mws, 'uid'>)[]>;
  /** Skips the first `skipped` villages in the order of `PlaceStore.villagesOf`; returns up to `most` of the rest. */
  villagesAfter(
    tehsilId: number,
    skipped: number,
    most: number,
  ): Promise<readonly (OutlineText & Pick<Village, 'id' | 'name'>)[]>;
  /** Returns the ids of the villages of a tehsil, ascending; 0 for each village without an id. */
  villageIds(tehsilId: number): Promise<readonly number[]>;
  /**
   * Returns the micro-watershed with this uid and the tehsil's micro-watersheds whose boxes touch its box, ordered by
   * uid. Empty for an unknown uid.
   */
  mwsAround(tehsilId: number, uid: string): Promise<readonly Mws[]>;
  /** Returns whether the tehsil has a micro-watershed, and whether it has a village. */
  unitsBelow(tehsilId: number): Promise<{ readonly mws: boolean; readonly villages: boolean }>;
  /**
   * Returns the units whose slug (`placeSlug`) contains this slug. Equal slugs come first, then slugs that begin with
   * this slug, then all others. '' finds nothing.
   */
  unitsNamed(slug: string, page: { readonly limit: number; readonly offset: number }): Promise<readonly FoundUnit[]>;
  /** Returns a page of the units of all levels, active or not, with their counts. */
  listUnits(query: UnitQuery): Promise<UnitList>;
  /** Returns every active state with its active districts and tehsils; lists may be empty. */
  activeLocations(): Promise<readonly ActiveState[]>;
}
