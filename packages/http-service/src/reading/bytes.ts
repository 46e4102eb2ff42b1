import type { ServiceRequest } from '../seam/request.ts';
import { mediaType, unsupportedType } from './media-type.ts';

const PARSED_BY_HOST =
  'body: a parser of the host read this body; mount the service before it, or let the host keep raw bytes (express.raw)';

/**
 * The body's bytes, none where there is no body. Throws `unsupported_media_type` for types that are not in `media`, and an
 * `Error` where a parser of the host took the bytes: what it made of them does not tell what they were.
 */
export async function readBytes(
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
