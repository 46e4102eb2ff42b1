/**
 * Storage of files of runs. Each attempt (run and fencing token) has its own folder. So a worker that lost its lease cannot overwrite files of a
 * newer attempt.
 */
export interface AssetStore {
  /** Name of the platform that hosts the files, sent in responses as `hosting_platform`; if absent, responses have the name of the service's own storage. */
  readonly platform?: string;
  /** Creates an empty folder for this attempt and returns its absolute path. Throws `storage_full` if the disk is full. */
  begin(runId: string, token: number): Promise<string>;
  /**
   * Writes a file atomically in the attempt's folder; returns its size and sha-256 (hex). A streamed body is written piece by piece. If the
   * body ends with an error, the call throws this error and nothing is stored.
   */
  write(runId: string, token: number, name: string, body: AssetBody): Promise<StoredFile>;
  /** Returns size and sha-256 of a file that other code wrote into the attempt's folder. */
  stat(runId: string, token: number, name: string): Promise<StoredFile>;
  /** Removes a file of the attempt's folder that is not to be published; safe to call twice. */
  remove(runId: string, token: number, name: string): Promise<void>;
  /**
   * Opens a published file by its key (`{runId}/{token}/{name}`); undefined if it does not exist. Implementations must check that the key does
   * not lead to another file.
   */
  open(key: string): Promise<AssetFile | undefined>;
  /**
   * Returns the absolute path of a published file on this machine, for readers that need a path; undefined if it does not exist here. Stores
   * without local files do not have this method.
   */
  localPath?(key: string): Promise<string | undefined>;
  /**
   * Copies a published file to this machine if it is elsewhere; returns its absolute path. This path stays valid for some hours. Undefined if the
   * file does not exist. Stores whose files are all on this machine do not have this method.
   */
  localCopy?(key: string): Promise<string | undefined>;
  /** Removes the folder of a failed or replaced attempt; safe to call twice. */
  discard(runId: string, token: number): Promise<void>;
  /**
   * Removes folders that are older than `before` and belong to an attempt for which `isDead` is true. Returns the number of removed folders.
   * Stores that cannot list folders do not have this method. `prune` lists all folders before the first call of `isDead`. So `isDead` can read
   * the live attempts at its first call: no listed folder has a later owner.
   */
  prune?(isDead: AttemptTest, before: Date): Promise<number>;
  /** Checks the storage by writing and removing a few bytes; returns a description of the check. Throws if it fails. */
  probe?(): Promise<string>;
}

/**
 * Content of a file to write: whole, or in pieces. A piece is valid only until the next piece is requested, because the producer may then reuse
 * the memory.
 */
export type AssetBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** True for an attempt whose folder is no longer needed. */
export type AttemptTest = (runId: string, token: number) => Promise<boolean>;

/** A stored file. `key` is the argument of `open` and the path in URLs. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  /** SHA-256 of the file in hex digits. */
  readonly sha256: string;
}

/** A file opened for reading by byte range, with both ends included. */
export interface AssetFile {
  readonly bytes: number;
  /** Strong ETag without quotes. */
  readonly etag: string;
  readonly modified: Date;
  /** Returns an address at which clients can read the same bytes, for a few minutes or longer; undefined or absent if there is none. */
  readonly location?: () => Promise<string | undefined>;
  /** Streams the bytes. Rejects at the first read if the file was removed or replaced after it was opened. */
  stream(start: number, end: number): ReadableStream<Uint8Array>;
}
