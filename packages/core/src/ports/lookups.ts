import type { Mws, TehsilNames, Village } from './places.ts';

/** A point on the map, degrees (EPSG:4326). */
export interface LonLat {
  readonly longitude: number;
  readonly latitude: number;
}

/** A unit of the directory by its id and name. */
export interface NamedUnit {
  readonly id: number;
  readonly name: string;
}

/** A state with what is active below it, each level in order of its slugs. */
export interface ActiveState extends NamedUnit {
  readonly districts: readonly (NamedUnit & { readonly tehsils: readonly NamedUnit[] })[];
}

/** Reads of the place directory by position and as a whole; none but `mwsAround`, `mwsAfter` and `villagesAfter` returns a boundary. */
export interface PlaceLookups {
  /** The tehsil of these slugs (`placeSlug`), by one look. */
  tehsilNamed(slugs: Readonly<Record<'state' | 'district' | 'tehsil', string>>): Promise<TehsilNames | undefined>;
  /** The names of a tehsil by its id. */
  namesOf(tehsilId: number): Promise<TehsilNames | undefined>;
  /**
   * The tehsil that covers a point, its border and the borders of its holes included. Where several do, as neighbours at their common
   * border, it is the first by the slugs of state, district and tehsil, so that every installation answers alike.
   */
  tehsilAt(point: LonLat): Promise<TehsilNames | undefined>;
  /** `uid` of the micro-watershed of this tehsil that covers a point, border included; of several the first by uid. */
  mwsAt(tehsilId: number, point: LonLat): Promise<string | undefined>;
  /** `uid`s of the micro-watersheds of a tehsil, ascending; no boundary is read. */
  mwsUids(tehsilId: number): Promise<readonly string[]>;
  /** Text that is another one once uids or outlines of a tehsil's micro-watersheds are others; no boundary is sent. */
  mwsVersion(tehsilId: number): Promise<string>;
  /** The same of its villages: their order, ids, names and outlines. */
  villagesVersion(tehsilId: number): Promise<string>;
  /** Up to `most` micro-watersheds of a tehsil that come after this uid, '' before the first; ordered by uid. */
  mwsAfter(tehsilId: number, uid: string, most: number): Promise<readonly Mws[]>;
  /** Up to `most` villages of a tehsil that come after so many others, in the order of `PlaceStore.villagesOf`. */
  villagesAfter(tehsilId: number, others: number, most: number): Promise<readonly Village[]>;
  /** Ids of the villages of a tehsil, ascending, 0 of those that have none among them; no boundary is read. */
  villageIds(tehsilId: number): Promise<readonly number[]>;
  /**
   * A micro-watershed of this tehsil, and the others of it whose bounding boxes meet its own: what a map of it shows. Ordered by uid;
   * none where the tehsil has no such uid.
   */
  mwsAround(tehsilId: number, uid: string): Promise<readonly Mws[]>;
  /** Whether any micro-watershed, and any village, of a tehsil is known. */
  unitsBelow(tehsilId: number): Promise<{ readonly mws: boolean; readonly villages: boolean }>;
  /** Every active state with its active districts and their active tehsils; a unit without active ones below it has none. */
  activeLocations(): Promise<readonly ActiveState[]>;
}
