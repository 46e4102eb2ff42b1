/**
 * Storage of files of runs. Each attempt has its own folder, so that a worker without lease cannot overwrite newer
 * files.
 */
export interface AssetStore {
  /** Name of the platform that hosts the files, sent as `hosting_platform`; default: the service's own storage. */
  readonly platform?: string;
  /**
   * Creates an empty folder for this attempt and returns its absolute path. Throws `storage_full` if the disk is full.
   */
  begin(runId: string, token: number): Promise<string>;
  /**
   * Writes a file atomically into the attempt's folder; returns size and sha-256 (hex). Throws the error of a streamed
   * body and then stores nothing.
   */
  write(runId: string, token: number, name: string, body: AssetBody): Promise<StoredFile>;
  /** Returns size and sha-256 of a file in the attempt's folder. */
  stat(runId: string, token: number, name: string): Promise<StoredFile>;
  /** Removes a file of the attempt's folder; safe to call twice. */
  remove(runId: string, token: number, name: string): Promise<void>;
  /**
   * Opens a published file by its key (`{runId}/{token}/{name}`); undefined if missing. Must refuse keys that lead to
   * files outside of this storage.
   */
  open(key: string): Promise<AssetFile | undefined>;
  /** Returns the absolute path of a published file on this machine, if there is one. */
  localPath?(key: string): Promise<string | undefined>;
  /**
   * Returns the path of a local copy of a published file, valid for some hours; undefined if the file is missing.
   * Absent in local stores.
   */
  localCopy?(key: string): Promise<string | undefined>;
  /** Removes the folder of a failed or replaced attempt; safe to call twice. */
  discard(runId: string, token: number): Promise<void>;
  /**
   * Removes folders older than `before` for which `isDead` is true; returns their number. Lists all folders before the
   * first call of `isDead`.
   */
  prune?(isDead: AttemptTest, before: Date): Promise<number>;
  /** Checks the storage by writing and removing a few bytes; returns a description. Throws if the check fails. */
  probe?(): Promise<string>;
}

/** Content of a file to write. A piece is valid only until the next piece is requested. */
export type AssetBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Returns true for an attempt whose folder is no longer needed. */
export type AttemptTest = (runId: string, token: number) => Promise<boolean>;

/** A stored file. `key` is the argument of `open` and the path in URLs. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  /** SHA-256 in hex digits. */
  readonly sha256: string;
}

/** A file opened for reading by byte range, with both ends included. */
export interface AssetFile {
  readonly bytes: number;
  /** Strong ETag without quotes. */
  readonly etag: string;
  readonly modified: Date;
  /** Returns an address of the bytes for clients, valid for some minutes. */
  readonly location?: () => Promise<string | undefined>;
  /** Streams the bytes. Rejects at the first read if the file was removed or replaced after it was opened. */
  stream(start: number, end: number): ReadableStream<Uint8Array>;
}
