import { expect, it } from 'vitest';
import { checkRoom, MOST_TABLES } from './room.ts';

const itemWith = (count: number): { readonly assets: object } => {
  const names = Array.from({ length: count }, (_, i) => `table_accuracy_w_l_v1_${i}`);
  return {
    assets: Object.fromEntries(
      ['data', 'table_other', ...names, ...names.map((n) => `${n}_csv`)].map((key) => [key, {}]),
    ),
  };
};

it('takes tables of accuracy up to a number, and replaces one that is there even then', () => {
  expect(() => checkRoom(undefined, 'accuracy_w_l_v1_new')).not.toThrow();
  expect(() => checkRoom(itemWith(MOST_TABLES - 1), 'accuracy_w_l_v1_new')).not.toThrow();
  expect(() => checkRoom(itemWith(MOST_TABLES), 'accuracy_w_l_v1_7')).not.toThrow();
});

it('refuses one more with what to do about it', () => {
  expect(() => checkRoom(itemWith(MOST_TABLES), 'accuracy_w_l_v1_new')).toThrow(
    /has 100 tables of accuracy already.*overwrite=true/,
  );
});
