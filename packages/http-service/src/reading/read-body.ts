import type { ServiceRequest } from '../seam/request.ts';
import type { BytesBody, FieldsBody, PartLimits, PartsBody } from '../seam/row-body.ts';
import { readFields } from './fields-body.ts';
import { mediaType, unsupportedType } from './media-type.ts';
import { multipartOf } from './multipart-source.ts';
import { readParts } from './multipart.ts';

const PARSED_BY_HOST =
  'body: a parser of the host read this body; mount the service before it, or let the host keep raw bytes (express.raw)';

/**
 * The body's bytes, none where there is no body. Throws `unsupported_media_type` for types that are not in `media`, and an
 * `Error` where a parser of the host took the bytes: what it made of them does not tell what they were.
 */
async function readBytes(
  { body, headers }: ServiceRequest,
  media: readonly string[],
  limit: number,
): Promise<Uint8Array> {
  if (body.kind === 'none') return new Uint8Array(0);
  const header = headers['content-type'];
  const isTaken = media.length === 0 || media.includes(mediaType(header));
  if (body.kind === 'parsed') throw isTaken ? new Error(PARSED_BY_HOST) : unsupportedType(header, media);
  const read = await body.read(limit);
  // As with other kinds: no bytes are no body, whatever the type says.
  if (read.byteLength > 0 && !isTaken) throw unsupportedType(header, media);
  return read;
}

/**
 * Reads what stands in a row's body, undefined where there is none; nothing is checked against a schema yet.
 * Throws `payload_too_large`, `unsupported_media_type` or `parse`.
 */
export type BodyReader = (request: ServiceRequest) => Promise<unknown>;

const DEFAULT_PARTS = 100;
const DEFAULT_FIELD = 1024 * 1024;

/** Reader of a row's body; `defaultLimit` in bytes holds where the row names none. */
export function createBodyReader<B>(
  spec: FieldsBody<B> | BytesBody<B> | PartsBody<B>,
  defaultLimit: number,
): BodyReader {
  if (spec.kind === 'fields') return fieldsReader(spec, spec.limit ?? defaultLimit);
  if (spec.kind === 'bytes') {
    const limit = spec.limit ?? defaultLimit;
    return async (request) => spec.read(await readBytes(request, spec.media, limit));
  }
  const limits = partLimits(spec.limits, defaultLimit);
  // Nothing is read here: the handler takes the parts as they come.
  return async (request) => spec.read(readParts(multipartOf(request), limits));
}

/** Limits of a multipart body with the defaults filled in; no field may be larger than the whole. */
export function partLimits(given: Partial<PartLimits>, defaultTotal: number): PartLimits {
  const total = given.total ?? defaultTotal;
  const { parts = DEFAULT_PARTS, field = DEFAULT_FIELD, file = total } = given;
  return { total, parts, field: Math.min(field, total), file: Math.min(file, total) };
}

function fieldsReader<B>({ accepts, lenient }: FieldsBody<B>, limit: number): BodyReader {
  const parts = partLimits({ field: limit }, limit);
  const options = { accepts: new Set(accepts), limit, parts, isLenient: lenient === true };
  return (request) => readFields(request, options);
}
