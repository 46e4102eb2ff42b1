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

it('names are looked at after their number, which bounds the work', () => {
  const many = Array.from({ length: DATA_LIMITS.columns }, () => 'same');
  expect(read(many)).toMatch(/^It has 2000 columns; fewer than 2000 are stored/);
});

it('a name that comes twice is told, in any case, wherever the unit stands', () => {
  expect(read(['a', 'b', 'A', 'uid'])).toBe('It has two columns "a"; take one of them out.');
  expect(read(['a', 'a'])).toMatch(/^It has no column uid/);
  expect(read(['UID', 'a', 'b'])).toMatchObject([{ name: 'uid' }, { name: 'a' }, { name: 'b' }]);
});
