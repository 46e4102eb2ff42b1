import type { ZodType } from 'zod';

/** Encodings of named fields. */
export type FieldsKind = 'json' | 'form' | 'multipart';

/** Body that a schema checks: named fields (JSON, form or multipart), or any other JSON value. */
export interface FieldsBody<B> {
  readonly kind: 'fields';
  readonly schema: ZodType<B>;
  /** Schema in OpenAPI, if JSON Schema cannot express `schema`. */
  readonly documented?: ZodType;
  readonly accepts: readonly FieldsKind[];
  /** Maximum size of the body, bytes; default: the service's limit. */
  readonly limit?: number;
  /** True if the content type is ignored, and JSON or a form is detected from the bytes. */
  readonly lenient?: true;
  /** True if the operation refuses an empty body that the schema accepts. */
  readonly refusesEmpty?: true;
}

/** Body of raw bytes, in memory. */
export interface BytesBody<B> {
  readonly kind: 'bytes';
  /** Accepted media types; if empty, all are accepted. */
  readonly media: readonly string[];
  readonly limit?: number;
  readonly read: (bytes: Uint8Array) => B;
}

/** Multipart body as a stream; only the current part is in memory. */
export interface PartsBody<B> {
  readonly kind: 'parts';
  readonly limits: Partial<PartLimits>;
  /** Schema in OpenAPI, with a member for each part. */
  readonly documented?: ZodType;
  readonly read: (parts: AsyncIterable<Part>) => B;
}

/** Limits of a multipart body; above a limit, `payload_too_large` is thrown. */
export interface PartLimits {
  /** Whole body, bytes; default: the service's limit. */
  readonly total: number;
  /** Fields and files together; default: 100. */
  readonly parts: number;
  /** Value of a field, bytes; default: 1 MiB. Never above `total`. */
  readonly field: number;
  /** File, bytes; default and maximum: `total`. */
  readonly file: number;
}

/** Part of a multipart body. */
export type Part =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file';
      readonly name: string;
      /** File name as sent, without folders; may be ''. Never use it as a path, because clients choose it. */
      readonly filename: string;
      /** Media type as sent. */
      readonly type: string;
      /** Read the bytes before the next part; unread bytes are skipped. */
      readonly chunks: AsyncIterable<Uint8Array>;
    };

/** Body of an operation. A schema alone means JSON with the service's limit. */
export type RowBody<B> = ZodType<B> | FieldsBody<B> | BytesBody<B> | PartsBody<B>;

/** Options of `fieldsBody`. */
export interface FieldsOptions {
  /** Accepted encodings; default: only JSON. */
  readonly accepts?: readonly FieldsKind[];
  readonly limit?: number;
  readonly lenient?: true;
  readonly refusesEmpty?: true;
}

/** Body of named fields with one schema. Files are `File` objects in memory; use `partsBody` for large files. */
export function fieldsBody<B>(schema: ZodType<B>, { accepts = ['json'], ...rest }: FieldsOptions = {}): FieldsBody<B> {
  return { kind: 'fields', schema, accepts, ...rest };
}

/** Body of raw bytes with these media types (default: any). The handler's body is a `Uint8Array`. */
export function bytesBody(
  options: { readonly media?: readonly string[]; readonly limit?: number } = {},
): BytesBody<Uint8Array> {
  const { media = [], ...rest } = options;
  return { kind: 'bytes', media, ...rest, read: (value) => value };
}

/** Multipart body as a stream of its parts in the order sent. */
export function partsBody(limits: Partial<PartLimits> = {}): PartsBody<AsyncIterable<Part>> {
  return { kind: 'parts', limits, read: (value) => value };
}

/** Body of an operation; a schema becomes a `fieldsBody`. */
export function bodySpec<B>(body: RowBody<B>): FieldsBody<B> | BytesBody<B> | PartsBody<B> {
  return 'kind' in body ? body : fieldsBody(body);
}
