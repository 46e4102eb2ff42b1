/** A request to the storage. */
export interface StorageRequest {
  readonly href: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authorization?: string | undefined;
  readonly body?: Uint8Array | undefined;
}

/** A response of the storage, whose body must be read or discarded. `NetResponse` of @headwater/net has this form. */
export interface StorageResponse {
  readonly status: number;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Reads the whole body; throws if it is larger than `most` bytes. */
  bytes(most: number): Promise<Uint8Array>;
  /** Yields the body as it arrives; throws if the connection breaks. */
  pieces(): AsyncGenerator<Uint8Array>;
  discard(): void;
}

/** Sends one attempt of a request. Throws if there is no response. */
export type Send = (request: StorageRequest, signal: AbortSignal) => Promise<StorageResponse>;

/** An object of the bucket. */
export interface ObjectInfo {
  readonly key: string;
  readonly bytes: number;
  /** Identity of these bytes: the ETag (S3) or the generation (Google). A read that names the version never returns other bytes. */
  readonly version: string;
  /** CRC32C of the bytes as the storage or the upload recorded it, base64; undefined if unknown. */
  readonly crc32c: string | undefined;
  readonly modified: Date;
}

/** Content to upload. `read` may be called again for the same range. */
export interface UploadSource {
  readonly bytes: number;
  /** CRC32C of all bytes, base64. */
  readonly crc32c: string;
  /** Both ends inclusive. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/**
 * State of an upload. It is stored outside of the process. So another process can continue the upload. Only the store
 * interprets its content.
 */
export interface UploadJournal {
  read(): Promise<unknown>;
  write(state: unknown): Promise<void>;
}

/** Bytes to read; both ends inclusive. */
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

/** A bucket. Errors are domain errors: `unavailable` if a later attempt may succeed, `storage_full`, `conflict`. */
export interface ObjectStore {
  /** Name with the scheme, such as `s3://maps/published`. */
  readonly name: string;
  /** Facts of an object; undefined if it does not exist. */
  head(key: string, signal?: AbortSignal): Promise<ObjectInfo | undefined>;
  /**
   * Yields bytes of exactly this version of an object. A broken connection is resumed where it broke. Throws `unavailable` if the object was
   * removed or replaced.
   */
  read(object: Pick<ObjectInfo, 'key' | 'version'>, span: ByteSpan, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Writes an object and verifies its checksum. An upload that was interrupted is resumed. Nothing is written if the object exists already with
   * these bytes. If its metadata has no checksum, the object is read to compare it. Throws `conflict` if the object exists with other bytes.
   */
  put(upload: Upload, signal?: AbortSignal): Promise<ObjectInfo>;
  /** Removes what an unfinished upload left in the storage. `state`: content of its journal. */
  abandon(key: string, state: unknown, signal?: AbortSignal): Promise<void>;
  /** Removes an object; safe to call twice. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
  /** Yields all objects with keys that begin with the prefix. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<Pick<ObjectInfo, 'key' | 'bytes'>>;
  /** An address that clients can read for some seconds without credentials; undefined if the credentials cannot sign. */
  signedUrl(key: string, seconds: number): Promise<string | undefined>;
  /**
   * Checks region and permissions; returns a description. Throws `BucketFault` for a bucket that must not be used or
   * lacks a permission, and `unavailable` if the storage does not respond.
   */
  check(signal?: AbortSignal): Promise<string>;
}

/** A bucket that cannot be used as it is configured; the message contains the remedy. A retry does not help. */
export class BucketFault extends Error {
  override readonly name = 'BucketFault';
  /** The setting to correct. */
  readonly concerns: 'bucket' | 'region' | 'credentials' | 'owner';

  constructor(concerns: BucketFault['concerns'], message: string) {
    super(message);
    this.concerns = concerns;
  }
}

/** Smallest size of a part, bytes. An upload has at most one part in memory. */
export const PART_BYTES = 8 * 2 ** 20;

/** Size of the parts of a file, bytes. It is a multiple of 1 MiB, and so large that there are at most 9,000 parts (S3 allows 10,000). */
export function partBytes(total: number): number {
  const least = Math.ceil(total / 9000 / 2 ** 20) * 2 ** 20;
  return Math.max(PART_BYTES, least);
}
