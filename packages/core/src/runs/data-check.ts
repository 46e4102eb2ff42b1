import { DomainError } from '../errors.ts';
import { isIsoDay } from '../iso-day.ts';
import type { Deliverable } from '../ports/runs.ts';
import type { PublishedSeries, PublishedTable, TableCell, TableColumn, TableRow } from '../ports/tables.ts';
import { isStorable } from '../storable-text.ts';

/** What one publication may carry. A tehsil has some 1,000 micro-watersheds, 30 sheets, and 26 fortnights a year. */
export const DATA_LIMITS = {
  tables: 200,
  series: 200,
  columns: 2000,
  rows: 100_000,
  /** Cells of all tables, and values of all series. */
  values: 10_000_000,
  /** Characters of one text; a list counts those of all its texts. */
  text: 20_000,
  list: 10_000,
} as const;

/** A name that can stand in an address and as a file's name. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const LONGEST_NAME = 200;

/**
 * Throws `internal` when a table or a series contradicts itself, naming it with the column and the row, and where an Item is there
 * twice: nothing of the run is published then. Every store calls it before it writes.
 */
export function checkData({ items, tables = [], series = [] }: Omit<Deliverable, 'layers' | 'timings'>): void {
  atMost('The tables', tables.length, DATA_LIMITS.tables);
  atMost('The series', series.length, DATA_LIMITS.series);
  const cells = tables.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0);
  const numbers = series.reduce((sum, { dates, values }) => sum + dates.length * Object.keys(values).length, 0);
  atMost('The cells of all tables and values of all series', cells + numbers, DATA_LIMITS.values);
  checkNames('Table', tables);
  checkNames('Series', series);
  const twice = firstTwice(items.map(({ collectionPath, id }) => `${collectionPath}/${id}`));
  // The one would be kept as what an earlier run published, under this run's name: no later run could replace the other.
  if (twice !== undefined) throw fault(`Item ${twice}`, 'it is there twice; publish it once');
  const ids = new Set(items.map(({ id }) => id));
  for (const table of tables) {
    const { name, itemId, earlierItem } = table;
    if (itemId !== undefined && earlierItem !== undefined)
      throw fault(`Table ${name}`, 'it names an Item of its own and an earlier one; name one of them');
    if (itemId !== undefined && !ids.has(itemId))
      throw fault(`Table ${name}`, `its Item ${quoted(itemId)} is not published with it`);
    checkTable(table);
  }
  for (const each of series) checkSeries(each);
}

/**
 * Throws `internal` where a pipeline that names its tables and series publishes another one: nobody who misses that would be told its route.
 */
export function checkDataNames(
  { name, data }: { readonly name: string; readonly data?: readonly string[] },
  { tables = [], series = [] }: Pick<Deliverable, 'tables' | 'series'>,
): void {
  const other = [...tables, ...series].find((each) => data?.includes(each.name) === false);
  if (other !== undefined)
    throw fault(`Pipeline ${name}`, `its \`data\` does not name ${other.name}, which it publishes`);
}

/** The first text that stood in the list before; undefined where each is there once. */
export function firstTwice(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((text) => seen.size === seen.add(text).size);
}

function checkNames(kind: string, all: readonly { readonly name: string; readonly tehsilId: number }[]): void {
  const seen = new Set<string>();
  for (const { name, tehsilId } of all) {
    if (!NAME.test(name))
      throw fault(
        `${kind} ${quoted(name)}`,
        'use 1 to 100 letters, digits and _ . - as its name, a letter or digit first',
      );
    const key = `${tehsilId}/${name}`;
    if (seen.has(key)) throw fault(`${kind} ${name}`, `it is there twice for tehsil ${tehsilId}; publish it once`);
    seen.add(key);
  }
}

function checkTable({ name, key, columns, rows }: PublishedTable): void {
  const where = `Table ${name}`;
  atMost(`${where}: its columns`, columns.length, DATA_LIMITS.columns);
  atMost(`${where}: its rows`, rows.length, DATA_LIMITS.rows);
  const names = new Set<string>();
  for (const column of columns) {
    checkColumn(where, column);
    if (names.has(column.name)) throw fault(`${where}, column ${quoted(column.name)}`, 'it is there twice');
    names.add(column.name);
  }
  const keyColumn = columns.find((column) => column.name === key);
  if (keyColumn === undefined) throw fault(where, `its key ${quoted(key)} is none of its columns`);
  if (keyColumn.type !== 'text' && keyColumn.type !== 'integer')
    throw fault(where, `its key ${quoted(key)} is of type ${keyColumn.type}; use text or integer`);
  const keys = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const value = rowKey(row, key);
    const at = value === undefined ? `${where}, row ${index}` : `${where}, row ${quoted(value)}`;
    if (value === undefined) throw fault(at, `it has no ${key}`);
    if (keys.has(value)) throw fault(at, `another row has this ${key} too`);
    keys.add(value);
    checkRow(at, row, columns);
  }
}

