/** What an importer reads, in the words of the command and of the upload: `headwater import mws mws.gpkg`. */
export type ImportKind = 'places' | 'mws' | 'villages' | 'workbook' | 'series' | 'layer';

/** The tehsil that a file belongs to, where the file itself does not say. */
export interface ImportPlace {
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

/** One file to read. It lies on this machine's disk: an upload is written there first, and bounded while it is. */
export interface ImportRequest {
  /** Absolute path. */
  readonly path: string;
  /** What the person who sent it called it; for messages, never for paths. */
  readonly fileName: string;
  readonly place?: ImportPlace;
  /** What is said of the file where its kind asks for more than its name tells, as JSON gives it; the importer checks it. */
  readonly options?: unknown;
  /** Account in whose name data of a tehsil are published; left out: the first superuser. */
  readonly ownerId?: number;
  /** True: everything is read and checked, nothing is stored. */
  readonly isTrial?: boolean;
  readonly signal: AbortSignal;
  /** Called with parts of the work done so far, of `total` where that is known. */
  readonly progress?: (done: number, total?: number) => void;
}

/** A row, feature or sheet that was left out. */
export interface RefusedRow {
  /** File, sheet or layer inside the file. */
  readonly source: string;
  /** Counted from 1 as a reader of the file counts: the line, the row of the sheet, the feature. */
  readonly row: number;
  readonly field?: string;
  /** What is wrong with the value, and what to do: whole sentences. */
  readonly problem: string;
}

/** A row or feature that was stored after a repair, such as a ring that crossed itself. */
export interface RepairedRow {
  readonly source: string;
  readonly row: number;
  readonly repair: string;
}

/** What an import did. A file that is broken as a whole throws instead, and has changed nothing. */
export interface ImportReport {
  readonly kind: ImportKind;
  readonly fileName: string;
  /** Rows, features or sheets that are new or changed. */
  readonly stored: number;
  /** Those that were there already, the same. */
  readonly unchanged: number;
  /** How many were left out; `refused` lists the first 1,000 of them. */
  readonly refusedCount: number;
  readonly refused: readonly RefusedRow[];
  readonly repaired: readonly RepairedRow[];
  /** How many were repaired, where `repaired` does not list all of them. */
  readonly repairedCount?: number;
  /** Those that were there before and that the file does not hold any more, for kinds where a file replaces what was there. */
  readonly removed?: number;
}

/**
 * One way in. It reads the whole file, checks it, and stores what is right in one transaction: a failure or an abort changes nothing,
 * and the same file again stores nothing.
 */
export interface Importer {
  readonly kind: ImportKind;
  /** Ends of file names that it reads, such as `.geojson`. */
  readonly endings: readonly string[];
  readonly run: (request: ImportRequest) => Promise<ImportReport>;
}
