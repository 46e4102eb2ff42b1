import { DomainError } from '@headwater/core';
import { sentences } from '../wire/sentences.ts';

/** Value of a request header. */
export type Header = string | readonly string[] | undefined;

/** Media type of a `Content-Type` header in lower case; '' without a header. */
export function mediaType(header: Header): string {
  // Fast path: almost all bodies have this type.
  if (header === 'application/json') return header;
  if (header === undefined) return '';
  if (typeof header !== 'string') return header.join(', ').toLowerCase();
  const end = header.indexOf(';');
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}

/** Error for a body with a media type that is not in `accepted`. */
export function unsupportedType(header: Header, accepted: readonly string[]): DomainError {
  const type = String(header ?? '').slice(0, 100);
  const message = type === '' ? sentences.noContentType(accepted) : sentences.unsupportedType(type, accepted);
  return new DomainError('unsupported_media_type', message);
}

/** Error for a body above its limit in bytes. */
export function payloadTooLarge(limit: number, what = 'body'): DomainError {
  return new DomainError('payload_too_large', `${what}: larger than ${limit} bytes; send less`);
}
