import type { MultiPolygon, Polygon } from 'geojson';

/** First-level unit. */
export interface State {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
}
/** Second-level unit. */
export interface District extends State {
  readonly stateId: number;
}
/** Third-level unit, also called block. `geometry` in lon/lat (EPSG:4326), null when no boundary was given. */
export interface Tehsil extends State {
  readonly districtId: number;
  readonly geometry: Polygon | MultiPolygon | null;
}

/** A tehsil as lists show it: no boundary, which can be megabytes. */
export type TehsilUnit = Omit<Tehsil, 'geometry'>;

/** Micro-watershed (MWS), joined everywhere on `uid`. */
export interface Mws {
  readonly uid: string;
  readonly tehsilId: number;
  readonly geometry: Polygon | MultiPolygon;
}

/** Village polygon. `id` 0 = none. */
export interface Village {
  readonly id: number;
  readonly name: string;
  readonly tehsilId: number;
  readonly geometry: Polygon | MultiPolygon;
}

/** A dataset (kind of layer) and where its layers are published. */
export interface Dataset {
  readonly id: number;
  readonly name: string;
  readonly layerType: 'vector' | 'raster';
  readonly workspace: string;
  readonly styleName: string;
}

/** A tehsil with the two units above it. */
export interface Place {
  readonly state: State;
  readonly district: District;
  readonly tehsil: Tehsil;
}

/** A tehsil by its names alone. */
export interface TehsilNames {
  readonly tehsilId: number;
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

/** One tehsil as read from files or seeded: names, boundary, MWS, villages. */
export interface PlaceBundle {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
  readonly geometry: Polygon | MultiPolygon | null;
  readonly mws: readonly { readonly uid: string; readonly geometry: Polygon | MultiPolygon }[];
  readonly villages: readonly {
    readonly id: number;
    readonly name: string;
    readonly geometry: Polygon | MultiPolygon;
  }[];
}

/** What an import says of one tehsil; parts that are absent stay as they are. */
export interface PlaceChange {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
  /** The tehsil is made where it is not there. */
  readonly geometry?: Polygon | MultiPolygon;
  /** All of its micro-watersheds; a tehsil that is not there is an error. */
  readonly mws?: PlaceBundle['mws'];
  /** All of its villages; a tehsil that is not there is an error. */
  readonly villages?: PlaceBundle['villages'];
  /** Micro-watersheds and villages that are there and not in the change stay: the file was not good throughout. */
  readonly keepsOthers?: boolean;
}

/** What an import did to boundaries, micro-watersheds or villages. */
export interface ChangeCounts {
  /** New or changed. */
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** A state, district or tehsil by its id. */
export interface UnitId {
  readonly level: 'state' | 'district' | 'tehsil';
  readonly id: number;
}

/** What became of a wish to make a unit active or not; `inactive_above`: the unit above it is not active. */
export type Activation = 'changed' | 'unchanged' | 'unknown' | 'inactive_above';

/** Places. Names match by slug (`placeSlug`), so `west_singhbhum` finds "West Singhbhum". */
export interface PlaceStore {
  states(): Promise<readonly State[]>;
  districts(stateId: number): Promise<readonly District[]>;
  tehsils(districtId: number): Promise<readonly Tehsil[]>;
  /** The same tehsils in the same order; no boundary is read. */
  tehsilUnits(districtId: number): Promise<readonly TehsilUnit[]>;
  /** By slug at each level; undefined at the first level that is unknown. */
  findState(slug: string): Promise<State | undefined>;
  findDistrict(stateId: number, slug: string): Promise<District | undefined>;
  findTehsil(districtId: number, slug: string): Promise<Tehsil | undefined>;
  placeOfTehsil(tehsilId: number): Promise<Place | undefined>;
  /**
   * Other tehsils whose slugs, joined by `_`, read the same as this one's: district and tehsil, or all three. Names made of
   * these slugs would be the same for both. Ordered by id.
   */
  namesakesOf(tehsilId: number): Promise<readonly TehsilNames[]>;
  /** Ordered by uid. */
  mwsOf(tehsilId: number): Promise<readonly Mws[]>;
  villagesOf(tehsilId: number): Promise<readonly Village[]>;
  /**
   * Inserts or replaces one tehsil with everything below it, in one transaction; names keep their first spelling. It and the
   * units above it are active then, unless `setActive` made them inactive. Idempotent.
   */
  saveBundle(bundle: PlaceBundle): Promise<Place>;
  /**
   * Makes all of the changes in one transaction: whatever `changes` throws leaves everything as it was. It is called again where the
   * transaction has to be repeated, and may use no store. With `isTrial` all is counted and nothing changed. Tehsils that it makes or
   * changes count as imported from then on. What it makes is inactive until something of the tehsil is published. Idempotent.
   */
  saveChanges(
    changes: () => AsyncIterable<PlaceChange>,
    options?: { readonly isTrial?: boolean },
  ): Promise<ChangeCounts>;
  /** Ids of the tehsils that an import made or changed: no folder of files decides whether they stay. Ascending. */
  importedTehsils(): Promise<readonly number[]>;
  /**
   * Removes a tehsil with everything below it, and the district and state above it where they hold no other, in one transaction; nothing
   * where it is not there. What was published of it stays: whoever calls looks at that first. Ids are not given again.
   */
  removeTehsil(tehsilId: number): Promise<void>;
  /**
   * Makes a unit active, which those above it must be, or inactive, which is never refused and touches no other unit; no publication makes it
   * active again. Active ones are told by `PlaceLookups.activeLocations`.
   */
  setActive(unit: UnitId, isActive: boolean): Promise<Activation>;
  datasets(): Promise<readonly Dataset[]>;
  /** Inserts datasets that are not there yet (by name). */
  seedDatasets(datasets: readonly Omit<Dataset, 'id'>[]): Promise<void>;
}
