/** Kind of file that an importer reads, in the command (`headwater import mws mws.gpkg`) and in the upload's path. */
export type ImportKind = 'places' | 'mws' | 'villages' | 'workbook' | 'series' | 'layer';

/** The tehsil to which a file belongs, if the file itself does not name a tehsil. */
export interface ImportPlace {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

/** One file on this machine's disk to read. */
export interface ImportRequest {
  /** Absolute path of the file. */
  readonly path: string;
  /** File name from the sender: for messages, the format, the place and the series; never used as a path. */
  readonly fileName: string;
  readonly place?: ImportPlace;
  /** Parameters that some kinds of file require, as parsed JSON; the importer checks them. */
  readonly options?: unknown;
  /** Account that owns the published data; default: the first superuser. */
  readonly ownerId?: number;
  /** If true, the file is read and checked, and nothing is stored. */
  readonly isTrial?: boolean;
  readonly signal: AbortSignal;
  /** Called with the finished amount of work, and with the `total` if known. */
  readonly progress?: (done: number, total?: number) => void;
}

/** A row, feature or sheet that was refused. */
export interface RefusedRow {
  /** Name of the file, or of the sheet or layer inside the file. */
  readonly source: string;
  /** Number of the line, row of the sheet, or feature, from 1. */
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

/** Result of an import. An unusable file throws instead and changes nothing. */
export interface ImportReport {
  readonly kind: ImportKind;
  readonly fileName: string;
  /** Rows, features or sheets that are new or changed. */
  readonly stored: number;
  readonly unchanged: number;
  /** Number of refused rows; `refused` lists the first 1,000. */
  readonly refusedCount: number;
  readonly refused: readonly RefusedRow[];
  readonly repaired: readonly RepairedRow[];
  /** Number of repaired rows, if `repaired` does not list all of them. */
  readonly repairedCount?: number;
  /** Number of stored rows that were removed, because the file replaces earlier data. */
  readonly removed?: number;
}

/**
 * Importer of one kind of file. Stores the valid rows of the whole file in one transaction. A second import of
 * the same file changes nothing.
 */
export interface Importer {
  readonly kind: ImportKind;
  /** Endings of file names, such as `.geojson`. */
  readonly endings: readonly string[];
  readonly run: (request: ImportRequest) => Promise<ImportReport>;
}
