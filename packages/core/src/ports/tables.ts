/** A value of a table that fits into one field. */
export type TableScalar = string | number | boolean | null;

/** A cell: a scalar, or a list of them where the column's type is `list`. */
export type TableCell = TableScalar | readonly TableScalar[];

/** A row by the names of its table's columns: every column, and nothing else. */
export type TableRow = Readonly<Record<string, TableCell>>;

/** Name, type, unit and description of a column; null is an unknown value, whatever the type. */
export interface TableColumn {
  /** Column header in the sheet, e.g. `cropping_intensity_unit_less_2017-2018`. */
  readonly name: string;
  /** `number` is finite, `integer` exact (safe), `list` a list of scalars. */
  readonly type: 'number' | 'text' | 'integer' | 'list';
  /** E.g. `ha`; left out for values without unit. */
  readonly unit?: string;
  readonly description: string;
}

/** A sheet of one tehsil: rows by a key, usually the `uid` of a micro-watershed. Published and replaced as a whole. */
export interface PublishedTable {
  /** Name of the sheet, e.g. `croppingIntensity_annual`; a tehsil has one table of each name. */
  readonly name: string;
  readonly tehsilId: number;
  /** Column whose value identifies the row: text or integer, present in every row, unique. */
  readonly key: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** An Item of the same deliverable that describes the table: it gets the table's addresses as assets. */
  readonly itemId?: string;
  /**
   * In place of `itemId`: an Item of an earlier run, which remains that run's Item. Publication is refused (`conflict`) unless it exists as
   * the Item of a layer of the same tehsil.
   */
  readonly earlierItem?: EarlierItem;
}

/** An Item of an earlier run that a table belongs to. */
export interface EarlierItem {
  readonly id: string;
  readonly collectionPath: string;
  /** The table's addresses: the run machine sets them, and the store adds them to the Item as its next version. */
  readonly assets?: Readonly<Record<string, unknown>>;
  /** Publication of one table more than this is refused (`conflict`), also if two runs publish at once. */
  readonly limit?: TableLimit;
}

/** Limit on tables of a kind that an Item may list: readers of the Item get the addresses of all. */
export interface TableLimit {
  /** Common prefix of the names of such tables. */
  readonly names: string;
  readonly most: number;
  /** Advice for a refused publication, in whole sentences. */
  readonly remedy: string;
}

/** Numbers by day for each `uid` of one tehsil. Published and replaced as a whole. */
export interface PublishedSeries {
  /** E.g. `ndvi_crop`; a tehsil has one series of each name. */
  readonly name: string;
  readonly tehsilId: number;
  readonly unit?: string;
  readonly description: string;
  /** ISO days (`2017-07-01`), ascending, unique. */
  readonly dates: readonly string[];
  /** By uid: one value for each date; null if it is unknown. */
  readonly values: Readonly<Record<string, readonly (number | null)[]>>;
}

/** Run, version and time of a publication. */
interface Publication {
  /** The run that published it. */
  readonly runId: string;
  /** Counts from 1 with every publication of this name for this tehsil. */
  readonly version: number;
  /** ISO 8601 UTC. */
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
  /** In the order in which they were published. */
  readonly rows: readonly TableRow[];
}

/** A series of one uid. */
export interface UidSeries extends Publication, Pick<PublishedSeries, 'name' | 'description' | 'dates'> {
  readonly unit: string | null;
  readonly values: readonly (number | null)[];
}

/** A tehsil that has a table. */
export interface TehsilTables {
  readonly tehsilId: number;
  /** Time of its newest published table. */
  readonly publishedAt: string;
}

/** Reads of tables and series that runs published. */
export interface DataStore {
  /** Tables of a tehsil by name, ascending, without rows. */
  tablesOf(tehsilId: number): Promise<readonly TableHead[]>;
  /** Publications of the same tables without their columns, of which there can be thousands. */
  tableVersionsOf(tehsilId: number): Promise<readonly TableVersion[]>;
  /** Tables that a run published and that no later run replaced, by name and tehsil, ascending, without rows. */
  tablesOfRun(runId: string): Promise<readonly TableHead[]>;
  /** Tehsils that have a table, by id, ascending. With `since` (ISO time) only those with a table published then or later. */
  tehsilsWithTables(since?: string): Promise<readonly TehsilTables[]>;
  /** True for a tehsil that has a table or a series. */
  hasData(tehsilId: number): Promise<boolean>;
  /** One table without its rows. */
  tableHead(tehsilId: number, name: string): Promise<TableHead | undefined>;
  table(tehsilId: number, name: string): Promise<StoredTable | undefined>;
  /** One row by its key, without reading the others. */
  rowOf(tehsilId: number, name: string, key: string): Promise<TableRow | undefined>;
  /**
   * Rows of these tables whose key equals this one, or starts with it and a colon like the keys of its parts (`12_1:4`), in their order by
   * the table's name. Tables without such a row are left out. One query, which reads no other row.
   */
  rowsOf(tehsilId: number, names: readonly string[], key: string): Promise<ReadonlyMap<string, readonly TableRow[]>>;
  /** Series of a tehsil that have this uid, by name, ascending. */
  seriesOf(tehsilId: number, uid: string): Promise<readonly UidSeries[]>;
}
