import type { ServiceRequest } from '../seam/request.ts';
import { mediaType, unsupportedType } from './media-type.ts';
import type { MultipartSource } from './multipart.ts';

const PARSED_BY_HOST =
  'body: a multipart parser of the host read this body; mount the service before it, or keep it to the paths of the host';

const MULTIPART = 'multipart/form-data';

/** True for the media type of multipart forms. */
export function isMultipart(type: string): boolean {
  return type === MULTIPART;
}

/** The multipart body of a request; throws `unsupported_media_type` for other types, and an `Error` if the host has read it. */
export function multipartOf({ body, headers }: ServiceRequest): MultipartSource {
  const header = headers['content-type'];
  if (typeof header !== 'string' || !isMultipart(mediaType(header))) throw unsupportedType(header, [MULTIPART]);
  if (body.kind === 'parsed') throw new Error(PARSED_BY_HOST);
  return { contentType: header, chunks: body.kind === 'none' ? nothing() : body.chunks() };
}

// A body without bytes has no boundary, which the parser reports.
async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
