import type { BytesBody, FieldsBody, PartLimits, PartsBody } from '../seam/row-body.ts';
import type { ServiceRequest } from '../seam/request.ts';
import { readBytes } from './bytes.ts';
import { readFields } from './fields-body.ts';
import { multipartOf } from './multipart-source.ts';
import { readParts } from './multipart.ts';

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
