/** A single value in a table. */
export type TableScalar = string | number | boolean | null;

/** A cell: a scalar, or a list of scalars if the column's type is `list`. */
export type TableCell = TableScalar | readonly TableScalar[];

/** A row: a cell for every column of the table, by name, and no other members. */
export type TableRow = Readonly<Record<string, TableCell>>;

/** Name, type, unit and description of a column. For every type, null is an unknown value. */
export interface TableColumn {
  /** Column header in the sheet, e.g. `cropping_intensity_unit_less_2017-2018`. */
  readonly name: string;
  /** Type of the cells: `number` is finite, `integer` is a safe integer, `list` is a list of scalars. */
  readonly type: 'number' | 'text' | 'integer' | 'list';
  /** Unit, e.g. `ha`; absent for values without unit. */
  readonly unit?: string;
  readonly description: string;
}

/** A sheet of one tehsil. Each row has a key, usually the `uid` of a micro-watershed. A sheet is published and replaced as a whole. */
export interface PublishedTable {
  /** Name of the sheet, e.g. `croppingIntensity_annual`; a tehsil has at most one table of each name. */
  readonly name: string;
  readonly tehsilId: number;
  /** Column whose value identifies the row: text or integer, present in every row, unique. */
  readonly key: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** Id of an Item of the same deliverable to which the table belongs; the Item gets the table's addresses as assets. */
  readonly itemId?: string;
  /**
   * Instead of `itemId`: an Item of an earlier run to which the table belongs. The Item stays an Item of that run. The publication is
   * refused (`conflict`) unless the Item exists and is the Item of a layer of the same tehsil.
   */
  readonly earlierItem?: EarlierItem;
}

/** An Item of an earlier run to which a table belongs. */
export interface EarlierItem {
  readonly id: string;
  readonly collectionPath: string;
  /**
   * The table's addresses, as assets of the Item. The code that executes runs sets these assets, and the store adds them to the next version
   * of the Item.
   */
  readonly assets?: Readonly<Record<string, unknown>>;
  /**
   * Limit on the tables of this kind that the Item lists. The publication of a further table is refused (`conflict`), also if two runs publish
   * at the same time.
   */
  readonly limit?: TableLimit;
}

/**
 * Maximum number of tables of one kind that an Item may list. A limit is necessary, because every response with the Item contains the
 * addresses of all its tables.
 */
export interface TableLimit {
  /** Common prefix of the names of the tables of this kind. */
  readonly names: string;
  readonly most: number;
  /** Advice for a refused publication, in whole sentences. */
  readonly remedy: string;
}

/** A time series: numbers by day for each `uid` of one tehsil. It is published and replaced as a whole. */
export interface PublishedSeries {
  /** Name, e.g. `ndvi_crop`; a tehsil has at most one series of each name. */
  readonly name: string;
  readonly tehsilId: number;
  readonly unit?: string;
  readonly description: string;
  /** ISO days (`2017-07-01`), ascending, unique. */
  readonly dates: readonly string[];
  /** Values by uid, one for each date; null if unknown. */
  readonly values: Readonly<Record<string, readonly (number | null)[]>>;
}

/** Run, version and time of a publication. */
interface Publication {
  /** The run that published the table or series. */
  readonly runId: string;
  /** Version: 1 at first; each publication of this name for this tehsil adds 1. */
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
  /** Rows in the order of the publication. */
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
  /**
   * Returns name, run and version of the tables that `tablesOf` returns. Columns are not read, because a table can have thousands of columns.
   */
  tableVersionsOf(tehsilId: number): Promise<readonly TableVersion[]>;
  /** Returns those tables of a run that no later run replaced, ordered by name and tehsil, without rows. */
  tablesOfRun(runId: string): Promise<readonly TableHead[]>;
  /** Returns tehsils that have a table, ordered by id. With `since` (ISO time), only tehsils with a table that was published then or later. */
  tehsilsWithTables(since?: string): Promise<readonly TehsilTables[]>;
  /** Returns true if the tehsil has a table or a series. */
  hasData(tehsilId: number): Promise<boolean>;
  /** Returns one table without its rows. */
  tableHead(tehsilId: number, name: string): Promise<TableHead | undefined>;
  table(tehsilId: number, name: string): Promise<StoredTable | undefined>;
  /** Returns these tables of a tehsil, ordered by name, by one query. Unknown names are left out. */
  cellTables(tehsilId: number, names: readonly string[]): Promise<readonly CellTable[]>;
  /** Returns one row by its key, without reading other rows. */
  rowOf(tehsilId: number, name: string, key: string): Promise<TableRow | undefined>;
  /**
   * Returns rows by table name. The key of a row must equal `key`, or begin with `key` and a colon, such as `12_1:4`, the key of a part of
   * `12_1`. Tables without such a row are left out. Executes one query, which reads no other rows.
   */
  rowsOf(tehsilId: number, names: readonly string[], key: string): Promise<ReadonlyMap<string, readonly TableRow[]>>;
  /** Returns the series of a tehsil that have this uid, ordered by name. */
  seriesOf(tehsilId: number, uid: string): Promise<readonly UidSeries[]>;
}
