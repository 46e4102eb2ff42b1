/** A single value in a table. */
export type TableScalar = string | number | boolean | null;

/** A cell: a scalar, or a list of scalars if the column's type is `list`. */
export type TableCell = TableScalar | readonly TableScalar[];

/** A row: exactly one cell for every column of the table, by name. */
export type TableRow = Readonly<Record<string, TableCell>>;

/** Name, type, unit and description of a column; null is an unknown value of any type. */
export interface TableColumn {
  /** Column header in the sheet, e.g. `cropping_intensity_unit_less_2017-2018`. */
  readonly name: string;
  /** Type of the cells: `number` is finite, `integer` is from -(2^53 - 1) to 2^53 - 1, `list` is a list of scalars. */
  readonly type: 'number' | 'text' | 'integer' | 'list';
  /** Unit, e.g. `ha`; absent for values without unit. */
  readonly unit?: string;
  readonly description: string;
}

/** A sheet of one tehsil, published as a whole. Each row has a key, usually the `uid` of a micro-watershed. */
export interface PublishedTable {
  /** Name of the sheet, unique in the tehsil, e.g. `croppingIntensity_annual`. */
  readonly name: string;
  readonly tehsilId: number;
  /** Column whose value identifies the row: text or integer, present in every row, unique. */
  readonly key: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Id of an Item of the deliverable that gets the table's addresses as assets. */
  readonly itemId?: string;
  /**
   * An Item of an earlier run that gets the table, instead of `itemId`. If the Item belongs to no layer of the
   * tehsil, the publication throws `conflict`.
   */
  readonly earlierItem?: EarlierItem;
}

/** An Item of an earlier run to which a table belongs. */
export interface EarlierItem {
  readonly id: string;
  readonly collectionPath: string;
  /** The table's addresses as assets, which the store adds to the next version of the Item. */
  readonly assets?: Readonly<Record<string, unknown>>;
  /** Limit on the tables of this kind; a further table is refused (`conflict`). */
  readonly limit?: TableLimit;
}

/**
 * Maximum number of tables of one kind that belong to one Item. There is a maximum, because responses with the Item
 * contain the addresses of all its tables.
 */
export interface TableLimit {
  /** Common prefix of the names of the tables of this kind. */
  readonly names: string;
  readonly most: number;
  /** Sentences of advice for a refused publication. */
  readonly remedy: string;
}

/** A time series: numbers by day for each `uid` of one tehsil, published as a whole. */
export interface PublishedSeries {
  /** Name, unique in the tehsil, e.g. `ndvi_crop`. */
  readonly name: string;
  readonly tehsilId: number;
  readonly unit?: string;
  readonly description: string;
  /** ISO days (`2017-07-01`), ascending, unique. */
  readonly dates: readonly string[];
  /** Values by uid, one for each date; null if unknown. */
  readonly values: Readonly<Record<string, readonly (number | null)[]>>;
}

interface Publication {
  /** The run that published the table or series. */
  readonly runId: string;
  /** 1 at first; each publication of this name adds 1. */
  readonly version: number;
  /** Time of the publication, ISO 8601 UTC. */
  readonly publishedAt: string;
}

/** A published table without its rows. */
export interface TableHead extends Publication, Pick<PublishedTable, 'name' | 'tehsilId' | 'key' | 'columns'> {
  readonly itemId: string | null;
  readonly rowCount: number;
}

/** Identity of one publication of a table. */
export type TableVersion = Pick<TableHead, 'name' | 'runId' | 'version'>;

/** A published table. */
export interface StoredTable extends TableHead {
  readonly rows: readonly TableRow[];
}

/** A published table whose rows are lists of cells, in the order of the columns. */
export interface CellTable extends TableHead {
  readonly cells: readonly (readonly TableCell[])[];
}

/** A series of one uid. */
export interface UidSeries extends Publication, Pick<PublishedSeries, 'name' | 'description' | 'dates'> {
  readonly unit: string | null;
  readonly values: readonly (number | null)[];
}

/** A tehsil that has a table. */
export interface TehsilTables {
  readonly tehsilId: number;
  /** Time at which the newest of its tables was published. */
  readonly publishedAt: string;
}

/** Read access to the tables and series that runs published. */
export interface DataStore {
  /** Returns the tables of a tehsil ordered by name, without rows. */
  tablesOf(tehsilId: number): Promise<readonly TableHead[]>;
  /** Returns name, run and version of the tables of a tehsil, without columns. */
  tableVersionsOf(tehsilId: number): Promise<readonly TableVersion[]>;
  /** Returns a run's tables, without those that a later run replaced, ordered by name and tehsil, without rows. */
  tablesOfRun(runId: string): Promise<readonly TableHead[]>;
  /**
   * Returns tehsils that have a table, ordered by id. With `since` (ISO time), only tables that were published at or
   * after this time count.
   */
  tehsilsWithTables(since?: string): Promise<readonly TehsilTables[]>;
  /** Returns true if the tehsil has a table or a series. */
  hasData(tehsilId: number): Promise<boolean>;
  /** Returns one table without its rows. */
  tableHead(tehsilId: number, name: string): Promise<TableHead | undefined>;
  table(tehsilId: number, name: string): Promise<StoredTable | undefined>;
  /** Returns these tables of a tehsil by one query, ordered by name, without unknown names. */
  cellTables(tehsilId: number, names: readonly string[]): Promise<readonly CellTable[]>;
  /** Returns one row by its key, without reading other rows. */
  rowOf(tehsilId: number, name: string, key: string): Promise<TableRow | undefined>;
  /**
   * Returns rows by table name. Row keys equal `key`, or begin with `key` and a colon, such as `12_1:4`, a part of
   * `12_1`.
   */
  rowsOf(tehsilId: number, names: readonly string[], key: string): Promise<ReadonlyMap<string, readonly TableRow[]>>;
  /** Returns the series of a tehsil that have this uid, ordered by name. */
  seriesOf(tehsilId: number, uid: string): Promise<readonly UidSeries[]>;
}
