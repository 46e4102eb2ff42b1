import { DATA_LIMITS } from '@headwater/core/runs';
import { expect, it } from 'vitest';
import type { RawCell } from './raw-cell.ts';
import { columnsOf } from './sheet-columns.ts';
import type { SheetForm } from './sheet-list.ts';

const FORM: SheetForm = { name: 'terrain', unit: 'mws', unitColumn: 'uid', others: { uid: 'text' }, numbers: [] };

function read(names: readonly string[]): ReturnType<typeof columnsOf> {
  const cells = new Map(names.map((value, index): [number, RawCell] => [index, { kind: 'value', value }]));
  return columnsOf({ number: 1, cells }, FORM, new Map());
}

it('checks the number of column names first, because the other checks take longer with more names', () => {
  const many = Array.from({ length: DATA_LIMITS.columns }, () => 'same');
  expect(read(many)).toMatch(/^It has 2000 columns; remove some, so that it has fewer than 2000/);
});

it('checks that the column of the unit exists, and then that no column name is repeated; case does not matter', () => {
  expect(read(['a', 'b', 'A', 'uid'])).toBe('It has two columns "a"; remove one of them.');
  expect(read(['a', 'a'])).toMatch(/^It has no column uid/);
  expect(read(['UID', 'a', 'b'])).toMatchObject([{ name: 'uid' }, { name: 'a' }, { name: 'b' }]);
});
