import { type DomainError, fieldError } from '@headwater/core';
import type { TableHead } from '@headwater/core/ports';
import type { TextName } from '../../../pages/texts.ts';
import { CHANGE_SHEETS, SHARES_SHEETS, YEARLY_SHEETS } from './report-sheets.ts';

/** A published column by which the map of a tehsil can be coloured. */
export interface MapColumn {
  readonly sheet: string;
  readonly column: string;
  /** Section of the report that shows the column. */
  readonly section: TextName;
  readonly name: TextName;
  /** Unit of the column; undefined if it has none. */
  readonly unit: TextName | undefined;
  /** '' for a column without year. */
  readonly year: string;
}

const YEAR = /^\d{4}(?:-\d{4})?$/;

/** Columns that can colour the map, in the order of the report's sections. */
export function mapColumns(heads: readonly Pick<TableHead, 'name' | 'columns'>[]): readonly MapColumn[] {
  const names = new Map(heads.map(({ name, columns }) => [name, columns.map((each) => each.name)]));
  const yearly = YEARLY_SHEETS.flatMap(({ sheet, title: section, unit: common, parts }) =>
    parts.flatMap((part) => {
      const { name, prefix } = part;
      const unit = 'unit' in part ? part.unit : common;
      const years = (names.get(sheet) ?? []).flatMap((column) =>
        column.startsWith(prefix) && YEAR.test(column.slice(prefix.length)) ? [column.slice(prefix.length)] : [],
      );
      return years.toSorted().map((year) => ({ sheet, column: prefix + year, section, name, unit, year }));
    }),
  );
  const single = [
    ...SHARES_SHEETS.flatMap(({ sheet, title: section, unit, columns }) =>
      Object.entries(columns).map(([column, name]) => ({ sheet, column, section, name, unit, year: '' })),
    ),
    ...CHANGE_SHEETS.map((each) => ({ ...each, section: 'changes', unit: 'inHectares', year: '' }) as const),
  ];
  return [...yearly, ...single.filter(({ sheet, column }) => names.get(sheet)?.includes(column) === true)];
}

/** Name of a column in an address. It contains the sheet, because columns of two sheets may have the same name. */
export const columnKey = ({ sheet, column }: Pick<MapColumn, 'sheet' | 'column'>): string => `${sheet}:${column}`;

/** Address of a report whose map is coloured by a column. The page opens at the map. */
export function withColumn(address: string, key: string): string {
  return `${address}&${new URLSearchParams({ column: key }).toString()}#map`;
}

/** Column that a request names; undefined if it names none. Throws `validation` for an unpublished column. */
export function namedColumn(columns: readonly MapColumn[], key: string | undefined): MapColumn | undefined {
  const found = columns.find((each) => columnKey(each) === key);
  if (key !== undefined && found === undefined) throw unknownColumn();
  return found;
}

function unknownColumn(): DomainError {
  const message =
    'No published column has this name. Choose one in the list below the map of the report, or leave this parameter out.';
  return fieldError('validation', { column: [{ rule: 'unknown', message }] });
}
