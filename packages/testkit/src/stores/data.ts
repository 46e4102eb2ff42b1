import type { Deliverable, TableRow } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { dataOf, publishData, series, table } from './data-sample.ts';
import type { Get } from './sample.ts';
import { abandoned, claimed, claimedLater, deliverable, newRun } from './sample.ts';

const DAY = 86_400_000;

/** Test cases of tables and series, which are published with Items and layers. */
export function dataCases(get: Get): void {
  describe('tables and series', () => {
    it('do not exist at first; reads accept any name and any tehsil', async () => {
      const { data } = get();
      for (const name of ['', 'x', '\0', '\ud800', "'; drop table headwater.data_tables; --"]) {
        expect(await data.table(1, name)).toBeUndefined();
        expect(await data.tableHead(1, name)).toBeUndefined();
        expect(await data.rowOf(1, name, name)).toBeUndefined();
        expect(await data.rowsOf(1, [name], name)).toEqual(new Map());
        expect(await data.seriesOf(1, name)).toEqual([]);
        expect(await data.tablesOfRun(name)).toEqual([]);
      }
      for (const tehsil of [1, 2 ** 31, 1.5, Number.NaN]) {
        expect(await data.tablesOf(tehsil)).toEqual([]);
        expect(await data.tableVersionsOf(tehsil)).toEqual([]);
        expect(await data.table(tehsil, 'x')).toBeUndefined();
        expect(await data.tableHead(tehsil, 'x')).toBeUndefined();
        expect(await data.rowOf(tehsil, 'x', 'x')).toBeUndefined();
        expect(await data.rowsOf(tehsil, ['x'], 'x')).toEqual(new Map());
        expect(await data.seriesOf(tehsil, 'x')).toEqual([]);
      }
    });

    it('are published with Items and layers, and can be read as a whole, by row and by uid', async () => {
      const { runs, data, catalog } = get();
      const published = deliverable(['lulc_2020']);
      await publishData(runs, 'r1', {
        ...published,
        tables: [table({ itemId: 'lulc_2020' }), table({ name: 'terrain', rows: [] })],
        series: [series(), series({ name: 'ndvi_all', values: { '12_2': [1, 2] } })],
      });
      const { rows, tehsilId, name, key, columns } = table();
      const head = { tehsilId, name, key, columns, itemId: 'lulc_2020', rowCount: 3, runId: 'r1', version: 1 };
      const publishedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(await data.tableHead(1, name)).toEqual({ ...head, publishedAt });
      expect(await data.table(1, name)).toEqual({ ...head, publishedAt, rows });
      expect((await data.tablesOf(1)).map((each) => [each.name, each.rowCount, each.itemId])).toEqual([
        ['croppingIntensity_annual', 3, 'lulc_2020'],
        ['terrain', 0, null],
      ]);
      expect(await data.tablesOfRun('r1')).toEqual(await data.tablesOf(1));
      expect((await data.table(1, 'terrain'))?.rows).toEqual([]);
      const cells = rows.map((row) => columns.map((column) => row[column.name]));
      expect(await data.cellTables(1, ['terrain', name, name, 'absent', '\0'])).toEqual([
        { ...head, publishedAt, cells },
        { ...(await data.tableHead(1, 'terrain')), cells: [] },
      ]);
      expect(await data.cellTables(2, [name])).toEqual([]);
      expect(await data.rowOf(1, name, '12_1')).toEqual(rows[1]);
      expect(await data.rowOf(1, name, '12_9')).toBeUndefined();
      const { description, unit, dates } = series();
      const common = { description, unit, dates, runId: 'r1', version: 1, publishedAt };
      expect(await data.seriesOf(1, '12_2')).toEqual([
        { ...common, name: 'ndvi_all', values: [1, 2] },
        { ...common, name: 'ndvi_crop', values: [1 / 3, -0.2] },
      ]);
      expect((await data.seriesOf(1, '12_1')).map(({ values }) => values)).toEqual([[0.31, null]]);
      expect([await data.seriesOf(1, '12_9'), await data.seriesOf(2, '12_1'), await data.tablesOf(2)]).toEqual([
        [],
        [],
        [],
      ]);
      expect((await catalog.item('jharkhand/west_singhbhum/chaibasa', 'lulc_2020'))?.version).toBe(1);
      await publishData(runs, 'r2', dataOf({ tables: [table({ name: 'terrain' }), table({ tehsilId: 2 })] }));
      const tablesPublishedBy = async (runId: string) =>
        (await data.tablesOfRun(runId)).map((each) => [each.name, each.tehsilId, each.runId]);
      expect(await tablesPublishedBy('r1')).toEqual([[name, 1, 'r1']]);
      expect((await data.tehsilsWithTables()).map(({ tehsilId }) => tehsilId)).toEqual([1, 2]);
      expect(await tablesPublishedBy('r2')).toEqual([
        [name, 2, 'r2'],
        ['terrain', 1, 'r2'],
      ]);
      expect(await data.tableVersionsOf(1)).toEqual([
        { name, runId: 'r1', version: 1 },
        { name: 'terrain', runId: 'r2', version: 2 },
      ]);
    });

    it('lists the tehsils that have tables, all or those with tables published at or after a given time', async () => {
      const { runs, data } = get();
      for (const [index, tehsilId] of [3, 1, 2, 3].entries()) {
        const tables = [table({ tehsilId, name: `t${index}` })];
        await publishData(runs, `r${index}`, dataOf({ tables }));
      }
      const timeOf = async (runId: string) => (await data.tablesOfRun(runId))[0]?.publishedAt ?? '';
      const times = await Promise.all(['r1', 'r2', 'r3'].map(timeOf));
      const all = [1, 2, 3].map((tehsilId, at) => ({ tehsilId, publishedAt: times[at] }));
      expect(await data.tehsilsWithTables()).toEqual(all);
      for (const since of [...times, '2999-01-01T00:00:00.000Z']) {
        const later = all.filter(({ publishedAt = '' }) => publishedAt >= since);
        expect(await data.tehsilsWithTables(since)).toEqual(later);
      }
    });

    it('reports if a tehsil has a table or a series', async () => {
      const { runs, data } = get();
      await publishData(runs, 'r1', dataOf({ tables: [table({ tehsilId: 1 })], series: [series({ tehsilId: 2 })] }));
      const found = await Promise.all([1, 2, 3, 2 ** 31].map((tehsilId) => data.hasData(tehsilId)));
      expect(found).toEqual([true, true, false, false]);
    });

    it('are read from several tables by one key, in order; the key 12_1 also selects rows with keys such as 12_1:a', async () => {
      const { runs, data } = get();
      const rowsAt = (...uids: readonly string[]): readonly TableRow[] =>
        uids.map((uid) => ({ ...table().rows[0], uid }));
      const parts = rowsAt('12_1:b', '12_10', '12_1:a', '12_1;', '12_1', '12_2:c');
      const tables = [table({ name: 'parts', rows: parts }), table(), table({ name: 'none', rows: rowsAt('12_10') })];
      const elsewhere = table({ name: 'parts', tehsilId: 2, rows: rowsAt('12_1') });
      await publishData(runs, 'r1', dataOf({ tables: [...tables, table({ name: 'not_requested' }), elsewhere] }));
      const found = await data.rowsOf(1, ['none', 'parts', table().name, 'absent', '\0'], '12_1');
      expect(found).toEqual(
        new Map([
          [table().name, [table().rows[1]]],
          ['parts', [parts[0], parts[2], parts[4]]],
        ]),
      );
      expect(await data.rowsOf(1, ['parts'], '12')).toEqual(new Map());
      expect(await data.rowsOf(1, [], '12_1')).toEqual(new Map());
    });

    it('store every number, text and list unchanged', async () => {
      const { runs, data } = get();
      const texts = [
        'NULL',
        'null',
        '{a,b}',
        '"',
        '\\',
        "o'b",
        'a\tb\nc',
        'गाँव 🌾',
        '=1+1',
        ' ',
        '$1 ${x}',
        '__proto__',
        'constructor',
      ];
      const rows: readonly TableRow[] = texts.map((uid, index) => ({
        uid,
        area_in_ha: [Number.MAX_VALUE, 5e-324, 0.1, -0.1, 1e21][index % 5] ?? 0,
        cycles: Number.MAX_SAFE_INTEGER - index,
        villages: [uid, index, false],
      }));
      const values = Object.fromEntries(
        texts.filter((uid) => uid !== '__proto__').map((uid, index) => [uid, [index / 7, null]]),
      );
      await publishData(runs, 'r1', dataOf({ tables: [table({ rows })], series: [series({ values })] }));
      expect((await data.table(1, table().name))?.rows).toEqual(rows);
      for (const [index, uid] of texts.entries()) {
        expect(await data.rowOf(1, table().name, uid)).toEqual(rows[index]);
        const wanted = Object.hasOwn(values, uid) ? [values[uid]] : [];
        expect((await data.seriesOf(1, uid)).map((each) => each.values)).toEqual(wanted);
      }
    });

    it('are replaced as a whole by the next publication with their name, but only for their tehsil', async () => {
      const { runs, data } = get();
      const elsewhere = { tehsilId: 2 };
      await publishData(
        runs,
        'r1',
        dataOf({
          tables: [table(), table(elsewhere), table({ name: 'untouched' })],
          series: [series(), series(elsewhere)],
        }),
      );
      const columns = table().columns.slice(0, 2);
      const next = table({ columns, rows: [{ uid: '12_9', area_in_ha: 1 }] });
      const later = series({ dates: ['2018-01-01'], values: { '12_9': [1] } });
      await publishData(runs, 'r2', dataOf({ tables: [next], series: [later] }));
      expect(await data.table(1, next.name)).toMatchObject({
        version: 2,
        runId: 'r2',
        rowCount: 1,
        columns,
        rows: next.rows,
      });
      expect(await data.rowOf(1, next.name, '12_1')).toBeUndefined();
      expect(await data.seriesOf(1, '12_1')).toEqual([]);
      expect(await data.seriesOf(1, '12_9')).toMatchObject([
        { version: 2, runId: 'r2', dates: later.dates, values: [1] },
      ]);
      expect(await data.table(2, next.name)).toMatchObject({ version: 1, runId: 'r1', rows: table().rows });
      expect(await data.table(1, 'untouched')).toMatchObject({ version: 1, runId: 'r1', rowCount: 3 });
      expect(await data.seriesOf(2, '12_1')).toHaveLength(1);
    });

    it('are not stored if their run was taken over or cancelled, or failed', async () => {
      const { runs, data } = get();
      const published = dataOf({ tables: [table()], series: [series()] });
      const old = await abandoned(runs, 'r1');
      const { token } = await claimedLater(runs);
      expect(await runs.publish('r1', old.token, published)).toBe('lost');
      await runs.requestCancel('r1');
      expect(await runs.publish('r1', token, published)).toBe('cancelled');
      await runs.fail('r1', token, { code: 'internal', message: 'broke' });
      expect(await runs.publish('r1', token, published)).toBe('lost');
      expect([await data.tablesOf(1), await data.seriesOf(1, '12_1')]).toEqual([[], []]);
    });

    it('are not stored if a layer is refused; if a table is refused, the Items are not stored either', async () => {
      const { runs, data, catalog } = get();
      await publishData(runs, 'r1', deliverable(['lulc_2020']));
      await runs.enqueue(newRun('r2'));
      const { token } = await claimed(runs);
      const layers = deliverable().layers.map((layer) => ({ ...layer, tehsilId: 2 }));
      const refused: Deliverable = dataOf({ layers, tables: [table()], series: [series()] });
      await expect(runs.publish('r2', token, refused)).rejects.toMatchObject({ code: 'conflict' });
      expect([await data.tablesOf(1), await data.seriesOf(1, '12_1')]).toEqual([[], []]);
      const broken: Deliverable = { ...deliverable(['new']), tables: [table({ key: 'mws' })] };
      await expect(runs.publish('r2', token, broken)).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringContaining('Table croppingIntensity_annual: its key "mws" is not one of its columns'),
      });
      expect(await catalog.item('jharkhand/west_singhbhum/chaibasa', 'new')).toBeUndefined();
      expect((await runs.get('r2'))?.state).toBe('running');
    });

    it('are all stored, one after the other, if concurrent runs publish the same names', async () => {
      const { runs, data } = get();
      const names = ['a', 'b', 'c', 'd'];
      const claims: [string, number][] = [];
      for (const id of ['r1', 'r2', 'r3', 'r4']) {
        await runs.enqueue(newRun(id));
        claims.push([id, (await claimed(runs)).token]);
      }
      await Promise.all(
        claims.map(async ([id, token], index) => {
          const order = index % 2 === 0 ? names : names.toReversed();
          const rows = [{ ...table().rows[0], uid: `of ${id}` }] as const;
          const own = order.map((name) => table({ name, rows }));
          const both = dataOf({
            tables: own,
            series: order.map((name) => series({ name, values: { [id]: [1, 2] } })),
          });
          expect(await runs.publish(id, token, both)).toBe('ok');
        }),
      );
      const heads = await data.tablesOf(1);
      expect(heads.map(({ version }) => version)).toEqual([4, 4, 4, 4]);
      for (const { name, runId } of heads)
        expect((await data.table(1, name))?.rows).toMatchObject([{ uid: `of ${runId}` }]);
      const seriesCounts = await Promise.all(claims.map(async ([id]) => (await data.seriesOf(1, id)).length));
      expect(seriesCounts.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 4]);
    });

    it('prevent the removal of their run until a later run replaces the tables and series', async () => {
      const { runs } = get();
      await publishData(runs, 'table', dataOf({ tables: [table()] }));
      await publishData(runs, 'series', dataOf({ series: [series()] }));
      const live = async (): Promise<readonly string[]> => (await runs.liveAttempts(0)).map(({ id }) => id).sort();
      expect(await live()).toEqual(['series', 'table']);
      await publishData(runs, 'next', dataOf({ tables: [table()] }));
      expect(await live()).toEqual(['next', 'series']);
      await expect
        .poll(async () => (await runs.removeOld({ eventsMs: 0, runsMs: 1, most: 9 })).runs, { interval: 3 })
        .toBe(1);
      expect([await runs.get('table'), (await runs.get('next'))?.state]).toEqual([undefined, 'success']);
      expect((await runs.removeOld({ eventsMs: 0, runsMs: DAY, most: 9 })).runs).toBe(0);
    });

    it('a stored result is reused only while all of its tables and series are current', async () => {
      const { runs } = get();
      const whole = { ...deliverable(['a']), tables: [table()], series: [series()], inputs: 'scenes' };
      await publishData(runs, 'r1', whole);
      expect(await runs.resultOf('same')).toMatchObject({ id: 'r1' });
      await publishData(runs, 'r2', dataOf({ series: [series()] }));
      expect(await runs.resultOf('same')).toBeUndefined();
    });

    it('thirty sheets of a thousand rows are published in one call', { timeout: 30_000 }, async () => {
      const { runs, data } = get();
      const numbers = Array.from({ length: 24 }, (_, index) => `column_${index}_in_ha_2017-2018`);
      const columns = [
        { name: 'uid', type: 'text', description: 'Micro-watershed' } as const,
        ...numbers.map((name) => ({ name, type: 'number', description: 'Area' }) as const),
      ];
      const rows = Array.from({ length: 1000 }, (_, row): TableRow => ({
        uid: `12_${row}`,
        ...Object.fromEntries(numbers.map((name, index) => [name, Math.sin(row + index)])),
      }));
      const tables = Array.from({ length: 30 }, (_, index) => table({ name: `sheet_${index}`, columns, rows }));
      await publishData(runs, 'r1', dataOf({ tables }));
      await publishData(runs, 'r2', dataOf({ tables }));
      expect(await data.rowOf(1, 'sheet_29', '12_999')).toEqual(rows[999]);
      expect(await data.table(1, 'sheet_7')).toMatchObject({ version: 2, rowCount: 1000 });
    });
  });
}
