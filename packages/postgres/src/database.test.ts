import { expect, it } from 'vitest';
import { slotsOf } from './database.ts';

it('of three or more connections, scanning and costly searches leave at least one for searches that use an index', () => {
  expect(slotsOf(undefined)).toEqual({ plain: 1, costly: 1 });
  expect(slotsOf(2)).toEqual({ plain: 2, costly: 1 });
  for (const connections of [3, 4, 5, 8, 40]) {
    const { plain, scanning = plain, costly } = slotsOf(connections);
    expect([plain, scanning + costly < connections], `${connections} connections`).toEqual([connections, true]);
  }
});
