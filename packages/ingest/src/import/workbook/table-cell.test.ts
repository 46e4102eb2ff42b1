import { expect, it } from 'vitest';
import { isoOfSerial, type RawCell } from './raw-cell.ts';
import type { ColumnKind } from './sheet-list.ts';
import { readCell } from './table-cell.ts';

const value = (given: string | number | boolean): RawCell => ({ kind: 'value', value: given });

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
])('%j as %s is %j', (raw, kind, cell) => expect(readCell(raw, kind)).toEqual({ cell }));

it.each<[RawCell, ColumnKind, string]>([
  [value('NA'), 'number', 'NA'],
  [value('None'), 'text', 'None'],
  [value(Number.NaN), 'number', 'no finite number'],
  [{ kind: 'error', text: '#DIV/0!' }, 'text', '#DIV/0!'],
])('%j as %s is not known', (raw, kind, note) => expect(readCell(raw, kind)).toEqual({ cell: null, note }));

it.each<[string | number | boolean, ColumnKind, string]>([
  ['wet', 'number', 'no number'],
  ['0x10', 'number', 'no number'],
  ['1e999', 'number', 'no number'],
  [true, 'number', 'no number'],
  [1.5, 'integer', 'no whole number'],
  ['x'.repeat(20_001), 'text', 'at most 20000'],
  ['a\0', 'text', 'no text can have'],
  ['[[1]]', 'list', 'within its list'],
  ['[1', 'list', 'cannot be read'],
  ['os.system("x")', 'json', 'cannot be read'],
])('%j as %s is refused', (given, kind, fault) =>
  expect(readCell(value(given), kind)).toEqual({ fault: expect.stringContaining(fault) }),
);

it('a formula is refused, whatever its column holds', () => {
  for (const kind of ['number', 'text'] as const)
    expect(readCell({ kind: 'formula' }, kind)).toEqual({ fault: expect.stringContaining('is a formula') });
});

it('days are those of either calendar', () => {
  expect([isoOfSerial(44_378, 'from1900'), isoOfSerial(44_378, 'from1904')]).toEqual(['2021-07-01', '2025-07-02']);
  expect(isoOfSerial(44_378.5, 'from1900')).toBe('2021-07-01T12:00:00.000Z');
  expect(isoOfSerial(1e9, 'from1900')).toBeUndefined();
});
