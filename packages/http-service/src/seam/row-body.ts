import type { ZodType } from 'zod';

/** How named fields may arrive: a JSON object, `application/x-www-form-urlencoded`, `multipart/form-data`. */
export type FieldsKind = 'json' | 'form' | 'multipart';

/** A body of named fields (or any JSON), checked by a schema. */
export interface FieldsBody<B> {
  readonly kind: 'fields';
  readonly schema: ZodType<B>;
  /** Shown in OpenAPI in place of `schema`, where that one reads what JSON Schema cannot say. */
  readonly documented?: ZodType;
  readonly accepts: readonly FieldsKind[];
  /** Bytes; default: the service's limit. */
  readonly limit?: number;
  /** JSON and forms are told apart by their bytes, whatever their type is called; blank bytes are no body. What is neither is refused. */
  readonly lenient?: true;
  /** The row refuses an empty body by itself, though the schemas take it; shown in OpenAPI. */
  readonly refusesEmpty?: true;
}

/** A body of raw bytes, held in memory. */
export interface BytesBody<B> {
  readonly kind: 'bytes';
  /** Media types that are taken; empty: all. */
  readonly media: readonly string[];
  readonly limit?: number;
  readonly read: (bytes: Uint8Array) => B;
}

/** A multipart body as a stream of parts: nothing is held but the part at hand. */
export interface PartsBody<B> {
  readonly kind: 'parts';
  readonly limits: Partial<PartLimits>;
  /** Shown in OpenAPI: an object with a member for each part. */
  readonly documented?: ZodType;
  readonly read: (parts: AsyncIterable<Part>) => B;
}

/** Bounds of a multipart body; each is refused with `payload_too_large`. */
export interface PartLimits {
  /** Bytes of the whole body; default: the service's limit. */
  readonly total: number;
  /** Fields and files together; default 100. */
  readonly parts: number;
  /** Bytes of one field's value; default 1 MiB, and never above `total`. */
  readonly field: number;
  /** Bytes of one file; default: `total`. */
  readonly file: number;
}

/** One part of a multipart body. */
export type Part =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file';
      readonly name: string;
      /** As sent, without folders; '' where a form had none. A text of the client: never a path of ours. */
      readonly filename: string;
      /** Media type as sent. */
      readonly type: string;
      /** Read it before the next part is asked for; what is left unread is skipped. */
      readonly chunks: AsyncIterable<Uint8Array>;
    };

/** What a row says of its body; a bare schema is JSON within the service's limit. */
export type RowBody<B> = ZodType<B> | FieldsBody<B> | BytesBody<B> | PartsBody<B>;

/** What `fieldsBody` takes beside the schema. */
export interface FieldsOptions {
  /** Default: JSON only. */
  readonly accepts?: readonly FieldsKind[];
  readonly limit?: number;
  readonly lenient?: true;
  readonly refusesEmpty?: true;
}

/**
 * Named fields of any of these kinds, checked by one schema. Values of forms are text; a file of a multipart body is a `File`
 * (`z.file()`), held in memory: rows that take large ones use `partsBody`.
 */
export function fieldsBody<B>(schema: ZodType<B>, { accepts = ['json'], ...rest }: FieldsOptions = {}): FieldsBody<B> {
  return { kind: 'fields', schema, accepts, ...rest };
}

/** Raw bytes of these media types (default: any); the handler's body is a `Uint8Array`. */
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

/** The row's body with a bare schema spelled out. */
export function bodySpec<B>(body: RowBody<B>): FieldsBody<B> | BytesBody<B> | PartsBody<B> {
  return 'kind' in body ? body : fieldsBody(body);
}
