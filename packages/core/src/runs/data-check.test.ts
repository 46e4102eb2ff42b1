import { describe, expect, it } from 'vitest';
import type { PublishedSeries, PublishedTable } from '../ports/tables.ts';
import { checkData, checkDataNames, DATA_LIMITS } from './data-check.ts';

const TABLE: PublishedTable = {
  name: 'terrain',
  tehsilId: 1,
  key: 'uid',
  columns: [
    { name: 'uid', type: 'text', description: 'Micro-watershed' },
    { name: 'area', type: 'number', unit: 'ha', description: 'Area' },
    { name: 'count', type: 'integer', description: 'Count' },
    { name: 'list', type: 'list', description: 'List' },
  ],
  rows: [{ uid: '12_1', area: 1.5, count: 2, list: [1, 'a', null, true] }],
};
const SERIES: PublishedSeries = {
  name: 'ndvi_crop',
  tehsilId: 1,
  description: 'NDVI',
  dates: ['2017-07-01', '2017-07-15'],
  values: { '12_1': [0.3, null] },
};
const [UID, AREA] = TABLE.columns;
const ROW = TABLE.rows[0] ?? {};

function problem(tables: readonly unknown[], series: readonly unknown[] = []): string {
  try {
    checkData({ items: [], tables: tables as PublishedTable[], series: series as PublishedSeries[] });
    return 'none';
  } catch (error) {
    expect(error).toMatchObject({ code: 'internal' });
    return error instanceof Error
      ? error.message.replace(/ Nothing was published; correct the pipeline of the run\.$/, '')
      : '';
  }
}
const row = (cells: object): unknown => ({ ...TABLE, rows: [{ ...ROW, ...cells }] });
const named = (name: string): unknown => ({ ...SERIES, name });

