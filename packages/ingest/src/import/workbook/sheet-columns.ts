import { DATA_LIMITS } from '@headwater/core/runs';
import type { TableColumn } from '@headwater/core';
import type { SheetRow } from './raw-cell.ts';
import { type ColumnKind, columnKindOf, type SheetForm } from './sheet-list.ts';

/**
 * Column with the id of a row in sheets with several rows per unit. The id consists of the unit's id, a colon, and a
 * number or name.
 */
export const ROW_ID = 'id';

/** Column of a sheet in the imported file. */
export interface FileColumn {
  readonly index: number;
  /** Name in lower case. */
  readonly name: string;
  /** Undefined for an unknown column, whose kind is derived from its values. */
  readonly kind?: ColumnKind | undefined;
}

/** Types of the stored table's columns, by name. */
export type KnownTypes = ReadonlyMap<string, TableColumn['type']>;

/** Types that cannot be derived from cells. They are taken from the stored table. */
const TAKEN_OVER: ReadonlySet<string> = new Set(['integer', 'list'] satisfies TableColumn['type'][]);

/** Columns in the first row of a sheet, or the reason why the sheet cannot be read. */
export function columnsOf(header: SheetRow, form: SheetForm, types: KnownTypes): readonly FileColumn[] | string {
  if ([...header.cells.values()].some(({ kind }) => kind === 'formula'))
    return 'A column name is a formula; write the names themselves.';
  const names = [...header.cells].flatMap(([index, cell]) => {
    const name = cell.kind === 'value' ? String(cell.value).trim().toLowerCase() : '';
    // Workbooks of this service have the column `id`, which the import computes again.
    return name === '' || (name === ROW_ID && form.several !== undefined) ? [] : [{ index, name }];
  });
  // This check comes first, because the time of the next checks grows with the number of names.
  if (names.length >= DATA_LIMITS.columns)
    return `It has ${names.length} columns; remove some, so that it has fewer than ${DATA_LIMITS.columns}.`;
  const known = new Set(names.map(({ name }) => name));
  if (!known.has(form.unitColumn))
    return `It has no column ${form.unitColumn}, which has the unit of each row (a micro-watershed or village); add it.`;
  // The first of two equal names was deleted, so `delete` returns false for the second.
  const twice = names.find(({ name }) => !known.delete(name));
  if (twice !== undefined) return `It has two columns ${quoted(twice.name)}; remove one of them.`;
  const unstorable = names.find(
    ({ name }) => name.length > 200 || name === '__proto__' || !name.isWellFormed() || name.includes('\0'),
  );
  if (unstorable !== undefined) return `The name of its column ${quoted(unstorable.name)} cannot be stored; rename it.`;
  return names.map(({ index, name }) => ({
    index,
    name,
    kind: columnKindOf(form, name) ?? takenOver(types.get(name)),
  }));
}

const takenOver = (type: TableColumn['type'] | undefined): TableColumn['type'] | undefined =>
  type !== undefined && TAKEN_OVER.has(type) ? type : undefined;

const UNITS: readonly (readonly [pattern: RegExp, unit: string])[] = [
  [/_in_mm_/, 'mm'],
  [/_in_m(_|$)/, 'm'],
  [/_in_ha(_|$)/, 'ha'],
  [/_sqkm_/, 'km2'],
  [/_in_weeks_/, 'weeks'],
  [/percent/, '%'],
];

/** Describes a column for publication. */
export function tableColumn({ name }: Pick<FileColumn, 'name'>, kind: ColumnKind): TableColumn {
  const unit = kind === 'number' ? UNITS.find(([pattern]) => pattern.test(name))?.[1] : undefined;
  const type = kind === 'json' ? 'text' : kind;
  const description =
    kind === 'json' ? 'As in the imported workbook; an object as JSON' : 'As in the imported workbook';
  return { name, type, ...(unit === undefined ? {} : { unit }), description };
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 80).toWellFormed());
