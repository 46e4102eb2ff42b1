import { DomainError } from '../errors.ts';
import { isIsoDay } from '../values.ts';
import type { Deliverable } from '../ports/runs.ts';
import type { PublishedSeries, PublishedTable, TableCell, TableColumn, TableRow } from '../ports/tables.ts';
import { isStorable } from '../storable-text.ts';

/** Limits of one publication. A tehsil has some 1,000 micro-watersheds and 30 sheets; a series has 26 values a year. */
export const DATA_LIMITS = {
  tables: 200,
  series: 200,
  columns: 2000,
  rows: 100_000,
  /** Maximum number of table cells and series values together. */
  values: 10_000_000,
  /** Maximum number of characters of a text, or of all texts in a list together. */
  text: 20_000,
  list: 10_000,
} as const;

/** Names that are safe in URLs and as file names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const LONGEST_NAME = 200;

/**
 * Throws `internal` for an invalid table or series, or an Item that occurs twice. Every store calls this function
 * before writing.
 */
export function checkData({ items, tables = [], series = [] }: Omit<Deliverable, 'layers' | 'timings'>): void {
  checkCount('The tables', tables.length, DATA_LIMITS.tables);
  checkCount('The series', series.length, DATA_LIMITS.series);
  const cells = tables.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0);
  const numbers = series.reduce((sum, { dates, values }) => sum + dates.length * Object.keys(values).length, 0);
  checkCount('The cells of all tables and values of all series', cells + numbers, DATA_LIMITS.values);
  checkNames('Table', tables);
  checkNames('Series', series);
  const twice = firstTwice(items.map(({ collectionPath, id }) => `${collectionPath}/${id}`));
  // Two Items with one id are refused, because a later run could not replace the second Item.
  if (twice !== undefined) throw fault(`Item ${twice}`, 'it occurs twice in the output; publish it once');
  const ids = new Set(items.map(({ id }) => id));
  for (const table of tables) {
    const { name, itemId, earlierItem } = table;
    if (itemId !== undefined && earlierItem !== undefined)
      throw fault(`Table ${name}`, 'it has both itemId and earlierItem; set only one of them');
    if (itemId !== undefined && !ids.has(itemId))
      throw fault(`Table ${name}`, `its Item ${quoted(itemId)} is not in the same output; publish both together`);
    checkTable(table);
  }
  for (const each of series) checkSeries(each);
}

/** Throws `internal` for a table or series that `Pipeline.data` does not declare. */
export function checkDataNames(
  { name, data }: { readonly name: string; readonly data?: readonly string[] },
  { tables = [], series = [] }: Pick<Deliverable, 'tables' | 'series'>,
): void {
  const other = [...tables, ...series].find((each) => data?.includes(each.name) === false);
  if (other !== undefined)
    throw fault(`Pipeline ${name}`, `it publishes ${other.name}, which its member \`data\` does not list`);
}

/** Returns the first text that occurs twice; undefined if all are unique. */
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
    if (seen.has(key)) throw fault(`${kind} ${name}`, `it occurs twice for tehsil ${tehsilId}; publish it once`);
    seen.add(key);
  }
}

