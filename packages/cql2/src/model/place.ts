import type { Cql2Error, Cql2ErrorCode } from './error.ts';

/** What is wrong at a place of a filter. */
export interface Fault {
  /** `syntax` where it is left out. */
  readonly code?: Cql2ErrorCode;
  readonly found: string;
  readonly expected: string;
  readonly remedy: string;
}

/** A place in a text or in a JSON value, which turns a fault into the error that names it. */
export interface Place {
  /** The error, to be thrown. `inside` is a JSON pointer from this place on; a text has no use for it. */
  error(fault: Fault, inside?: string): Cql2Error;
}

const SHOWN = 60;

/** A value as messages show it: short, in one line, without characters that hide. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const names = Object.keys(value).slice(0, 4);
  return names.length === 0 ? 'an empty object' : `an object with ${names.map(quoted).join(', ')}`;
}

/** A text in quotation marks, cut short; what is no printable character is written as its escape. */
export function quoted(text: string): string {
  const start = JSON.stringify(text.slice(0, SHOWN).toWellFormed());
  return text.length > SHOWN ? `${start.slice(0, -1)}…"` : start;
}
