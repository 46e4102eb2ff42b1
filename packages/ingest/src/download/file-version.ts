import type { NetResponse } from '@headwater/net';
import type { FileVersion } from './download-state.ts';

/** Version of the file in a response. */
export function versionOf(answer: NetResponse, total: number | undefined): FileVersion {
  const [etag, lastModified] = [answer.header('etag'), answer.header('last-modified')];
  const digest = digestOf(answer);
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
    ...(total === undefined ? {} : { total }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Hex SHA-256 of the whole file, also in a partial response, from `Repr-Digest` (RFC 9530) or `Digest` (RFC 3230). */
function digestOf(answer: NetResponse): string | undefined {
  const texts = [answer.header('repr-digest'), answer.header('digest')];
  const found = texts.map((text) => /(?:^|[,\s])sha-256=:?([A-Za-z0-9+/]{43}=)/i.exec(text ?? '')?.[1]);
  const base64 = found.find((text) => text !== undefined);
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('hex');
}

/** True if two responses cannot belong to the same file. */
export function isOtherVersion(before: FileVersion, now: FileVersion): boolean {
  const differ = (a: unknown, b: unknown): boolean => a !== undefined && b !== undefined && a !== b;
  if (differ(before.total, now.total) || differ(before.digest, now.digest) || differ(before.etag, now.etag))
    return true;
  // With equal ETags the times are ignored, because mirrors send the time of their copy.
  const isSame = before.etag !== undefined && before.etag === now.etag;
  return !isSame && differ(before.lastModified, now.lastModified);
}

/**
 * Value of `If-Range`. With it, the server sends the rest if the file is unchanged, otherwise the whole file.
 * Undefined with neither a strong ETag nor a time.
 */
export function ifRangeOf({ etag, lastModified }: FileVersion): string | undefined {
  // A weak ETag is not sent, because files with equal weak ETags may differ in bytes (RFC 9110, 13.1.5).
  return etag?.startsWith('"') === true ? etag : lastModified;
}
