import type { CellTable, TableHead, TableVersion } from '@headwater/core/ports';
import { expect, it } from 'vitest';
import { createTehsilSheets } from './tehsil-sheets.ts';

function source() {
  const state = { version: 1, away: false, reads: 0, cells: 1 };
  const table = (tehsilId: number): CellTable => ({
    name: 'terrain',
    tehsilId,
    key: 'UID',
    columns: [
      { name: ' UID ', type: 'text', description: '' },
      { name: 'Area_in_ha', type: 'number', description: '' },
    ],
    runId: 'run',
    version: state.version,
    publishedAt: '2024-01-01T00:00:00Z',
    itemId: null,
    rowCount: 1,
    cells: Array.from({ length: state.cells }, () => [`12_${tehsilId}`, null]),
  });
  // Table of a validation. Without a column that identifies units, a table is not a sheet.
  const validation = (tehsilId: number): CellTable => ({
    ...table(tehsilId),
    name: 'accuracy',
    columns: [],
    cells: [],
  });
  return {
    state,
    data: {
      tableVersionsOf: async (id: number): Promise<readonly TableVersion[]> => (id === 0 ? [] : [table(id)]),
      tablesOf: async (id: number): Promise<readonly TableHead[]> =>
        id === 8 ? [validation(id)] : [table(id), validation(id)],
      cellTables: async (id: number): Promise<readonly CellTable[]> => {
        state.reads += 1;
        if (state.away) throw new Error('the database is unavailable');
        return [table(id)];
      },
    },
  };
}

const ROW = '{"terrain":[{"uid":"12_1","area_in_ha":null}]}';

it('returns rows with lower-case column names, and throws for a tehsil without tables of its units', async () => {
  const { data } = source();
  const sheets = createTehsilSheets(data);
  const reply = await sheets.of(1);
  expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } });
  expect('prepared' in reply && new TextDecoder().decode(reply.prepared.bytes)).toBe(ROW);
  for (const id of [0, 8]) await expect(sheets.of(id)).rejects.toMatchObject({ code: 'not_found' });
});

it('reads rows once per version for simultaneous requests, and again for the next version', async () => {
  const { data, state } = source();
  const sheets = createTehsilSheets(data);
  const [first, second] = await Promise.all([sheets.of(1), sheets.of(1)]);
  expect([first === second, await sheets.of(1), state.reads]).toEqual([true, first, 1]);
  state.version = 2;
  expect(await sheets.of(1)).not.toBe(first);
  expect(state.reads).toBe(2);
});

it.each([
  ['before the first request reads the rows', [2, 2]],
  ['after the first request has read the rows', [1, 2]],
] as const)('the second request gets tables that are published %s', async (when, rows) => {
  const { data, state } = source();
  let isPublished = false;
  const publish = (at: typeof when): void => {
    if (at !== when || isPublished) return;
    isPublished = true;
    Object.assign(state, { version: 2, cells: 2 });
  };
  const sheets = createTehsilSheets({
    ...data,
    cellTables: async (id) => {
      publish('before the first request reads the rows');
      const tables = await data.cellTables(id);
      publish('after the first request has read the rows');
      return tables;
    },
  });
  const rowCount = async (): Promise<number> => {
    const reply = await sheets.of(1);
    if (!('prepared' in reply)) throw new Error('fixture: no bytes');
    return JSON.parse(new TextDecoder().decode(reply.prepared.bytes)).terrain.length;
  };
  expect([await rowCount(), await rowCount()]).toEqual(rows);
  expect([await rowCount(), state.reads]).toEqual([2, 2]);
});

it('does not cache a failure', async () => {
  const { data, state } = source();
  const sheets = createTehsilSheets(data);
  state.away = true;
  await expect(sheets.of(1)).rejects.toThrow('unavailable');
  state.away = false;
  expect(await sheets.of(1)).toMatchObject({ status: 200 });
});

it('does not cache a response that would evict most others', async () => {
  const { data, state } = source();
  const sheets = createTehsilSheets(data, 2.5 * ROW.length);
  await sheets.of(1);
  state.cells = 3;
  for (let times = 0; times < 2; times += 1) await sheets.of(2);
  expect(state.reads).toBe(3);
  await sheets.of(1);
  expect(state.reads).toBe(3);
});

it('evicts the least recently used response if the cache is full', async () => {
  const { data, state } = source();
  const sheets = createTehsilSheets(data, 2.5 * ROW.length);
  for (const id of [1, 2, 1, 3]) await sheets.of(id);
  expect(state.reads).toBe(3);
  await sheets.of(1);
  await sheets.of(3);
  expect(state.reads).toBe(3);
  await sheets.of(2);
  expect(state.reads).toBe(4);
});
