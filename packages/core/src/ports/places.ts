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
/** Third-level unit, also called block. `geometry` in lon/lat (EPSG:4326), null if the tehsil has no boundary. */
export interface Tehsil extends State {
  readonly districtId: number;
  readonly geometry: Polygon | MultiPolygon | null;
}

/** A tehsil for lists. Its boundary is left out, because a boundary can have megabytes. */
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
  /** Box and area of the boundary; undefined if the tehsil has no boundary. */
  readonly extent?: {
    /** West, south, east and north in degrees. */
    readonly box: readonly [number, number, number, number];
    /** Area in km2; stores differ by up to 1 %. */
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
  /** Boundary; if the tehsil does not exist, it is created. */
  readonly geometry?: Polygon | MultiPolygon;
  /** All micro-watersheds of the tehsil. The change is refused if the tehsil does not exist. */
  readonly mws?: PlaceBundle['mws'];
  /** All villages of the tehsil. The change is refused if the tehsil does not exist. */
  readonly villages?: PlaceBundle['villages'];
  /** If true, stored micro-watersheds and villages that are not in the change stay, because a part of the file was refused. */
  readonly keepsOthers?: boolean;
}

/** Numbers of boundaries, micro-watersheds and villages that an import stored, left unchanged or removed. */
export interface ChangeCounts {
  /** Number of units that were stored, because they are new or changed. */
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

/** Result of `setActive`; `inactive_above`: the unit above is not active. */
export type Activation = 'changed' | 'unchanged' | 'unknown' | 'inactive_above';

/** Store of places. Names match by slug (`placeSlug`), so `west_singhbhum` finds "West Singhbhum". */
export interface PlaceStore {
  states(): Promise<readonly State[]>;
  districts(stateId: number): Promise<readonly District[]>;
  tehsils(districtId: number): Promise<readonly Tehsil[]>;
  /** Returns the same tehsils as `tehsils` in the same order, without boundaries. */
  tehsilUnits(districtId: number): Promise<readonly TehsilUnit[]>;
  /** Finds a unit by slug at each level; undefined if it is unknown. */
  findState(slug: string): Promise<State | undefined>;
  findDistrict(stateId: number, slug: string): Promise<District | undefined>;
  findTehsil(districtId: number, slug: string): Promise<Tehsil | undefined>;
  placeOfTehsil(tehsilId: number): Promise<Place | undefined>;
  /** Returns the names of these tehsils, in any order; unknown ids are left out. */
  namesOf(tehsilIds: readonly number[]): Promise<readonly TehsilNames[]>;
  /**
   * Returns all tehsils of a state or a district with their extents. Ordered by the slugs of district and tehsil. No boundary is read into
   * the process.
   */
  tehsilsWithin(unit: AreaId): Promise<readonly PlacedTehsil[]>;
  /**
   * Returns the other tehsils whose slugs of district and tehsil, joined by `_`, are the same as those of this tehsil, or whose joined slugs
   * of all three levels are the same. Layers of such tehsils would have equal names. Ordered by id.
   */
  namesakesOf(tehsilId: number): Promise<readonly TehsilNames[]>;
  /** Returns the micro-watersheds of a tehsil, ordered by uid. */
  mwsOf(tehsilId: number): Promise<readonly Mws[]>;
  villagesOf(tehsilId: number): Promise<readonly Village[]>;
  /**
   * Inserts or replaces one tehsil with everything below it, in one transaction; names keep their first spelling. The tehsil and the units
   * above it become active, unless `setActive` made them inactive. An imported tehsil keeps its micro-watersheds if the bundle has none, and
   * its villages if the bundle has none. Idempotent.
   */
  saveBundle(bundle: PlaceBundle): Promise<Place>;
  /**
   * Makes all changes in one transaction: if `changes` throws, nothing changes. If the transaction must be repeated, `changes` is called
   * again. `changes` must not use a store. With `isTrial`, changes are only counted. Tehsils that this call creates or changes are marked as
   * imported. A new tehsil is inactive until data of the tehsil are published. Idempotent.
   */
  saveChanges(
    changes: () => AsyncIterable<PlaceChange>,
    options?: { readonly isTrial?: boolean },
  ): Promise<ChangeCounts>;
  /**
   * Returns the ids of the tehsils that an import created or changed, ascending. The folder of boundary files need not contain such tehsils,
   * so they must not be removed if the folder does not contain them.
   */
  importedTehsils(): Promise<readonly number[]>;
  /**
   * Removes a tehsil with everything below it, and the district and state above it if they contain no other tehsil, in one transaction. Does
   * nothing if the tehsil does not exist. Published data of the tehsil are not removed, so the caller must check that the tehsil has no
   * published data. With `unlessUsed`, this method checks it in the same transaction: throws `conflict` if the tehsil has layers, tables,
   * series, or runs that are queued or running. Ids are not reused.
   */
  removeTehsil(tehsilId: number, options?: { readonly unlessUsed?: boolean }): Promise<void>;
  /**
   * Makes a unit active or inactive. A unit can become active only if the units above it are active. A unit can always become inactive; the
   * other units then stay as they are. A publication does not activate a unit that this call made inactive. `PlaceLookups.activeLocations`
   * lists active units.
   */
  setActive(unit: UnitId, isActive: boolean): Promise<Activation>;
  datasets(): Promise<readonly Dataset[]>;
  /** Inserts datasets that do not exist yet (by name). */
  seedDatasets(datasets: readonly Omit<Dataset, 'id'>[]): Promise<void>;
}
