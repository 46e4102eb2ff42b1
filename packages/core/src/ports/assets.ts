/** Where a run's files go. Each (run, fencing token) has a folder of its own, so a revived worker overwrites nothing. */
export interface AssetStore {
  /** Name of the platform that hosts its files, as answers tell it (`hosting_platform`); left out: the service's own. */
  readonly platform?: string;
  /** Creates the folder for this attempt, empty, and returns its absolute path. Throws `storage_full` on ENOSPC. */
  begin(runId: string, token: number): Promise<string>;
  /**
   * Writes a file atomically in the attempt's folder; returns its size and sha-256 (hex). A body that comes in pieces is written as it
   * comes; where it ends with an error, so does this, and nothing is stored.
   */
  write(runId: string, token: number, name: string, body: AssetBody): Promise<StoredFile>;
  /** Size and sha-256 of a file that something else wrote into the attempt's folder. */
  stat(runId: string, token: number, name: string): Promise<StoredFile>;
  /** Removes a file of the attempt's folder that is not to be published; safe to call twice. */
  remove(runId: string, token: number, name: string): Promise<void>;
  /** Opens a published file by its key (`{runId}/{token}/{name}`); undefined when absent. Keys are checked, never joined raw. */
  open(key: string): Promise<AssetFile | undefined>;
  /** Absolute path of a published file on this machine, for what reads by path; undefined when absent. Left out where there is none. */
  localPath?(key: string): Promise<string | undefined>;
  /** Removes an attempt's folder (failed or replaced); safe to call twice. */
  discard(runId: string, token: number): Promise<void>;
  /**
   * Where listing is possible: removes folders that are older than `before` and belong to a dead attempt; returns how many. Lists
   * them all before it asks about the first, so that what is asked then knows of every attempt that has a folder.
   */
  prune?(isDead: AttemptTest, before: Date): Promise<number>;
  /** Writes and removes a few bytes, and says so; throws when that fails. */
  probe?(): Promise<string>;
}

/** What a file is written of: all of it, or pieces of which none is looked at again once the next one is asked for. */
export type AssetBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** True for an attempt whose folder nobody needs. */
export type AttemptTest = (runId: string, token: number) => Promise<boolean>;

/** A stored file. `key` is what `open` takes and what URLs carry. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  /** Hex sha-256. */
  readonly sha256: string;
}

/** A file opened for reading by byte range (both inclusive). */
export interface AssetFile {
  readonly bytes: number;
  /** Strong validator without quotes. */
  readonly etag: string;
  readonly modified: Date;
  /** Its bytes. Rejects at the first read if the file has been removed or replaced since it was opened. */
  stream(start: number, end: number): ReadableStream<Uint8Array>;
}
