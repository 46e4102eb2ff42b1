/** Kind of file that an importer reads; also an argument of the command (`headwater import mws mws.gpkg`) and part of the upload's path. */
export type ImportKind = 'places' | 'mws' | 'villages' | 'workbook' | 'series' | 'layer';

/** The tehsil to which a file belongs, if the file itself does not name it. */
export interface ImportPlace {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

/** One file to read, on this machine's disk. An upload is written to the disk first, within a size limit. */
export interface ImportRequest {
  /** Absolute path of the file. */
  readonly path: string;
  /** File name from the sender; only for messages, never for paths. */
  readonly fileName: string;
  readonly place?: ImportPlace;
  /** Further parameters that some kinds of file require, as parsed JSON; the importer checks them. */
  readonly options?: unknown;
  /** Account that owns the published data; if absent, the first superuser. */
  readonly ownerId?: number;
  /** If true, the file is read and checked, and nothing is stored. */
  readonly isTrial?: boolean;
  readonly signal: AbortSignal;
  /** Called with the finished amount of work, and with the `total` if it is known. */
  readonly progress?: (done: number, total?: number) => void;
}

/** A row, feature or sheet that was left out. */
export interface RefusedRow {
  /** File, sheet or layer inside the file. */
  readonly source: string;
  /** Number of the line, row of the sheet, or feature, counted from 1. */
  readonly row: number;
  readonly field?: string;
  /** Problem of the value and its remedy: whole sentences. */
  readonly problem: string;
}

/** A row or feature that was stored after a repair, such as a ring that crossed itself. */
export interface RepairedRow {
  readonly source: string;
  readonly row: number;
  readonly repair: string;
}

/** Result of an import. If a file is unusable as a whole, the import throws instead and changes nothing. */
export interface ImportReport {
  readonly kind: ImportKind;
  readonly fileName: string;
  /** Rows, features or sheets that are new or changed. */
  readonly stored: number;
  /** Rows, features or sheets that are equal to stored ones. */
  readonly unchanged: number;
  /** Number of rows left out; `refused` lists the first 1,000 of them. */
  readonly refusedCount: number;
  readonly refused: readonly RefusedRow[];
  readonly repaired: readonly RepairedRow[];
  /** Number of repaired rows, if `repaired` does not list all of them. */
  readonly repairedCount?: number;
  /** Number of stored rows that were removed because the file does not contain them; only for kinds of files that replace earlier data. */
  readonly removed?: number;
}

/**
 * Importer of one kind of file. It reads and checks the whole file, and stores the valid rows in one transaction, so a failure or an abort
 * changes nothing. A second import of the same file also changes nothing.
 */
export interface Importer {
  readonly kind: ImportKind;
  /** Endings of the names of files that the importer reads, such as `.geojson`. */
  readonly endings: readonly string[];
  readonly run: (request: ImportRequest) => Promise<ImportReport>;
}
