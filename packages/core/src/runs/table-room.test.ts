import { expect, it } from 'vitest';
import { checkTableRoom } from './table-assets.ts';

const MOST = 100;
const itemWith = (count: number): { readonly assets: object } => {
  const names = Array.from({ length: count }, (_, i) => `table_acc_w_l_v1_${i}`);
  return {
    assets: Object.fromEntries(
      ['data', 'table_other', ...names, ...names.map((n) => `${n}_csv`)].map((key) => [key, {}]),
    ),
  };
};
const limit = { names: 'acc_', most: MOST, remedy: 'Compute it again.' };
const table = (name: string) => ({ name, earlierItem: { id: 'item', collectionPath: 'a/b/c', limit } });

it('an Item accepts tables of a kind up to their maximum number; existing tables can still be replaced', () => {
  expect(() => checkTableRoom(undefined, table('acc_w_l_v1_new'))).not.toThrow();
  expect(() => checkTableRoom(itemWith(MOST - 1), table('acc_w_l_v1_new'))).not.toThrow();
  expect(() => checkTableRoom(itemWith(MOST), table('acc_w.l_v1_7'))).not.toThrow();
  expect(() => checkTableRoom(itemWith(MOST), { name: 'acc_w_l_v1_new' })).not.toThrow();
});

it('an Item with the maximum number of tables refuses a further table, with a remedy', () => {
  expect(() => checkTableRoom(itemWith(MOST), table('acc_w_l_v1_new'))).toThrow(
    /^Item item already has 100 tables whose names begin with acc_;.*Compute it again\.$/,
  );
});