describe('tables and series before they are published', () => {
  it('are accepted if they are valid', () => {
    expect(problem([TABLE, { ...TABLE, tehsilId: 2 }], [SERIES, named('x')])).toBe('none');
    expect(problem([row({ area: null, count: null, list: null })])).toBe('none');
  });

  it.each([
    [
      'NaN',
      row({ area: Number.NaN }),
      'row "12_1", column "area": NaN is not a finite number; write null for an unknown value.',
    ],
    [
      'Infinity',
      row({ area: -1 / 0 }),
      'row "12_1", column "area": -Infinity is not a finite number; write null for an unknown value.',
    ],
    [
      'a number as text',
      row({ area: '1.5' }),
      'row "12_1", column "area": "1.5" is not a finite number; write null for an unknown value.',
    ],
    [
      'a fraction in a column of integers',
      row({ count: 1.5 }),
      'row "12_1", column "count": 1.5 is not an integer from -(2^53 - 1) to 2^53 - 1.',
    ],
    ['a text in a column of lists', row({ list: 'a' }), 'row "12_1", column "list": "a" is not a list.'],
    [
      'an object in a list',
      row({ list: [{}] }),
      'row "12_1", column "list": [object Object] is not allowed in a list.',
    ],
    ['NaN in a list', row({ list: [Number.NaN] }), 'row "12_1", column "list": NaN is not allowed in a list.'],
    ['NUL', row({ list: ['\0'] }), 'row "12_1", column "list": it contains a NUL or half a surrogate pair.'],
    [
      'half a surrogate pair in the key',
      row({ uid: '\ud800' }),
      'row "\ufffd", column "uid": it contains a NUL or half a surrogate pair.',
    ],
    [
      'a text that is too long',
      row({ list: ['x'.repeat(DATA_LIMITS.text + 1)] }),
      'row "12_1", column "list": its text has 20001 characters; the maximum is 20000.',
    ],
    ['an undeclared column', row({ more: 1 }), 'row "12_1": "more" is not one of the columns.'],
    [
      'a missing cell',
      { ...TABLE, rows: [{ uid: '1', area: 1, list: [] }] },
      'row "1": column "count" is missing; write null for an unknown value.',
    ],
    ['a row without key', row({ uid: null }), 'row 0: it has no uid.'],
    ['a row with an empty key', row({ uid: '' }), 'row 0: it has no uid.'],
    ['a key twice', { ...TABLE, rows: [ROW, ROW] }, 'row "12_1": another row has this uid too.'],
    ['a column twice', { ...TABLE, columns: [UID, AREA, AREA] }, 'column "area": it occurs twice.'],
    ['a key that is not a column', { ...TABLE, key: 'mws' }, ': its key "mws" is not one of its columns.'],
    ['a key of numbers', { ...TABLE, key: 'area' }, ': its key "area" is of type number; use text or integer.'],
    [
      'a column named __proto__',
      { ...TABLE, columns: [{ ...UID, name: '__proto__' }] },
      'column "__proto__": use 1 to 200 characters as its name.',
    ],
    [
      'an Item that is not published with it',
      { ...TABLE, itemId: 'x' },
      ': its Item "x" is not in the same output; publish both together.',
    ],
  ])('a table with %s is refused, and the error names the table', (_what, table, message) => {
    expect(problem([table])).toBe(`Table terrain${message.startsWith(':') ? '' : ', '}${message}`);
  });

  it.each([
    [
      'an invalid date',
      { ...SERIES, dates: ['2017-02-30', '2017-07-15'] },
      ', date 0: "2017-02-30" is not an ISO day such as 2017-07-01.',
    ],
    [
      'an instant',
      { ...SERIES, dates: ['2017-07-01T00:00:00Z'] },
      ', date 0: "2017-07-01T00:00:00Z" is not an ISO day such as 2017-07-01.',
    ],
    [
      'a date twice',
      { ...SERIES, dates: ['2017-07-01', '2017-07-01'] },
      ', date 2017-07-01: it does not come after 2017-07-01.',
    ],
    [
      'dates that are not ascending',
      { ...SERIES, dates: ['2017-07-15', '2017-07-01'] },
      ', date 2017-07-01: it does not come after 2017-07-15.',
    ],
    ['a missing value', { ...SERIES, values: { '12_1': [1] } }, ', uid "12_1": it has 1 values for 2 dates.'],
    [
      'NaN',
      { ...SERIES, values: { '12_1': [1, Number.NaN] } },
      ', uid "12_1", date 2017-07-15: NaN is not a finite number; write null for an unknown value.',
    ],
    ['no uid', { ...SERIES, values: { '': [1, 2] } }, ', uid "": it is empty.'],
  ])('a series with %s is refused, and the error names the series', (_what, series, message) => {
    expect(problem([], [series])).toBe(`Series ndvi_crop${message}`);
  });

  it('must have names that are safe in URLs and unique', () => {
    for (const name of ['', ' a', '../x', 'a/b', '.x', 'x'.repeat(101), 'a\n'])
      expect(problem([{ ...TABLE, name }], [])).toMatch(/^Table ".*": use 1 to 100 letters/s);
    expect(problem([TABLE, TABLE])).toBe('Table terrain: it occurs twice for tehsil 1; publish it once.');
    expect(problem([], [SERIES, SERIES])).toBe('Series ndvi_crop: it occurs twice for tehsil 1; publish it once.');
  });

  it('are refused if they are too large, before their content is checked', () => {
    const rows = Array.from({ length: DATA_LIMITS.rows + 1 }, () => ROW);
    expect(problem([{ ...TABLE, rows }])).toBe(
      'Table terrain: its rows: their number is 100001; the maximum is 100000.',
    );
    expect(problem(Array.from({ length: 201 }, () => TABLE))).toBe(
      'The tables: their number is 201; the maximum is 200.',
    );
    const wide = { ...TABLE, rows: Array.from({ length: 5_000_001 }), columns: [UID, AREA] };
    expect(problem([wide])).toMatch(
      /^The cells of all tables and values of all series: their number is 10000002; the maximum is/,
    );
  });
});

it('a pipeline that declares its data may publish only these data; a pipeline without a declaration may publish any', () => {
  const published = { tables: [TABLE], series: [SERIES] };
  expect(() => checkDataNames({ name: 'a', data: ['terrain', 'ndvi_crop'] }, published)).not.toThrow();
  expect(() => checkDataNames({ name: 'a' }, published)).not.toThrow();
  expect(() => checkDataNames({ name: 'a', data: ['terrain'] }, published)).toThrow(
    /Pipeline a: it publishes ndvi_crop, which its member `data` does not list/,
  );
  expect(() => checkDataNames({ name: 'a', data: [] }, published)).toThrow(/terrain/);
});
