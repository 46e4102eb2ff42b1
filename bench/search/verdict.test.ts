import { expect, test } from 'vitest';
import type { Query } from './queries.ts';
import { verdicts } from './verdict.ts';

const query: Query = { name: 'q', paths: ['/'], allowed: { ms: 1.5 } };
const figures = (p50: number, perSecond = 100) => ({ p50, p95: p50 * 2, perSecond });

test('verdicts compare a row with the peer and with plain SQL', () => {
  const [throughput, tail, sql] = verdicts([
    { query, items: 1000, ours: figures(2), peer: figures(30, 10), sqlP50: 1 },
  ]);
  expect(throughput).toMatchObject({ value: '10.0 x', pass: true });
  expect(tail).toMatchObject({ value: '1/15.0', pass: true });
  expect(sql).toMatchObject({ value: '+1.00 ms', pass: true });
});

test('a row fails if it is slower than its bar', () => {
  const slow = verdicts([{ query, items: 1000, ours: figures(4, 50), peer: figures(30, 10), sqlP50: 1 }]);
  expect(slow.map(({ pass }) => pass)).toEqual([false, false, false]);
  const twice: Query = { ...query, allowed: { times: 2 } };
  expect(verdicts([{ query: twice, items: 1000, ours: figures(2.1), sqlP50: 1 }])).toMatchObject([{ pass: false }]);
});

test('a verdict compares the time at a number of Items with the time at the smallest number', () => {
  const rows = [1000, 10_000].map((items) => ({
    query: { name: 'q', paths: [] },
    items,
    ours: figures(items === 1000 ? 2 : 2.7),
  }));
  expect(verdicts(rows)).toMatchObject([{ value: '1.35 x', pass: false }]);
});
