import type { ServiceRequest } from '../seam.ts';
import { mediaType, unsupportedType } from './media-type.ts';

const PARSED_BY_HOST =
  'body: a parser of the host read this body; mount the service before it, or let the host keep raw bytes (express.raw)';

/** The body's bytes, none where there is no body. Throws `unsupported_media_type` for types that are not in `media`. */
export async function readBytes(
  { body, headers }: ServiceRequest,
  media: readonly string[],
  limit: number,
): Promise<Uint8Array> {
  if (body.kind === 'none') return new Uint8Array(0);
  if (body.kind === 'parsed') throw new Error(PARSED_BY_HOST);
  const read = await body.read(limit);
  const header = headers['content-type'];
  // As with other kinds: no bytes are no body, whatever the type says.
  if (read.byteLength > 0 && media.length > 0 && !media.includes(mediaType(header))) throw unsupportedType(header);
  return read;
}
