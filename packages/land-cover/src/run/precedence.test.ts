import type { Scene } from '@headwater/core';
import { expect, it } from 'vitest';
import { scene } from '../pipeline.fixture.ts';
import { byPrecedence } from './precedence.ts';

const of = (id: string, processing: Scene['processing'], crs = 'EPSG:32643'): Scene =>
  scene('2023-01-02', { id, processing, crs });
const order = (...scenes: readonly Scene[]): string[] =>
  scenes.toSorted(byPrecedence('EPSG:32643')).map(({ id }) => id);

it('orders scenes by baseline: the newest first, an unknown baseline last', () =>
  expect(order(of('a', {}), of('b', { baseline: '02.14' }), of('c', { baseline: '05.10' }))).toEqual(['c', 'b', 'a']));

it('orders scenes with the same baseline: first scenes in the zone of the work grid, then by newest processing, then by id in descending order', () => {
  const baseline = '05.10';
  const early = { baseline, at: '2023-01-02T08:00:00.000Z' };
  const late = { baseline, at: '2023-03-02T08:00:00.000Z' };
  expect(order(of('other', late, 'EPSG:32644'), of('x_0_L2A', early), of('x_1_L2A', early), of('late', late))).toEqual([
    'late',
    'x_1_L2A',
    'x_0_L2A',
    'other',
  ]);
});
