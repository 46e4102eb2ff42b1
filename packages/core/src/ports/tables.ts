/** A value of a table that fits into one field. */
export type TableScalar = string | number | boolean | null;

/** A cell: a scalar, or a list of them where the column's type is `list`. */
export type TableCell = TableScalar | readonly TableScalar[];

/** A row by the names of its table's columns: every column, and nothing else. */
export type TableRow = Readonly<Record<string, TableCell>>;

/** What a column holds; null is a value that is not known, whatever the type. */
export interface TableColumn {
  /** As readers of the sheet know it, e.g. `cropping_intensity_unit_less_2017-2018`. */
  readonly name: string;
  /** `number` is finite, `integer` exact (safe), `list` a list of scalars. */
  readonly type: 'number' | 'text' | 'integer' | 'list';
  /** E.g. `ha`; left out for what has none. */
  readonly unit?: string;
  readonly description: string;
}

/** A sheet of one tehsil: rows by a key, as a rule the `uid` of a micro-watershed. Published whole, replaced whole. */
export interface PublishedTable {
  /** Name of the sheet, e.g. `croppingIntensity_annual`; one tehsil has one table of a name. */
  readonly name: string;
  readonly tehsilId: number;
  /** Column whose value names the row: text or integer, in every row, no two alike. */
  readonly key: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** An Item of the same deliverable that tells of the table: it gets the table's addresses as assets. */
  readonly itemId?: string;
  /**
   * In place of `itemId`: an Item that an earlier run published, which stays that run's. Publication is refused (`conflict`) unless
   * it is there, as the Item of a layer of the same tehsil.
   */
  readonly earlierItem?: EarlierItem;
}

/** An Item that an earlier run published, which a table belongs to. */
export interface EarlierItem {
  readonly id: string;
  readonly collectionPath: string;
  /** The table's addresses: the run machine sets them, and the store adds them to the Item as its next version. */
  readonly assets?: Readonly<Record<string, unknown>>;
  /** Publication of one table more than this is refused (`conflict`), also where two runs publish at once. */
  readonly limit?: TableLimit;
}

/** Tables of a kind that an Item may name: whoever opens the Item reads the addresses of all. */
export interface TableLimit {
  /** What the names of such tables begin with. */
  readonly names: string;
  readonly most: number;
  /** What can be done instead, in whole sentences. */
  readonly remedy: string;
}

/** Numbers by day for each `uid` of one tehsil. Published whole, replaced whole. */
export interface PublishedSeries {
  /** E.g. `ndvi_crop`; one tehsil has one series of a name. */
  readonly name: string;
  readonly tehsilId: number;
  readonly unit?: string;
  readonly description: string;
  /** ISO days (`2017-07-01`), ascending, no two alike. */
  readonly dates: readonly string[];
  /** By uid: one value for each date; null where nothing is known. */
  readonly values: Readonly<Record<string, readonly (number | null)[]>>;
}

/** What the store notes of a publication. */
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

/** Which publication a table is of. */
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
  /** Time of its newest publication of a table. */
  readonly publishedAt: string;
}

/** Reads of tables and series that runs published. */
export interface DataStore {
  /** Tables of a tehsil by name, ascending, without rows. */
  tablesOf(tehsilId: number): Promise<readonly TableHead[]>;
  /** The same tables by their publications alone: heads can have thousands of columns. */
  tableVersionsOf(tehsilId: number): Promise<readonly TableVersion[]>;
  /** Tables that a run published and no later one replaced, by name and tehsil, ascending, without rows. */
  tablesOfRun(runId: string): Promise<readonly TableHead[]>;
  /** Tehsils that have a table, by id, ascending. With `since` (ISO time) only those with a table that was published then or later. */
  tehsilsWithTables(since?: string): Promise<readonly TehsilTables[]>;
  /** True for a tehsil that has a table or a series. */
  hasData(tehsilId: number): Promise<boolean>;
  /** One table without its rows. */
  tableHead(tehsilId: number, name: string): Promise<TableHead | undefined>;
  table(tehsilId: number, name: string): Promise<StoredTable | undefined>;
  /** One row by its key, without reading the others. */
  rowOf(tehsilId: number, name: string, key: string): Promise<TableRow | undefined>;
  /**
   * Rows of these tables whose key is this one, or begins with it and a colon as keys of its parts do (`12_1:4`), in their order by the
   * table's name; tables without such a row are left out. One look, which reads no other row.
   */
  rowsOf(tehsilId: number, names: readonly string[], key: string): Promise<ReadonlyMap<string, readonly TableRow[]>>;
  /** Series of a tehsil that have this uid, by name, ascending. */
  seriesOf(tehsilId: number, uid: string): Promise<readonly UidSeries[]>;
}
