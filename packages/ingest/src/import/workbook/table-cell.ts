import { DATA_LIMITS } from '@headwater/core/runs';
import { isStorable } from '@headwater/core/values';
import type { TableCell } from '@headwater/core';
import type { TableScalar } from '@headwater/core/ports';
import { decimal, isUnknown, isUnknownText } from '../shared/numbers.ts';
import { type Literal, parseCell } from '@headwater/net/python-literal';
import type { RawCell } from './raw-cell.ts';
import type { ColumnKind } from './sheet-list.ts';

/** What is stored of a cell: itself, null with a note why, or nothing where the row cannot be stored with it. */
export type CellReading =
  | { readonly cell: TableCell; readonly note?: string }
  /** A whole sentence without its subject. */
  | { readonly fault: string };

const NO_VALUE: CellReading = { cell: null };

/** Reads a cell of a column; a cell that is not there is null. */
export function readCell(raw: RawCell | undefined, kind: ColumnKind): CellReading {
  if (raw === undefined) return NO_VALUE;
  if (raw.kind === 'formula')
    return { fault: 'is a formula, which is not computed here; paste the values in place of the formulas' };
  if (raw.kind === 'error') return { cell: null, note: raw.text };
  if (raw.kind === 'date') return kind === 'number' || kind === 'integer' ? READ[kind](raw.value) : READ[kind](raw.iso);
  const { value } = raw;
  if (typeof value === 'string' && value.trim() === '') return NO_VALUE;
  if (typeof value === 'number' && !Number.isFinite(value)) return { cell: null, note: 'no finite number' };
  const isNothing = kind === 'text' ? isUnknownText : isUnknown;
  if (typeof value === 'string' && isNothing(value)) return { cell: null, note: value.trim() };
  return READ[kind](value);
}

const READ: Readonly<Record<ColumnKind, (value: string | number | boolean) => CellReading>> = {
  number: (value) => {
    const number = numberOf(value);
    return number === undefined ? { fault: `is ${shown(value)}, which is no number` } : { cell: number };
  },
  integer: (value) => {
    const number = numberOf(value);
    return Number.isSafeInteger(number)
      ? { cell: number ?? null }
      : { fault: `is ${shown(value)}, which is no whole number` };
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
    return { fault: `has ${text.length} characters; at most ${DATA_LIMITS.text} are stored` };
  return isStorable(text) ? { cell: text } : { fault: 'has a character that no text can have (NUL, or half a pair)' };
}

function literalCell(value: string | number | boolean, read: (literal: Literal) => CellReading): CellReading {
  try {
    return read(typeof value === 'string' ? parseCell(value) : value);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it cannot be read';
    return { fault: `is no list or object as Python or JSON writes it: ${why}` };
  }
}

function listCell(values: readonly Literal[]): CellReading {
  const scalars = values.filter((value): value is TableScalar => value === null || typeof value !== 'object');
  if (scalars.length < values.length) return { fault: 'holds a list or an object within its list' };
  if (scalars.length > DATA_LIMITS.list)
    return { fault: `has ${scalars.length} members; at most ${DATA_LIMITS.list} are stored` };
  const checked = textCell(scalars.filter((value) => typeof value === 'string').join(''));
  return 'fault' in checked ? checked : { cell: scalars };
}

function shown(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 60).toWellFormed());
}
