import { DomainError } from '@headwater/core';
import { sentences } from '../wire/sentences.ts';

/** A header as requests carry it. */
export type Header = string | readonly string[] | undefined;

/** The media type that a `Content-Type` names, in lower case; '' where there is none. */
export function mediaType(header: Header): string {
  // What nearly all bodies say, spelled as nearly all spell it.
  if (header === 'application/json') return header;
  if (header === undefined) return '';
  if (typeof header !== 'string') return header.join(', ').toLowerCase();
  const end = header.indexOf(';');
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}

/** The refusal of a body whose kind the row does not take; `taken` are the media types that it takes. */
export function unsupportedType(header: Header, taken: readonly string[]): DomainError {
  const type = String(header ?? '').slice(0, 100);
  const message = type === '' ? sentences.noContentType(taken) : sentences.unsupportedType(type, taken);
  return new DomainError('unsupported_media_type', message);
}
