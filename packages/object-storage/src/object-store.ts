/** A request to the storage. */
export interface StorageRequest {
  readonly href: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Headers by their names in lower case. */
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
  /**
   * Version of the object's bytes: the ETag (S3) or the generation (Google). A read with this version never returns bytes of
   * another version.
   */
  readonly version: string;
  /** CRC32C of the bytes, base64, as the storage or the upload has recorded it; undefined if unknown. */
  readonly crc32c: string | undefined;
  readonly modified: Date;
}

/** Content to upload. `read` may be called again for the same range. */
export interface UploadSource {
  readonly bytes: number;
  /** CRC32C of all bytes, base64. */
  readonly crc32c: string;
  /** Reads the bytes from `start` to `end`, both inclusive. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/**
 * State of an upload. The state is stored outside of the process, so that another process can continue the upload. Only
 * the object store interprets the content.
 */
export interface UploadJournal {
  read(): Promise<unknown>;
  write(state: unknown): Promise<void>;
}

/** Range of bytes to read, from `start` to `end`, both inclusive. */
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

/**
 * A bucket and its operations. Throws domain errors: `unavailable` if a later attempt may succeed, `storage_full` if
 * the bucket is full, and `conflict`.
 */
export interface ObjectStore {
  /** Name with the scheme, such as `s3://maps/published`. */
  readonly name: string;
  /** Returns size, version, checksum and time of an object; undefined if the object does not exist. */
  head(key: string, signal?: AbortSignal): Promise<ObjectInfo | undefined>;
  /**
   * Yields bytes of exactly this version of an object. After a broken connection, continues with the next byte. Throws `unavailable` if the
   * object was removed or replaced.
   */
  read(object: Pick<ObjectInfo, 'key' | 'version'>, span: ByteSpan, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Writes an object and verifies its checksum. Resumes an interrupted upload. Writes nothing if the object already exists with these bytes. If
   * the metadata of an existing object contain no checksum, reads the object to compare its bytes. Throws `conflict` if the object exists with
   * other bytes.
   */
  put(upload: Upload, signal?: AbortSignal): Promise<ObjectInfo>;
  /** Removes the data of an unfinished upload from the storage. `state` is the content of the upload's journal. */
  abandon(key: string, state: unknown, signal?: AbortSignal): Promise<void>;
  /** Removes an object; does nothing if the object does not exist. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
  /** Yields all objects with keys that begin with the prefix. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<Pick<ObjectInfo, 'key' | 'bytes'>>;
  /**
   * Returns an address from which clients can read the object for `seconds` seconds without credentials; undefined if
   * the credentials of this store cannot sign addresses.
   */
  signedUrl(key: string, seconds: number): Promise<string | undefined>;
  /**
   * Checks region and permissions; returns a description. Throws `BucketFault` if the bucket must not be used or a
   * permission is missing, and `unavailable` if the storage does not respond.
   */
  check(signal?: AbortSignal): Promise<string>;
}

/** A bucket that cannot be used as it is configured; the message contains the remedy. A retry does not help. */
export class BucketFault extends Error {
  override readonly name = 'BucketFault';
  /** The setting that must be corrected. */
  readonly concerns: 'bucket' | 'region' | 'credentials' | 'owner';

  constructor(concerns: BucketFault['concerns'], message: string) {
    super(message);
    this.concerns = concerns;
  }
}

/** Minimum size of the parts in which a file is uploaded, bytes. An upload has at most one part in memory. */
export const PART_BYTES = 8 * 2 ** 20;

/**
 * Size of the parts of a file, bytes. The size is a multiple of 1 MiB, and is large enough that a file has at most 9,000 parts (S3
 * allows 10,000).
 */
export function partBytes(total: number): number {
  const least = Math.ceil(total / 9000 / 2 ** 20) * 2 ** 20;
  return Math.max(PART_BYTES, least);
}