function checkTable({ name, key, columns, rows }: PublishedTable): void {
  const where = `Table ${name}`;
  checkCount(`${where}: its columns`, columns.length, DATA_LIMITS.columns);
  checkCount(`${where}: its rows`, rows.length, DATA_LIMITS.rows);
  const names = new Set<string>();
  for (const column of columns) {
    checkColumn(where, column);
    if (names.has(column.name)) throw fault(`${where}, column ${quoted(column.name)}`, 'it occurs twice');
    names.add(column.name);
  }
  const keyColumn = columns.find((column) => column.name === key);
  if (keyColumn === undefined) throw fault(where, `its key ${quoted(key)} is not one of its columns`);
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

/** Returns the key of a row as text; undefined if there is none. */
export function rowKey(row: TableRow, key: string): string | undefined {
  const value = Object.hasOwn(row, key) ? row[key] : undefined;
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return text === '' ? undefined : text;
}

function checkRow(where: string, row: TableRow, columns: readonly TableColumn[]): void {
  for (const { name, type } of columns) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (value === undefined) throw fault(where, `column ${quoted(name)} is missing; write null for an unknown value`);
    const problem = value === null ? undefined : CELL[type](value);
    if (problem !== undefined) throw fault(`${where}, column ${quoted(name)}`, problem);
  }
  const count = Object.keys(row).length;
  if (count === columns.length) return;
  const extra = Object.keys(row).find((name) => !columns.some((column) => column.name === name));
  throw fault(where, `${quoted(String(extra))} is not one of the columns`);
}

const CELL: Readonly<Record<TableColumn['type'], (value: TableCell) => string | undefined>> = {
  number: (value) =>
    Number.isFinite(value) ? undefined : `${shown(value)} is not a finite number; write null for an unknown value`,
  integer: (value) =>
    Number.isSafeInteger(value) ? undefined : `${shown(value)} is not an integer from -(2^53 - 1) to 2^53 - 1`,
  text: (value) => (typeof value === 'string' ? textProblem(value) : `${shown(value)} is not a text`),
  list: (value) => (Array.isArray(value) ? listProblem(value) : `${shown(value)} is not a list`),
};

function listProblem(list: readonly unknown[]): string | undefined {
  if (list.length > DATA_LIMITS.list) return `the list has ${list.length} members; the maximum is ${DATA_LIMITS.list}`;
  const odd = list.find((each) => !isScalar(each));
  return odd === undefined
    ? textProblem(list.filter((each) => typeof each === 'string').join(''))
    : `${shown(odd)} is not allowed in a list`;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function checkSeries({ name, description, unit = '', dates, values }: PublishedSeries): void {
  const where = `Series ${name}`;
  checkText(`${where}, description`, description);
  checkText(`${where}, unit`, unit);
  for (const [index, date] of dates.entries()) {
    if (!isIsoDay(date)) throw fault(`${where}, date ${index}`, `${quoted(date)} is not an ISO day such as 2017-07-01`);
    const before = dates[index - 1];
    if (before !== undefined && before >= date)
      throw fault(`${where}, date ${date}`, `it does not come after ${before}`);
  }
  const uids = Object.entries(values);
  checkCount(`${where}: its uids`, uids.length, DATA_LIMITS.rows);
  for (const [uid, each] of uids) {
    const at = `${where}, uid ${quoted(uid)}`;
    if (uid === '') throw fault(at, 'it is empty');
    checkText(at, uid);
    if (each.length !== dates.length) throw fault(at, `it has ${each.length} values for ${dates.length} dates`);
    const odd = each.findIndex((value) => value !== null && !Number.isFinite(value));
    if (odd >= 0)
      throw fault(
        `${at}, date ${dates[odd]}`,
        `${shown(each[odd])} is not a finite number; write null for an unknown value`,
      );
  }
}

function checkText(where: string, text: string): void {
  const problem = textProblem(text);
  if (problem !== undefined) throw fault(where, problem);
}

function textProblem(text: string): string | undefined {
  if (text.length > DATA_LIMITS.text)
    return `its text has ${text.length} characters; the maximum is ${DATA_LIMITS.text}`;
  return isStorable(text) ? undefined : 'it contains a NUL or half a surrogate pair';
}

function checkCount(what: string, count: number, most: number): void {
  if (count > most) throw fault(what, `their number is ${count}; the maximum is ${most}`);
}

function fault(where: string, problem: string): DomainError {
  const advice = 'Nothing was published; correct the pipeline of the run.';
  return new DomainError('internal', `${where}: ${problem}. ${advice}`);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80).toWellFormed());
}

function shown(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : String(value).slice(0, 80);
}
