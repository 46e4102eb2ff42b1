import type { NetResponse } from '@headwater/net';
import type { FileVersion } from './download-state.ts';

/** The version that an answer is of; `total` where it says how long the whole file is. */
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

/** The SHA-256 of the whole file, hex: `Repr-Digest` (RFC 9530), or `Digest` of older servers (RFC 3230), which stand in answers to ranges too. */
function digestOf(answer: NetResponse): string | undefined {
  const texts = [answer.header('repr-digest'), answer.header('digest')];
  const found = texts.map((text) => /(?:^|[,\s])sha-256=:?([A-Za-z0-9+/]{43}=)/i.exec(text ?? '')?.[1]);
  const base64 = found.find((text) => text !== undefined);
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('hex');
}

/** True where two answers cannot be of one file. */
export function isOtherVersion(before: FileVersion, now: FileVersion): boolean {
  const differ = (a: unknown, b: unknown): boolean => a !== undefined && b !== undefined && a !== b;
  if (differ(before.total, now.total) || differ(before.digest, now.digest) || differ(before.etag, now.etag))
    return true;
  // Mirrors of one file give it the times at which they copied it.
  const isSame = before.etag !== undefined && before.etag === now.etag;
  return !isSame && differ(before.lastModified, now.lastModified);
}

/** What `If-Range` sends, so that a server gives the rest of this version or the whole of another; undefined where nothing tells them apart. */
export function ifRangeOf({ etag, lastModified }: FileVersion): string | undefined {
  // RFC 9110 13.1.5: a weak one promises no equal bytes.
  return etag?.startsWith('"') === true ? etag : lastModified;
}
