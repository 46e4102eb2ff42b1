/** A request to the storage. */
export interface StorageRequest {
  readonly href: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authorization?: string | undefined;
  readonly body?: Uint8Array | undefined;
}

/** A response, whose body must be read or discarded (`NetResponse` of @headwater/net). */
export interface StorageResponse {
  readonly status: number;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Reads the body; throws above `most` bytes. */
  bytes(most: number): Promise<Uint8Array>;
  /** Yields the body; throws if the connection breaks. */
  pieces(): AsyncGenerator<Uint8Array>;
  discard(): void;
}

/** Sends a request once, without retries. Throws if there is no response. */
export type Send = (request: StorageRequest, signal: AbortSignal) => Promise<StorageResponse>;

/** An object of the bucket. */
export interface ObjectInfo {
  readonly key: string;
  readonly bytes: number;
  /** ETag (S3) or generation (Google) of the bytes. A read never returns bytes of another version. */
  readonly version: string;
  /** Recorded CRC32C, base64; undefined if unknown. */
  readonly crc32c: string | undefined;
  readonly modified: Date;
}

/** Content to upload. Ranges may be read repeatedly. */
export interface UploadSource {
  readonly bytes: number;
  /** CRC32C of all bytes, base64. */
  readonly crc32c: string;
  /** Reads the bytes from `start` to `end`, inclusive. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/**
 * Stored state of an upload, so that another process can continue the upload. Only the object store interprets the
 * state.
 */
export interface UploadJournal {
  read(): Promise<unknown>;
  write(state: unknown): Promise<void>;
}

/** Range of bytes from `start` to `end`, inclusive. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** An object to write, with the journal of earlier attempts. */
export interface Upload {
  readonly key: string;
  readonly mediaType: string;
  readonly source: UploadSource;
  readonly journal: UploadJournal;
}

/** Operations of a bucket. Throws the domain errors `unavailable` (retry later), `storage_full` and `conflict`. */
export interface ObjectStore {
  /** Name with the scheme, such as `s3://maps/published`. */
  readonly name: string;
  /** Size, version, checksum and time of an object; undefined if missing. */
  head(key: string, signal?: AbortSignal): Promise<ObjectInfo | undefined>;
  /**
   * Yields bytes of exactly this version; continues after a broken connection. Throws `unavailable` if the object was
   * removed or replaced.
   */
  read(object: Pick<ObjectInfo, 'key' | 'version'>, span: ByteSpan, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Writes and verifies an object; resumes an interrupted upload. Does nothing if the object already has these bytes.
   * Throws `conflict` if it has other bytes.
   */
  put(upload: Upload, signal?: AbortSignal): Promise<ObjectInfo>;
  /** Removes the data of an unfinished upload. `state`: content of its journal. */
  abandon(key: string, state: unknown, signal?: AbortSignal): Promise<void>;
  /** Removes an object, if it exists. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
  /** Yields all objects whose keys begin with the prefix. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<Pick<ObjectInfo, 'key' | 'bytes'>>;
  /** Public address of an object for `seconds`; undefined if the credentials cannot sign addresses. */
  signedUrl(key: string, seconds: number): Promise<string | undefined>;
  /**
   * Checks region and permissions; returns the result as a sentence. Throws `BucketFault`, or `unavailable` if the
   * storage does not respond.
   */
  check(signal?: AbortSignal): Promise<string>;
}

/** A bucket with a wrong configuration; the message contains the remedy. Not retryable. */
export class BucketFault extends Error {
  override readonly name = 'BucketFault';
  /** The setting to correct. */
  readonly concerns: 'bucket' | 'region' | 'credentials' | 'owner';

  constructor(concerns: BucketFault['concerns'], message: string) {
    super(message);
    this.concerns = concerns;
  }
}

/** Minimum size of upload parts, bytes. One part is in memory at a time. */
export const PART_BYTES = 8 * 2 ** 20;

/** Size of parts, bytes: a multiple of 1 MiB with at most 9,000 parts (S3 allows 10,000). */
export function partBytes(total: number): number {
  const least = Math.ceil(total / 9000 / 2 ** 20) * 2 ** 20;
  return Math.max(PART_BYTES, least);
}
