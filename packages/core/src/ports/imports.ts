/** Kind of file that an importer reads; also the word of the command and of the upload: `headwater import mws mws.gpkg`. */
export type ImportKind = 'places' | 'mws' | 'villages' | 'workbook' | 'series' | 'layer';

/** The tehsil that a file belongs to, if the file itself does not name it. */
export interface ImportPlace {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

/** One file to read. It is on this machine's disk; an upload is first written there, within a size limit. */
export interface ImportRequest {
  /** Absolute path. */
  readonly path: string;
  /** File name given by the sender; for messages, never for paths. */
  readonly fileName: string;
  readonly place?: ImportPlace;
  /** Further parameters that some kinds of file require, as parsed JSON; the importer checks them. */
  readonly options?: unknown;
  /** Account that owns the published data of a tehsil; left out: the first superuser. */
  readonly ownerId?: number;
  /** True: the file is read and checked, and nothing is stored. */
  readonly isTrial?: boolean;
  readonly signal: AbortSignal;
  /** Called with the parts of the work done so far, and their `total` if it is known. */
  readonly progress?: (done: number, total?: number) => void;
}

/** A row, feature or sheet that was left out. */
export interface RefusedRow {
  /** File, sheet or layer inside the file. */
  readonly source: string;
  /** Counted from 1, as a reader of the file counts: line, row of the sheet, or feature. */
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

/** Result of an import. For a file that is unusable as a whole the import throws and changes nothing. */
export interface ImportReport {
  readonly kind: ImportKind;
  readonly fileName: string;
  /** Rows, features or sheets that are new or changed. */
  readonly stored: number;
  /** Rows, features or sheets that were already stored and are the same. */
  readonly unchanged: number;
  /** Number of rows left out; `refused` lists the first 1,000 of them. */
  readonly refusedCount: number;
  readonly refused: readonly RefusedRow[];
  readonly repaired: readonly RepairedRow[];
  /** Number of repaired rows, if `repaired` does not list all of them. */
  readonly repairedCount?: number;
  /** Number of earlier rows that the file no longer holds, for kinds whose file replaces the earlier data. */
  readonly removed?: number;
}

/**
 * Importer of one kind of file. It reads the whole file, checks it, and stores the valid part in one transaction: a failure or an abort
 * changes nothing, and importing the same file again stores nothing.
 */
export interface Importer {
  readonly kind: ImportKind;
  /** File name endings that it reads, such as `.geojson`. */
  readonly endings: readonly string[];
  readonly run: (request: ImportRequest) => Promise<ImportReport>;
}
