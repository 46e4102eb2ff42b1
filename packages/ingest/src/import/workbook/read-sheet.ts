import type { PublishedTable, TableCell, TableRow } from '@headwater/core';
import { DATA_LIMITS } from '@headwater/core/runs';
import type { ImportNotes } from '../shared/import-notes.ts';
import type { RawCell, SheetRow } from './raw-cell.ts';
import { columnsOf, type FileColumn, type KnownTypes, ROW_ID, tableColumn } from './sheet-columns.ts';
import type { ColumnKind, SheetForm } from './sheet-list.ts';
import { readCell } from './table-cell.ts';

/**
 * Largest possible area, by the unit in the name of the column: the surface of the Earth (510.1 million km2 on
 * the WGS 84 ellipsoid).
 */
const MOST: readonly (readonly [pattern: RegExp, unit: string, most: number])[] = [
  [/_in_ha(_|$)/, 'ha', 5.101e10],
  [/_sqkm_/, 'km2', 5.101e8],
];
const LEAST_MOST = Math.min(...MOST.map(([, , most]) => most));
const COUNT = /_count(_|$)/;

/** Reason why an area or count is impossible, such as `-4 is below 0`. */
function doubtOf(name: string, cell: TableCell): string | undefined {
  // Most cells return here, before the slower checks.
  if (typeof cell !== 'number' || (cell >= 0 && cell <= LEAST_MOST)) return undefined;
  const area = MOST.find(([pattern]) => pattern.test(name));
  if (area === undefined && !COUNT.test(name)) return undefined;
  if (cell < 0) return `${cell} is below 0`;
  if (area === undefined || cell <= area[2]) return undefined;
  return `${cell} ${area[1]} is more than the surface of the Earth`;
}

/** Sheet to read. */
export interface SheetTask {
  readonly form: SheetForm;
  readonly types: KnownTypes;
  /** Name of the sheet in the file. */
  readonly source: string;
  readonly tehsilId: number;
  /** Uids of the tehsil's micro-watersheds. */
  readonly uids: ReadonlySet<string>;
  readonly findings: ImportNotes;
  /** Counts cells of all sheets; throws above the limit. */
  readonly spend: (cells: number) => void;
}

type Cells = Record<string, TableCell>;

/** Reads the rows of a sheet, and reports invalid rows. Undefined if the whole sheet is left out. */
export async function readSheet(rows: AsyncIterable<SheetRow>, task: SheetTask): Promise<PublishedTable | undefined> {
  let columns: readonly FileColumn[] | undefined;
  const [found, ids]: [Cells[], Map<string, number>] = [[], new Map()];
  const refuseSheet = (row: number, problem: string): undefined => {
    task.findings.refuse({ source: task.source, row, problem });
    return undefined;
  };
  for await (const row of rows) {
    if (columns === undefined) {
      const read = columnsOf(row, task.form, task.types);
      if (typeof read === 'string') return refuseSheet(row.number, `The sheet was left out. ${read}`);
      columns = read;
      continue;
    }
    if (found.length >= DATA_LIMITS.rows)
      return refuseSheet(
        row.number,
        `The sheet was left out. It has more than ${DATA_LIMITS.rows} rows; split the workbook.`,
      );
    task.spend(columns.length);
    const cells = readRow(row, columns, { task, ids });
    if (cells !== undefined) found.push(cells);
  }
  if (columns === undefined)
    return refuseSheet(1, 'The sheet was left out. It has no row of column names; write them in the first row.');
  if (found.length === 0)
    return refuseSheet(
      1,
      'The sheet was left out. It has no rows that can be stored; add rows, or correct the refused rows of this report.',
    );
  numberRows(found, task.form, ids);
  return tableOf(found, columns, task);
}

interface RowContext {
  readonly task: SheetTask;
  /** Ids that were made from columns, each with its row number. */
  readonly ids: Map<string, number>;
}

function readRow(row: SheetRow, columns: readonly FileColumn[], context: RowContext): Cells | undefined {
  const { source, form, findings } = context.task;
  const refuse = (field: string, problem: string): undefined => {
    findings.refuse({ source, row: row.number, field, problem });
    return undefined;
  };
  const cells: Cells = form.several === undefined ? {} : { [ROW_ID]: null };
  const [notes, doubts]: [string[], string[]] = [[], []];
  for (const { index, name, kind } of columns) {
    const cell = row.cells.get(index);
    const raw = name === form.unitColumn ? trimmed(cell) : cell;
    const read = readCell(raw, kind ?? guessed(raw));
    if ('fault' in read) return refuse(name, `The value ${read.fault}.`);
    cells[name] = read.cell;
    if (read.note !== undefined) notes.push(`${name} (${read.note})`);
    const doubt = doubtOf(name, read.cell);
    if (doubt !== undefined) doubts.push(`${name} (${doubt})`);
  }
  const problem = unitProblem(cells, context.task) ?? addRowId(cells, row.number, context);
  if (problem !== undefined) return refuse(form.unitColumn, problem);
  const repairs = [...noteText('Stored as unknown: ', notes), ...noteText(DOUBTED, doubts, CORRECT)];
  if (repairs.length > 0) findings.repair({ source, row: row.number, repair: repairs.join(' ') });
  return cells;
}

