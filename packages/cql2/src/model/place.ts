import type { Cql2Error, Cql2ErrorCode } from './error.ts';

/** A fault at one place of a filter. */
export interface Fault {
  readonly code?: Cql2ErrorCode;
  readonly found: string;
  readonly expected: string;
  readonly remedy: string;
}

/** A place in a text or in a JSON value. */
export interface Place {
  /** Returns an error that the caller must throw. `inside` is a JSON pointer relative to this place. */
  error(fault: Fault, inside?: string): Cql2Error;
}

const SHOWN = 60;

/** Describes a value for a message: short, with characters below U+0020 escaped. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const names = Object.keys(value).slice(0, 4);
  return names.length === 0 ? 'an empty object' : `an object with ${names.map(quoted).join(', ')}`;
}

/** A text in quotation marks, escaped and cut at 60 characters. */
export function quoted(text: string): string {
  const start = JSON.stringify(text.slice(0, SHOWN).toWellFormed());
  return text.length > SHOWN ? `${start.slice(0, -1)}…"` : start;
}