function checkColumn(where: string, { name, description, unit = '' }: TableColumn): void {
  const isName = name.trim() !== '' && name.length <= LONGEST_NAME && name !== '__proto__' && isStorable(name);
  if (!isName) throw fault(`${where}, column ${quoted(name)}`, `use 1 to ${LONGEST_NAME} characters as its name`);
  checkText(`${where}, column ${quoted(name)}, description`, description);
  checkText(`${where}, column ${quoted(name)}, unit`, unit);
}

/** The text by which a row is found; undefined where it has none. */
export function rowKey(row: TableRow, key: string): string | undefined {
  const value = Object.hasOwn(row, key) ? row[key] : undefined;
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return text === '' ? undefined : text;
}

function checkRow(where: string, row: TableRow, columns: readonly TableColumn[]): void {
  for (const { name, type } of columns) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (value === undefined) throw fault(where, `column ${quoted(name)} is missing; write null for what is not known`);
    const problem = value === null ? undefined : CELL[type](value);
    if (problem !== undefined) throw fault(`${where}, column ${quoted(name)}`, problem);
  }
  const count = Object.keys(row).length;
  if (count === columns.length) return;
  const extra = Object.keys(row).find((name) => !columns.some((column) => column.name === name));
  throw fault(where, `${quoted(String(extra))} is none of the columns`);
}

/** What is wrong with a cell of each type. */
const CELL: Readonly<Record<TableColumn['type'], (value: TableCell) => string | undefined>> = {
  number: (value) =>
    Number.isFinite(value) ? undefined : `${shown(value)} is no finite number; write null for what is not known`,
  integer: (value) => (Number.isSafeInteger(value) ? undefined : `${shown(value)} is no whole number`),
  text: (value) => (typeof value === 'string' ? textProblem(value) : `${shown(value)} is no text`),
  list: (value) => (Array.isArray(value) ? listProblem(value) : `${shown(value)} is no list`),
};

function listProblem(list: readonly unknown[]): string | undefined {
  if (list.length > DATA_LIMITS.list)
    return `the list has ${list.length} members, at most ${DATA_LIMITS.list} are taken`;
  const odd = list.find((each) => !isScalar(each));
  return odd === undefined
    ? textProblem(list.filter((each) => typeof each === 'string').join(''))
    : `${shown(odd)} cannot stand in a list`;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function checkSeries({ name, description, unit = '', dates, values }: PublishedSeries): void {
  const where = `Series ${name}`;
  checkText(`${where}, description`, description);
  checkText(`${where}, unit`, unit);
  for (const [index, date] of dates.entries()) {
    if (!isIsoDay(date)) throw fault(`${where}, date ${index}`, `${quoted(date)} is no ISO day such as 2017-07-01`);
    const before = dates[index - 1];
    if (before !== undefined && before >= date)
      throw fault(`${where}, date ${date}`, `it does not come after ${before}`);
  }
  const uids = Object.entries(values);
  atMost(`${where}: its uids`, uids.length, DATA_LIMITS.rows);
  for (const [uid, each] of uids) {
    const at = `${where}, uid ${quoted(uid)}`;
    if (uid === '') throw fault(at, 'it is empty');
    checkText(at, uid);
    if (each.length !== dates.length) throw fault(at, `it has ${each.length} values for ${dates.length} dates`);
    const odd = each.findIndex((value) => value !== null && !Number.isFinite(value));
    if (odd >= 0)
      throw fault(
        `${at}, date ${dates[odd]}`,
        `${shown(each[odd])} is no finite number; write null for what is not known`,
      );
  }
}

function checkText(where: string, text: string): void {
  const problem = textProblem(text);
  if (problem !== undefined) throw fault(where, problem);
}

function textProblem(text: string): string | undefined {
  if (text.length > DATA_LIMITS.text)
    return `${text.length} characters are too many, at most ${DATA_LIMITS.text} are taken`;
  return isStorable(text) ? undefined : 'it contains a NUL or half a surrogate pair';
}

function atMost(what: string, count: number, most: number): void {
  if (count > most) throw fault(what, `${count} are too many, at most ${most} are taken`);
}

function fault(where: string, problem: string): DomainError {
  const told = 'Nothing was published; this is a defect of the pipeline, please report it.';
  return new DomainError('internal', `${where}: ${problem}. ${told}`);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80).toWellFormed());
}

function shown(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : String(value).slice(0, 80);
}
