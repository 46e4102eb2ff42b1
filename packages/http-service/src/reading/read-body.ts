import { DomainError } from '@headwater/core';
import { sentences } from '../wire/sentences.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { BytesBody, FieldsBody, PartLimits, PartsBody } from '../seam/row-body.ts';
import { readFields } from './fields-body.ts';
import { mediaType, unsupportedType } from './media-type.ts';
import { multipartOf, readParts } from './multipart.ts';

const PARSED_BY_HOST =
  'body: a parser of the host read this body; mount the service before it, or let the host keep raw bytes (express.raw)';

/**
 * Reads the bytes of a body. Throws an `Error` if the host has parsed the body, because the bytes cannot be restored.
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
  // An empty body counts as no body, with any content type.
  if (read.byteLength > 0 && !isTaken) throw unsupportedType(header, media);
  return read;
}

/**
 * Reads the body, but does not validate it; undefined for fields without a body. Throws, or rejects with,
 * `payload_too_large`, `unsupported_media_type` or `parse`.
 */
export type BodyReader = (request: ServiceRequest) => Promise<unknown>;

type RowBody<B> = FieldsBody<B> | BytesBody<B> | PartsBody<B>;

const DEFAULT_PARTS = 100;
const DEFAULT_FIELD = 1024 * 1024;

/** Creates the reader of an operation's body. `defaultLimit`: default maximum size, bytes. */
export function createBodyReader<B>(spec: RowBody<B>, defaultLimit: number): BodyReader {
  const read = readerOf(spec, defaultLimit);
  return (request) => {
    refuseEncoded(request);
    return read(request);
  };
}

function refuseEncoded({ body, headers: { 'content-encoding': header } }: ServiceRequest): void {
  if (header === undefined || body.kind !== 'stream' || body.isDecoded === true) return;
  const encoding = String(header).trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return;
  const details = { acceptEncoding: 'identity' };
  throw new DomainError('unsupported_media_type', sentences.encodedBody(encoding.slice(0, 100)), { details });
}

function readerOf<B>(spec: RowBody<B>, defaultLimit: number): BodyReader {
  if (spec.kind === 'fields') return fieldsReader(spec, spec.limit ?? defaultLimit);
  if (spec.kind === 'bytes') {
    const limit = spec.limit ?? defaultLimit;
    return async (request) => spec.read(await readBytes(request, spec.media, limit));
  }
  const limits = partLimits(spec.limits, defaultLimit);
  // The handler reads the parts from the stream.
  return async (request) => spec.read(readParts(multipartOf(request), limits));
}

/** Adds the default limits of a multipart body. No limit in bytes is above the limit of the whole body. */
export function partLimits(limits: Partial<PartLimits>, defaultTotal: number): PartLimits {
  const total = limits.total ?? defaultTotal;
  const { parts = DEFAULT_PARTS, field = DEFAULT_FIELD, file = total } = limits;
  return { total, parts, field: Math.min(field, total), file: Math.min(file, total) };
}

function fieldsReader<B>({ accepts, lenient }: FieldsBody<B>, limit: number): BodyReader {
  const parts = partLimits({ field: limit }, limit);
  const options = { accepts: new Set(accepts), limit, parts, isLenient: lenient === true };
  return (request) => readFields(request, options);
}
