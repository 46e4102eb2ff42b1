import type { ZodType } from 'zod';

/** Encodings of named fields: a JSON object, `application/x-www-form-urlencoded`, `multipart/form-data`. */
export type FieldsKind = 'json' | 'form' | 'multipart';

/** A body of named fields (or any JSON), validated by a schema. */
export interface FieldsBody<B> {
  readonly kind: 'fields';
  readonly schema: ZodType<B>;
  /** Schema that OpenAPI shows if JSON Schema cannot express `schema`. */
  readonly documented?: ZodType;
  readonly accepts: readonly FieldsKind[];
  /** Limit in bytes; default: the service's limit. */
  readonly limit?: number;
  /**
   * True if JSON or a form is detected from the bytes, and the content type is ignored. Blank bytes count as no body; other content
   * is refused.
   */
  readonly lenient?: true;
  /**
   * True if the operation refuses an empty body, although the schema accepts an empty body. OpenAPI then shows the body as
   * required.
   */
  readonly refusesEmpty?: true;
}

/** A body of raw bytes, in memory. */
export interface BytesBody<B> {
  readonly kind: 'bytes';
  /** Accepted media types; if empty, all are accepted. */
  readonly media: readonly string[];
  readonly limit?: number;
  readonly read: (bytes: Uint8Array) => B;
}

/** A multipart body as a stream of parts; only the current part is in memory. */
export interface PartsBody<B> {
  readonly kind: 'parts';
  readonly limits: Partial<PartLimits>;
  /** Schema that OpenAPI shows: an object with a member for each part. */
  readonly documented?: ZodType;
  readonly read: (parts: AsyncIterable<Part>) => B;
}

/** Limits of a multipart body; each is enforced with `payload_too_large`. */
export interface PartLimits {
  /** Maximum size of the whole body, bytes; default: the service's limit. */
  readonly total: number;
  /** Maximum number of fields and files together; default: 100. */
  readonly parts: number;
  /** Maximum size of the value of a field, bytes; default: 1 MiB. Never above `total`. */
  readonly field: number;
  /** Maximum size of a file, bytes; default: `total`. */
  readonly file: number;
}

/** One part of a multipart body. */
export type Part =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file';
      readonly name: string;
      /** File name as sent, without folders; '' if the form had no file name. It comes from the client: never use it as a path. */
      readonly filename: string;
      /** Media type as sent. */
      readonly type: string;
      /** Bytes of the part. Read them before the next part; unread bytes are skipped. */
      readonly chunks: AsyncIterable<Uint8Array>;
    };

/** Body of an operation. If it is only a schema, the body is JSON with the service's size limit. */
export type RowBody<B> = ZodType<B> | FieldsBody<B> | BytesBody<B> | PartsBody<B>;

/** Options of `fieldsBody`. */
export interface FieldsOptions {
  /** Accepted encodings of the fields; default: only JSON. */
  readonly accepts?: readonly FieldsKind[];
  readonly limit?: number;
  readonly lenient?: true;
  readonly refusesEmpty?: true;
}

/**
 * A body of named fields of these kinds, validated by one schema. Form values are text. A file of a multipart body is a `File`
 * (`z.file()`) in memory; operations with large files use `partsBody`.
 */
export function fieldsBody<B>(schema: ZodType<B>, { accepts = ['json'], ...rest }: FieldsOptions = {}): FieldsBody<B> {
  return { kind: 'fields', schema, accepts, ...rest };
}

/** A body of raw bytes with these media types (default: any); the handler's body is a `Uint8Array`. */
export function bytesBody(
  options: { readonly media?: readonly string[]; readonly limit?: number } = {},
): BytesBody<Uint8Array> {
  const { media = [], ...rest } = options;
  return { kind: 'bytes', media, ...rest, read: (value) => value };
}

/** A multipart body as a stream; the handler's body yields its parts in the order sent. */
export function partsBody(limits: Partial<PartLimits> = {}): PartsBody<AsyncIterable<Part>> {
  return { kind: 'parts', limits, read: (value) => value };
}

/** Returns the body of an operation; converts a schema to a `fieldsBody`. */
export function bodySpec<B>(body: RowBody<B>): FieldsBody<B> | BytesBody<B> | PartsBody<B> {
  return 'kind' in body ? body : fieldsBody(body);
}
