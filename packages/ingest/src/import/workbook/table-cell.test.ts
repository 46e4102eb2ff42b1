import { expect, it } from 'vitest';
import { isoOfSerial, type RawCell } from './raw-cell.ts';
import { shownBy } from './shared-parts.ts';
import type { ColumnKind } from './sheet-list.ts';
import { readCell } from './table-cell.ts';

const value = (content: string | number | boolean): RawCell => ({ kind: 'value', value: content });

it.each<[RawCell | undefined, ColumnKind, unknown]>([
  [undefined, 'number', null],
  [value(' '), 'number', null],
  [value(1.5), 'number', 1.5],
  [value(' 1.5e3 '), 'number', 1500],
  [value(7), 'integer', 7],
  [value(12), 'text', '12'],
  [value(true), 'text', 'true'],
  [value('NA'), 'text', 'NA'],
  [value('[1, "a", None]'), 'list', [1, 'a', null]],
  [value(5), 'list', [5]],
  [value("{1: {'a': True}}"), 'json', '{"1":{"a":true}}'],
  [{ kind: 'date', value: 44_378, iso: '2021-07-01' }, 'text', '2021-07-01'],
  [{ kind: 'date', value: 44_378, iso: '2021-07-01' }, 'number', 44_378],
])('reads %j in a column of kind %s as %j', (raw, kind, cell) => expect(readCell(raw, kind)).toEqual({ cell }));

it.each<[RawCell, ColumnKind, string]>([
  [value('NA'), 'number', 'NA'],
  [value('None'), 'text', 'None'],
  [value(Number.NaN), 'number', 'not a finite number'],
  [{ kind: 'error', text: '#DIV/0!' }, 'text', '#DIV/0!'],
])('reads %j in a column of kind %s as unknown', (raw, kind, note) =>
  expect(readCell(raw, kind)).toEqual({ cell: null, note }),
);

it.each<[string | number | boolean, ColumnKind, string]>([
  ['wet', 'number', 'not a number'],
  ['0x10', 'number', 'not a number'],
  ['1e999', 'number', 'not a number'],
  [true, 'number', 'not a number'],
  [1.5, 'integer', 'not a whole number'],
  ['x'.repeat(20_001), 'text', 'at most 20000'],
  ['a\0', 'text', 'cannot be stored'],
  ['[[1]]', 'list', 'within its list'],
  ['[1', 'list', 'cannot be read'],
  ['os.system("x")', 'json', 'cannot be read'],
])('refuses %j in a column of kind %s', (content, kind, fault) =>
  expect(readCell(value(content), kind)).toEqual({ fault: expect.stringContaining(fault) }),
);

it('refuses a formula, in columns of numbers and of texts', () => {
  for (const kind of ['number', 'text'] as const)
    expect(readCell({ kind: 'formula' }, kind)).toEqual({ fault: expect.stringContaining('is a formula') });
});

it('converts a number to a day in the calendars from 1900 and from 1904, and to no day beyond year 9999', () => {
  expect([isoOfSerial(44_378, 'from1900'), isoOfSerial(44_378, 'from1904')]).toEqual(['2021-07-01', '2025-07-02']);
  expect(isoOfSerial(44_378.5, 'from1900')).toBe('2021-07-01T12:00:00.000Z');
  expect(isoOfSerial(1e9, 'from1900')).toBeUndefined();
});

it.each([
  [1, '1900-01-01'],
  [32, '1900-02-01'],
  [59, '1900-02-28'],
  [59.5, '1900-02-28T12:00:00.000Z'],
  // Day 60 is 29 February 1900 in Excel's calendar, although 1900 was no leap year.
  [60, undefined],
  [60.5, undefined],
  [61, '1900-03-01'],
  [0.999_999_999_999, '1900-01-01'],
  [2_958_465, '9999-12-31'],
  [2_958_465.75, '9999-12-31T18:00:00.000Z'],
  [2_958_466, undefined],
  [59.999_999_999_999, undefined],
  [-1, undefined],
])('converts number %d in the calendar from 1900 to %j', (serial, iso) =>
  expect(isoOfSerial(serial, 'from1900')).toBe(iso),
);

it.each([
  [0, '00:00:00'],
  [0.25, '06:00:00'],
  [0.770_833_333_333_333_3, '18:30:00'],
  [0.5 + 0.25 / 86_400, '12:00:00.250'],
])('converts number %d to the time %s without a day', (serial, time) => {
  expect(isoOfSerial(serial, 'from1900')).toBe(time);
  expect(isoOfSerial(serial, 'from1900', 'time')).toBe(time);
  expect(isoOfSerial(serial, 'from1904', 'time')).toBe(time);
});

it('rounds a time just before midnight to 00:00:00, and a duration just below one day to 24:00:00', () => {
  for (const calendar of ['from1900', 'from1904'] as const)
    expect(isoOfSerial(0.999_999_999, calendar, 'time')).toBe('00:00:00');
  expect(isoOfSerial(0.999_999_999, 'from1900', 'span')).toBe('24:00:00');
});

it('converts a number to a day with its time in both calendars, or to a duration of any length', () => {
  expect(isoOfSerial(44_378.5, 'from1900', 'time')).toBe('2021-07-01T12:00:00.000Z');
  expect([isoOfSerial(0, 'from1904'), isoOfSerial(0.5, 'from1904')]).toEqual([
    '1904-01-01',
    '1904-01-01T12:00:00.000Z',
  ]);
  expect([isoOfSerial(0.25, 'from1900', 'span'), isoOfSerial(5.5, 'from1904', 'span')]).toEqual([
    '06:00:00',
    '132:00:00',
  ]);
  expect(isoOfSerial(-1, 'from1900', 'span')).toBeUndefined();
});

it.each([
  ['yyyy\\-mm\\-dd', 'day'],
  ['dd/mm/yyyy hh:mm', 'day'],
  ['mmm', 'day'],
  ['[$-409]d-mmm-yy;@', 'day'],
  ['h:mm AM/PM', 'time'],
  ['mm:ss.0', 'time'],
  ['[h]:mm:ss', 'span'],
  ['[mm]:ss', 'span'],
  ['General', undefined],
  ['#,##0.00_);[Red](#,##0.00)', undefined],
  ['0" days"', undefined],
  ['_d0*s\\y', undefined],
  ['[$Rs-4009] #,##0', undefined],
])('the format %s shows %j', (code, shows) => expect(shownBy(code)).toBe(shows));
