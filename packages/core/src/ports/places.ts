import type { MultiPolygon, Polygon } from 'geojson';

/** First-level unit: a state of India. */
export interface State {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
}
/** Second-level unit: a district. */
export interface District extends State {
  readonly stateId: number;
}
/** Third-level unit, also called block. `geometry` in lon/lat (EPSG:4326). */
export interface Tehsil extends State {
  readonly districtId: number;
  readonly geometry: Polygon | MultiPolygon | null;
}

/** A tehsil for lists, without its boundary, which can have megabytes. */
export type TehsilUnit = Omit<Tehsil, 'geometry'>;

/** Micro-watershed (MWS); tables are joined on its `uid`. */
export interface Mws {
  readonly uid: string;
  readonly tehsilId: number;
  readonly geometry: Polygon | MultiPolygon;
}

/** Village polygon; `id` 0 = no census code. */
export interface Village {
  readonly id: number;
  readonly name: string;
  readonly tehsilId: number;
  readonly geometry: Polygon | MultiPolygon;
}

/** A dataset (kind of layer) and the workspace and style of its layers. */
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

/** The names of a tehsil and of the units above it. */
export interface TehsilNames {
  readonly tehsilId: number;
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

/** A tehsil with its names and its extent, without its boundary. */
export interface PlacedTehsil extends TehsilNames {
  /** Box and area of the boundary; undefined without boundary. */
  readonly extent?: {
    /** West, south, east and north, degrees. */
    readonly box: readonly [number, number, number, number];
    /** Area, km2. Implementations of the store compute areas that differ by up to 1 %. */
    readonly km2: number;
  };
}

/** One tehsil to store: names, boundary, micro-watersheds, villages. */
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

/** Change of one tehsil by an import; absent members stay unchanged. */
export interface PlaceChange {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
  /** New boundary. A tehsil that does not exist is created with this boundary. */
  readonly geometry?: Polygon | MultiPolygon;
  /** All micro-watersheds of the tehsil (see `keepsOthers`). Without `geometry`, the tehsil must exist. */
  readonly mws?: PlaceBundle['mws'];
  /** All villages of the tehsil (see `keepsOthers`). Without `geometry`, the tehsil must exist. */
  readonly villages?: PlaceBundle['villages'];
  /** True: stored micro-watersheds and villages that the change does not contain stay. Default: they are removed. */
  readonly keepsOthers?: boolean;
}

/** Numbers of units that an import stored, left unchanged or removed. */
export interface ChangeCounts {
  /** Number of new or changed units. */
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** A state, district or tehsil by its id. */
export interface UnitId {
  readonly level: 'state' | 'district' | 'tehsil';
  readonly id: number;
}

/** A state or district by its id. */
export interface AreaId extends UnitId {
  readonly level: 'state' | 'district';
}

/** Result of `setActive`; `inactive_above`: a unit above is not active, so nothing was changed. */
export type Activation = 'changed' | 'unchanged' | 'unknown' | 'inactive_above';

/** Store of places. Names match by slug (`placeSlug`), so `west_singhbhum` finds "West Singhbhum". */
export interface PlaceStore {
  states(): Promise<readonly State[]>;
  districts(stateId: number): Promise<readonly District[]>;
  tehsils(districtId: number): Promise<readonly Tehsil[]>;
  /** Returns the same tehsils as `tehsils`, in the same order, without boundaries. */
  tehsilUnits(districtId: number): Promise<readonly TehsilUnit[]>;
  /** Finds a unit by slug at each level; undefined for an unknown slug. */
  findState(slug: string): Promise<State | undefined>;
  findDistrict(stateId: number, slug: string): Promise<District | undefined>;
  findTehsil(districtId: number, slug: string): Promise<Tehsil | undefined>;
  placeOfTehsil(tehsilId: number): Promise<Place | undefined>;
  /** Returns the names of these tehsils, in any order, without unknown ids. */
  namesOf(tehsilIds: readonly number[]): Promise<readonly TehsilNames[]>;
  /** Returns all tehsils of a state or a district with their extents, ordered by the slugs of district and tehsil. */
  tehsilsWithin(unit: AreaId): Promise<readonly PlacedTehsil[]>;
  /** Returns the other tehsils whose layers would have the same names as the layers of this tehsil, ordered by id. */
  namesakesOf(tehsilId: number): Promise<readonly TehsilNames[]>;
  /** Returns the micro-watersheds of a tehsil, ordered by uid. */
  mwsOf(tehsilId: number): Promise<readonly Mws[]>;
  /** Returns the villages of a tehsil in the order in which they were stored. */
  villagesOf(tehsilId: number): Promise<readonly Village[]>;
  /**
   * Inserts or replaces one tehsil in one transaction, and activates the tehsil unless `setActive` made it inactive. If
   * a tehsil was imported and the bundle has no micro-watersheds, the stored ones stay; likewise for villages.
   * Idempotent.
   */
  saveBundle(bundle: PlaceBundle): Promise<Place>;
  /**
   * Makes all changes in one transaction. With `isTrial`, only counts the changes. A repeated transaction calls
   * `changes` again, so `changes` must not use a store. Marks the tehsils as imported. Idempotent.
   */
  saveChanges(
    changes: () => AsyncIterable<PlaceChange>,
    options?: { readonly isTrial?: boolean },
  ): Promise<ChangeCounts>;
  /** Returns the ids of the tehsils that an import created or changed, ascending. */
  importedTehsils(): Promise<readonly number[]>;
  /**
   * Removes a tehsil with its micro-watersheds and villages, and units above it that become empty. Published data stay.
   * With `unlessUsed`, throws `conflict` if the tehsil has data or unfinished runs. Ids are not reused.
   */
  removeTehsil(tehsilId: number, options?: { readonly unlessUsed?: boolean }): Promise<void>;
  /**
   * Makes a unit inactive, or active if the units above it are active. Publications do not activate a unit that this
   * call made inactive.
   */
  setActive(unit: UnitId, isActive: boolean): Promise<Activation>;
  datasets(): Promise<readonly Dataset[]>;
  /** Inserts the datasets whose names are not stored yet. */
  seedDatasets(datasets: readonly Omit<Dataset, 'id'>[]): Promise<void>;
}
