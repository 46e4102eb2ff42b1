import type { ItemForm, ItemPage, SearchRequest } from '../ports/item-search.ts';
import { parseCql2Text } from '@headwater/cql2';
import { describe, expect, it } from 'vitest';
import { kindOf, queuedSearch } from './search-queue.ts';

const form: ItemForm = { name: 'ids', text: ({ id }) => id };
const NONE: ItemPage = { items: [] };
const repeated = (count: number, each: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => each(at)).join(' OR ');
const filtered = (text: string): SearchRequest => ({ limit: 1, filter: parseCql2Text(text) });

const PLAIN: readonly Omit<SearchRequest, 'limit'>[] = [
  {},
  { ids: ['a'] },
  { collections: ['a'], bbox: [1, 2, 3, 4], interval: { start: null, end: '2020-01-01T00:00:00Z' } },
  { sort: [{ property: 'datetime', direction: 'desc' }] },
  { withMatched: true, maxScannedItems: 1000 },
  { ids: ['a'], filter: parseCql2Text('gsd = 10'), sort: [{ property: 'title', direction: 'asc' }] },
];
const SCANNING: readonly Omit<SearchRequest, 'limit'>[] = [
  { filter: parseCql2Text('gsd = 10') },
  { filter: parseCql2Text("title LIKE 'a%' AND T_AFTER(created, DATE('2020-01-01'))") },
  { filter: parseCql2Text(`id IN (${Array.from({ length: 4_900 }, (_, at) => `'${at}'`).join(',')})`) },
  { ids: Array.from({ length: 1000 }, (_, at) => `${at}`), filter: parseCql2Text('gsd = 10') },
  { sort: [{ property: 'title', direction: 'asc' }] },
  { intersects: { type: 'Point', coordinates: [85, 24] } },
  { withMatched: true },
];
const COSTLY: readonly SearchRequest[] = [
  ...[
    "CASEI(title) = 'a'",
    `x IN (${Array.from({ length: 490 }, (_, at) => `p${at}`).join(',')})`,
    repeated(40, () => 'gsd = 10'),
    `gsd = ${'1 + '.repeat(60)}1`,
    repeated(60, () => '1 = 2'),
    repeated(10, () => "title LIKE '%a%'"),
    `${'(gsd + '.repeat(60)}1${')'.repeat(60)} > 0`,
    repeated(5, () => "T_DURING(created, INTERVAL('2020-01-01', '..'))"),
  ].map(filtered),
  { limit: 1, ids: ['a'], filter: parseCql2Text("CASEI(title) = 'a'") },
  {
    limit: 1,
    intersects: { type: 'MultiPoint', coordinates: Array.from({ length: 1000 }, (_, at) => [at / 10, 24]) },
  },
];

describe('kindOf', () => {
  it('classifies searches as plain, scanning or costly', () => {
    expect(PLAIN.map((request) => kindOf({ limit: 1, ...request }))).toEqual(PLAIN.map(() => 'plain'));
    expect(SCANNING.map((request) => kindOf({ limit: 1, ...request }))).toEqual(SCANNING.map(() => 'scanning'));
    expect(COSTLY.map(kindOf)).toEqual(COSTLY.map(() => 'costly'));
  });
});

describe('queuedSearch', () => {
  /** Searches run until `gate` is resolved. `begun` has the `limit` of each started search. */
  function held(slots: Parameters<typeof queuedSearch>[1], timeoutMs = 60_000) {
    const gate = Promise.withResolvers<void>();
    const begun: number[] = [];
    const search = queuedSearch(
      async ({ limit }) => {
        begun.push(limit);
        await gate.promise;
        return NONE;
      },
      slots,
      timeoutMs,
    );
    return { begun, run: (request: SearchRequest, limit: number) => search({ ...request, limit }, form), gate };
  }
  const costly = filtered("CASEI(title) = 'a'");
  const small = filtered('gsd = 10');
  const plain: SearchRequest = { limit: 1, ids: ['a'] };

  it('runs searches of the kinds plain and scanning while costly searches wait', async () => {
    const { begun, run, gate } = held({ plain: 2, scanning: 1, costly: 1 });
    const all = [
      run(costly, 1),
      run(costly, 2),
      run(small, 3),
      run(small, 4),
      run(plain, 5),
      run(plain, 6),
      run(plain, 7),
    ];
    expect(begun).toEqual([1, 3, 5, 6]);
    gate.resolve();
    await Promise.all(all);
    expect(new Set(begun)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
  });

  it('runs plain searches first if they share slots with scanning searches; runs the least costly of the costly searches first', async () => {
    const { begun, run, gate } = held({ plain: 1, costly: 1 });
    const worse = filtered(repeated(100, () => "CASEI(title) = 'a'"));
    const all = [run(plain, 1), run(small, 2), run(plain, 3), run(costly, 4), run(worse, 5), run(costly, 6)];
    expect(begun).toEqual([1, 4]);
    gate.resolve();
    await Promise.all(all);
    const place = (limit: number): number => begun.indexOf(limit);
    expect(place(3)).toBeLessThan(place(2));
    expect(place(6)).toBeLessThan(place(5));
  });

  it('refuses the most costly searches if more than 50 wait, with a retry time and a remedy', async () => {
    const { run, gate } = held({ plain: 1, costly: 1 });
    const all = Array.from({ length: 60 }, (_, at) => run(at === 20 ? filtered("CASEI(CASEI(a)) = 'b'") : costly, at));
    const ends = Promise.allSettled(all);
    await expect(all[20]).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^Too many searches are running\. .*narrow the search: searches by ids/),
      details: { retryAfterSeconds: 120 },
    });
    gate.resolve();
    const refused = (await ends).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(9);
  });

  it('refuses a search after it has waited for twice the time limit', async () => {
    const { run, gate } = held({ plain: 1, costly: 1 }, 20);
    const first = run(costly, 1);
    await expect(run(costly, 2)).rejects.toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } });
    gate.resolve();
    await first;
  });
});
