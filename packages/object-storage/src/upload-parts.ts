import { isObject } from '@headwater/core/values';
import { crc32c, crcText } from './crc32c.ts';
import type { UploadSource } from './object-store.ts';

/** A part of a file. */
export interface Part {
  /** Position of the first byte. */
  readonly start: number;
  readonly body: Uint8Array;
  readonly crc32c: string;
}

/** Reads the part that begins at `start`. */
export async function readPart(source: UploadSource, start: number, size: number): Promise<Part> {
  const end = Math.min(start + size, source.bytes) - 1;
  const body = source.bytes === 0 ? new Uint8Array(0) : await source.read(start, end);
  return { start, body, crc32c: crcText(crc32c(body)) };
}

/** Journal of an upload in parts to S3. */
export interface PartedUpload {
  readonly uploadId: string;
  readonly partBytes: number;
  readonly parts: readonly { readonly etag: string; readonly crc32c: string }[];
}

/** Journal of a resumable session at Google Cloud Storage. */
export interface Session {
  readonly session: string;
}

/** Parses the journal of an upload in parts; undefined for another form. */
export function asPartedUpload(state: unknown): PartedUpload | undefined {
  if (!isObject(state)) return undefined;
  const { uploadId, partBytes, parts } = state;
  if (typeof uploadId !== 'string' || typeof partBytes !== 'number' || !Array.isArray(parts)) return undefined;
  const known = parts.flatMap((part: unknown) =>
    isObject(part) && typeof part['etag'] === 'string' && typeof part['crc32c'] === 'string'
      ? [{ etag: part['etag'], crc32c: part['crc32c'] }]
      : [],
  );
  return known.length === parts.length ? { uploadId, partBytes, parts: known } : undefined;
}

/** Parses the journal of a session; undefined for another form. */
export function asSession(state: unknown): Session | undefined {
  return isObject(state) && typeof state['session'] === 'string' ? { session: state['session'] } : undefined;
}