const MOST_NOTED = 10;

const DOUBTED = 'Stored unchanged, although impossible: ';
const CORRECT = ' Correct the workbook and import it again.';

function noteText(what: string, notes: readonly string[], remedy = ''): readonly string[] {
  const more = notes.length > MOST_NOTED ? ` and ${notes.length - MOST_NOTED} more` : '';
  return notes.length === 0 ? [] : [`${what}${notes.slice(0, MOST_NOTED).join(', ')}${more}.${remedy}`];
}

const trimmed = (raw: RawCell | undefined): RawCell | undefined =>
  raw?.kind === 'value' && typeof raw.value === 'string' ? { kind: 'value', value: raw.value.trim() } : raw;

const guessed = (raw: RawCell | undefined): ColumnKind =>
  raw?.kind === 'value' && typeof raw.value === 'number' ? 'number' : 'text';

function unitProblem(cells: Cells, { form, uids }: SheetTask): string | undefined {
  const unit = cells[form.unitColumn] ?? null;
  if (unit === null) return `The row has no ${form.unitColumn}; each row needs one.`;
  if (form.unit === 'village' || uids.has(String(unit))) return undefined;
  return `${JSON.stringify(String(unit).slice(0, 60))} is not a stored micro-watershed of this tehsil; import its boundary first, or remove the row.`;
}

/**
 * Adds the id of a row. Returns a problem if an earlier row has the same id. If the form's `several` is empty, or a
 * cell of its columns is empty, `numberRows` adds the id later.
 */
function addRowId(cells: Cells, number: number, { task: { form }, ids }: RowContext): string | undefined {
  const unit = String(cells[form.unitColumn]);
  const parts = (form.several ?? []).map((column) => cells[column] ?? null);
  const isNumbered = form.several !== undefined && (parts.length === 0 || parts.includes(null));
  if (isNumbered) return undefined;
  const id = [unit, ...parts].join(':');
  const before = ids.get(id);
  if (before !== undefined)
    return `Row ${before} has ${JSON.stringify(id.slice(0, 80))} already; remove one of the two.`;
  ids.set(id, number);
  if (form.several !== undefined) cells[ROW_ID] = id;
  return undefined;
}

/** Gives each row without id an id of its unit and a number. Skips a number if another row already has this id. */
function numberRows(rows: readonly Cells[], form: SheetForm, taken: RowContext['ids']): void {
  if (form.several === undefined) return;
  const counts = new Map<string, number>();
  for (const cells of rows) {
    if (cells[ROW_ID] !== null) continue;
    const unit = String(cells[form.unitColumn]);
    let count = counts.get(unit) ?? 0;
    do count += 1;
    while (taken.has(`${unit}:${count}`));
    counts.set(unit, count);
    cells[ROW_ID] = `${unit}:${count}`;
  }
}

function tableOf(
  found: readonly Cells[],
  columns: readonly FileColumn[],
  { form, tehsilId }: SheetTask,
): PublishedTable {
  const fromFile = columns.map((column) => tableColumn(column, column.kind ?? kindOfValues(found, column.name)));
  const id = { name: ROW_ID, type: 'text', description: 'Id of the row: its unit and a number or name' } as const;
  return {
    name: form.name,
    tehsilId,
    key: form.several === undefined ? form.unitColumn : ROW_ID,
    columns: form.several === undefined ? fromFile : [id, ...fromFile],
    rows: found,
  };
}

/** Kind of a column by its values. If it has numbers and texts, changes the numbers in `rows` to texts. */
function kindOfValues(rows: readonly Cells[], name: string): ColumnKind {
  if (rows.every((row) => row[name] === null || typeof row[name] === 'number')) return 'number';
  for (const row of rows) if (typeof row[name] === 'number') row[name] = String(row[name]);
  return 'text';
}

/** Number of rows that are new or changed since `before`. */
export function changedRows(rows: readonly TableRow[], before: readonly TableRow[], key: string): number {
  const known = new Map(before.map((row) => [String(row[key]), textOf(row)]));
  return rows.filter((row) => known.get(String(row[key])) !== textOf(row)).length;
}

/** Text that is equal for equal rows; columns in any order, and null means missing. */
function textOf(row: TableRow): string {
  const cells = Object.entries(row).filter(([, cell]) => cell !== null);
  return JSON.stringify(cells.sort(([a], [b]) => (a < b ? -1 : 1)));
}
