import { DATA_LIMITS } from '@headwater/core/runs';
import { isStorable } from '@headwater/core/values';
import type { TableCell } from '@headwater/core';
import type { TableScalar } from '@headwater/core/ports';
import { decimal, isUnknown, isUnknownText } from '../shared/numbers.ts';
import { type Literal, parseCell } from '@headwater/net/python-literal';
import type { RawCell } from './raw-cell.ts';
import type { ColumnKind } from './sheet-list.ts';

/** Value of a cell; or null with the reason; or a fault for which the row is refused. */
export type CellReading =
  | { readonly cell: TableCell; readonly note?: string }
  /** Predicate of a sentence, such as `is a formula`. */
  | { readonly fault: string };

const NO_VALUE: CellReading = { cell: null };

/** Converts a cell to the kind of its column; a missing cell becomes null. */
export function readCell(raw: RawCell | undefined, kind: ColumnKind): CellReading {
  if (raw === undefined) return NO_VALUE;
  if (raw.kind === 'formula')
    return { fault: 'is a formula, and formulas are not computed here; replace the formulas by their values' };
  if (raw.kind === 'error') return { cell: null, note: raw.text };
  if (raw.kind === 'date') return kind === 'number' || kind === 'integer' ? READ[kind](raw.value) : READ[kind](raw.iso);
  const { value } = raw;
  if (typeof value === 'string' && value.trim() === '') return NO_VALUE;
  if (typeof value === 'number' && !Number.isFinite(value)) return { cell: null, note: 'not a finite number' };
  const isNothing = kind === 'text' ? isUnknownText : isUnknown;
  if (typeof value === 'string' && isNothing(value)) return { cell: null, note: value.trim() };
  return READ[kind](value);
}

const READ: Readonly<Record<ColumnKind, (value: string | number | boolean) => CellReading>> = {
  number: (value) => {
    const number = numberOf(value);
    return number === undefined ? { fault: `is ${shown(value)}, which is not a number` } : { cell: number };
  },
  integer: (value) => {
    const number = numberOf(value);
    return Number.isSafeInteger(number)
      ? { cell: number ?? null }
      : { fault: `is ${shown(value)}, which is not a whole number` };
  },
  text: (value) => textCell(String(value)),
  list: (value) => literalCell(value, (literal) => listCell(Array.isArray(literal) ? literal : [literal])),
  json: (value) => literalCell(value, (literal) => textCell(JSON.stringify(literal))),
};

function numberOf(value: string | number | boolean): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? decimal(value) : undefined;
}

function textCell(text: string): CellReading {
  if (text.length > DATA_LIMITS.text)
    return { fault: `has ${text.length} characters; at most ${DATA_LIMITS.text} are allowed` };
  return isStorable(text)
    ? { cell: text }
    : { fault: 'has a character that cannot be stored (NUL, or half a surrogate pair)' };
}

function literalCell(value: string | number | boolean, read: (literal: Literal) => CellReading): CellReading {
  try {
    return read(typeof value === 'string' ? parseCell(value) : value);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it cannot be read';
    return { fault: `is not a list or object in Python or JSON notation: ${why}` };
  }
}

function listCell(values: readonly Literal[]): CellReading {
  const scalars = values.filter((value): value is TableScalar => value === null || typeof value !== 'object');
  if (scalars.length < values.length)
    return { fault: 'has a list or an object within its list; write one list of texts or numbers' };
  if (scalars.length > DATA_LIMITS.list)
    return { fault: `has ${scalars.length} members; at most ${DATA_LIMITS.list} are allowed` };
  const checked = textCell(scalars.filter((value) => typeof value === 'string').join(''));
  return 'fault' in checked ? checked : { cell: scalars };
}

function shown(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 60).toWellFormed());
}
