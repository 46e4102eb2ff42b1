import { DATA_LIMITS } from '@headwater/core/runs';
import type { TableColumn } from '@headwater/core';
import type { SheetRow } from './raw-cell.ts';
import { type ColumnKind, columnKindOf, type SheetForm } from './sheet-list.ts';

/** Column that tells the rows of one unit apart, where a sheet has several: the unit, a colon, and what is different. */
export const ROW_ID = 'id';

/** A column of a sheet's file. */
export interface FileColumn {
  readonly index: number;
  /** In lower case, as all sheets are served. */
  readonly name: string;
  /** Left out for one that the sheet is not known to have: then its values tell. */
  readonly kind?: ColumnKind | undefined;
}

/** What columns of the table hold that is shown under the sheet's name, by their names. */
export type KnownTypes = ReadonlyMap<string, TableColumn['type']>;

/** What is taken over for a column that the form does not know: from its cells these two cannot be told. */
const TAKEN_OVER: ReadonlySet<string> = new Set(['integer', 'list'] satisfies TableColumn['type'][]);

/** Columns by the names in a sheet's first row; or why the sheet cannot be read, as a whole sentence. */
export function columnsOf(header: SheetRow, form: SheetForm, types: KnownTypes): readonly FileColumn[] | string {
  if ([...header.cells.values()].some(({ kind }) => kind === 'formula'))
    return 'A formula stands among the names of its columns; write the names themselves.';
  const names = [...header.cells].flatMap(([index, cell]) => {
    const name = cell.kind === 'value' ? String(cell.value).trim().toLowerCase() : '';
    // Our own workbook has this column, which is made anew.
    return name === '' || (name === ROW_ID && form.several !== undefined) ? [] : [{ index, name }];
  });
  // First: those below look at each of them.
  if (names.length >= DATA_LIMITS.columns)
    return `It has ${names.length} columns; fewer than ${DATA_LIMITS.columns} are stored.`;
  const known = new Set(names.map(({ name }) => name));
  if (!known.has(form.unitColumn)) return `It has no column ${form.unitColumn}, by which its rows are joined; add it.`;
  // The second of a name finds it taken out.
  const twice = names.find(({ name }) => !known.delete(name));
  if (twice !== undefined) return `It has two columns ${quoted(twice.name)}; take one of them out.`;
  const odd = names.find(
    ({ name }) => name.length > 200 || name === '__proto__' || !name.isWellFormed() || name.includes('\0'),
  );
  if (odd !== undefined) return `Its column ${quoted(odd.name)} has a name that cannot be stored; call it otherwise.`;
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

/** A column as it is published. */
export function tableColumn({ name }: Pick<FileColumn, 'name'>, kind: ColumnKind): TableColumn {
  const unit = kind === 'number' ? UNITS.find(([pattern]) => pattern.test(name))?.[1] : undefined;
  const type = kind === 'json' ? 'text' : kind;
  const description =
    kind === 'json' ? 'As the imported workbook has it; an object as JSON' : 'As the imported workbook has it';
  return { name, type, ...(unit === undefined ? {} : { unit }), description };
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 80).toWellFormed());
