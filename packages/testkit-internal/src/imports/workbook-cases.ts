import { join } from 'node:path';
import { workbookImporter } from '@headwater/ingest';
import { describe, expect, it } from 'vitest';
import { dataOf, publishData, table, bundle, type Get } from '@headwater/testkit/stores';
import { importWorld, inFolder, requestOf } from './import-request.fixture.ts';
import { type SheetContents, workbookParts, writeZip } from './workbook-file.fixture.ts';

const NAME = 'west_singhbhum_chaibasa.xlsx';

const SHEETS: SheetContents = {
  HYDROLOGICAL_annual: [
    ['UID', 'ET_in_mm_2017-2018', 'Precipitation_in_mm_2017-2018'],
    ['12_9', 410.5, 821],
    ['12_100174', { error: '#DIV/0!' }, 'nan'],
    ['99_1', 1, 2],
    ['12_100175', 'wet', 3],
    ['12_9', 5, 6],
    [null, 5, 6],
  ],
  mws_intersect_villages: [
    ['MWS UID', 'area_in_ha', 'Village IDs', 'Village Details'],
    ['12_9', 812.4, '[12, 15]', "{12: {'area_intersect': 3.1, 'percentage_of_area': nan}}"],
    ['12_100174', 5, '[12, [3]]', '{}'],
    ['12_100175', { formula: 'SUM(B1)', value: 7 }, '[12]', '{}'],
  ],
  lcw_conflict: [
    ['UID', 'title_of_conflict', 'link_to_conflict'],
    ['12_9', 'A dam', 'https://example.org/a'],
    ['12_9', 'A mine', null],
  ],
  agroecological: [
    ['uid', 'organization_name', 'created_at', 'a new column'],
    ['12_9', 'Seeds', { day: 44_378 }, true],
  ],
  Sheet1: [['whatever']],
  terrain: [['area_in_ha'], [3]],
};

/** Test cases of statistics workbooks, imported as sheets of a tehsil. */
export function workbookCases(get: Get): void {
  describe('a statistics workbook', () => {
    it('is stored sheet by sheet; problems are reported with sheet and row', async () => {
      await inFolder(async (folder) => {
        const { deps, tehsilId } = await importWorld(get());
        const path = join(folder, NAME);
        await writeZip(path, workbookParts(SHEETS));
        const report = await workbookImporter(deps).run(requestOf(path));
        expect(report).toMatchObject({ kind: 'workbook', fileName: NAME, stored: 6, unchanged: 0, refusedCount: 8 });
        expect(report.refused.map(({ source, row, field }) => [source, row, field])).toEqual([
          ['HYDROLOGICAL_annual', 4, 'uid'],
          ['HYDROLOGICAL_annual', 5, 'et_in_mm_2017-2018'],
          ['HYDROLOGICAL_annual', 6, 'uid'],
          ['HYDROLOGICAL_annual', 7, 'uid'],
          ['mws_intersect_villages', 3, 'village ids'],
          ['mws_intersect_villages', 4, 'area_in_ha'],
          ['Sheet1', 1, undefined],
          ['terrain', 1, undefined],
        ]);
        expect(report.refused[5]?.problem).toMatch(/is a formula, .* replace the formulas/);
        expect(report.repaired).toEqual([
          {
            source: 'HYDROLOGICAL_annual',
            row: 3,
            repair: 'Stored as unknown: et_in_mm_2017-2018 (#DIV/0!), precipitation_in_mm_2017-2018 (nan).',
          },
        ]);
        const rowsOf = async (name: string) => (await get().data.table(tehsilId, name))?.rows;
        expect(await rowsOf('hydrological_annual')).toEqual([
          { uid: '12_9', 'et_in_mm_2017-2018': 410.5, 'precipitation_in_mm_2017-2018': 821 },
          { uid: '12_100174', 'et_in_mm_2017-2018': null, 'precipitation_in_mm_2017-2018': null },
        ]);
        expect(await rowsOf('mws_intersect_villages')).toEqual([
          {
            'mws uid': '12_9',
            area_in_ha: 812.4,
            'village ids': [12, 15],
            'village details': '{"12":{"area_intersect":3.1,"percentage_of_area":null}}',
          },
        ]);
        expect(await rowsOf('agroecological')).toEqual([
          { id: '12_9:1', uid: '12_9', organization_name: 'Seeds', created_at: '2021-07-01', 'a new column': 'true' },
        ]);
        const found = await get().data.rowsOf(tehsilId, ['lcw_conflict'], '12_9');
        expect(found.get('lcw_conflict')?.map(({ title_of_conflict: title }) => title)).toEqual(['A dam', 'A mine']);
        expect(await rowsOf('terrain')).toBeUndefined();
        const { runs } = await get().runs.list({ limit: 9, offset: 0 });
        expect(runs).toMatchObject([{ state: 'success', ownerId: 1, params: { fileName: NAME } }]);
      });
    });

    it('stores only the rows that have changed, and nothing if no row has changed', async () => {
      await inFolder(async (folder) => {
        const { deps, tehsilId } = await importWorld(get());
        const importer = workbookImporter(deps);
        const path = join(folder, NAME);
        const of = (area: number): SheetContents => ({
          terrain: [
            ['UID', 'area_in_ha', 'terrain_cluster_id'],
            ['12_9', area, 1],
            ['12_100174', 7, 0],
          ],
        });
        await writeZip(path, workbookParts(of(1)));
        expect(await importer.run(requestOf(path, { isTrial: true }))).toMatchObject({ stored: 2, unchanged: 0 });
        expect(await get().data.tablesOf(tehsilId)).toEqual([]);
        expect(await importer.run(requestOf(path))).toMatchObject({ stored: 2, unchanged: 0 });
        const [first] = await get().data.tableVersionsOf(tehsilId);
        expect(await importer.run(requestOf(path))).toMatchObject({ stored: 0, unchanged: 2 });
        expect(await get().data.tableVersionsOf(tehsilId)).toEqual([first]);
        await writeZip(path, workbookParts(of(2)));
        expect(await importer.run(requestOf(path))).toMatchObject({ stored: 1, unchanged: 1 });
        expect(await get().data.rowOf(tehsilId, 'terrain', '12_9')).toMatchObject({ area_in_ha: 2 });
      });
    });

    it('replaces sheets of an earlier run, and a later run replaces its sheets; sheets that are not in the newer publication stay', async () => {
      await inFolder(async (folder) => {
        const { deps, tehsilId } = await importWorld(get());
        const path = join(folder, NAME);
        const uid = { name: 'uid', type: 'text', description: 'Micro-watershed' } as const;
        const computed = { key: 'uid', columns: [uid], rows: [{ uid: '12_9' }], tehsilId };
        const tables = [table({ ...computed, name: 'terrain' }), table({ ...computed, name: 'stream_order' })];
        await publishData(get().runs, 'r1', dataOf({ tables }));
        await writeZip(
          path,
          workbookParts({
            terrain: [
              ['UID', 'area_in_ha'],
              ['12_9', 3],
            ],
          }),
        );
        const report = await workbookImporter(deps).run(
          requestOf(path, { place: { state: 'jharkhand', district: 'west singhbhum', tehsil: 'CHAIBASA' } }),
        );
        expect(report).toMatchObject({ stored: 1, unchanged: 0 });
        expect(await get().data.rowOf(tehsilId, 'terrain', '12_9')).toEqual({ uid: '12_9', area_in_ha: 3 });
        expect(await get().data.rowOf(tehsilId, 'stream_order', '12_9')).toEqual({ uid: '12_9' });
        await publishData(get().runs, 'r2', dataOf({ tables: tables.slice(0, 1) }));
        expect(await get().data.rowOf(tehsilId, 'terrain', '12_9')).toEqual({ uid: '12_9' });
      });
    });

    it('changes nothing if it is truncated or its import is aborted', async () => {
      await inFolder(async (folder) => {
        const { deps, tehsilId } = await importWorld(get());
        const importer = workbookImporter(deps);
        const path = join(folder, NAME);
        const parts = workbookParts({ terrain: [['UID'], ['12_9']], mws: [['UID'], ['12_9']] });
        await writeZip(path, { ...parts, 'xl/worksheets/sheet2.xml': '<worksheet><row>' });
        await expect(importer.run(requestOf(path))).rejects.toMatchObject({
          code: 'validation',
          fields: { file: [{}] },
        });
        await writeZip(path, parts);
        const stop = new AbortController();
        const stopped = importer.run(requestOf(path, { signal: stop.signal, progress: () => stop.abort() }));
        await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
        expect(await get().data.tablesOf(tehsilId)).toEqual([]);
        expect(await get().runs.list({ limit: 9, offset: 0 })).toMatchObject({ total: 0 });
      });
    });

    it('is published as a whole if it is imported several times at the same time', async () => {
      await inFolder(async (folder) => {
        const { deps, tehsilId } = await importWorld(get());
        const path = join(folder, NAME);
        await writeZip(path, workbookParts({ terrain: [['UID'], ['12_9']] }));
        const sent = [1, 2, 3].map(() => workbookImporter(deps).run(requestOf(path)));
        const ends = await Promise.allSettled(sent);
        expect(ends.some(({ status }) => status === 'fulfilled')).toBe(true);
        for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'conflict' });
        expect((await get().data.table(tehsilId, 'terrain'))?.rows).toEqual([{ uid: '12_9' }]);
        const { runs } = await get().runs.list({ limit: 9, offset: 0 });
        expect(runs.filter(({ state }) => state !== 'success')).toEqual([]);
      });
    });

    it('belongs to the tehsil that its file name or its folders name', async () => {
      await inFolder(async (folder) => {
        const { deps } = await importWorld(get());
        const path = join(folder, 'other.xlsx');
        await writeZip(path, workbookParts({ terrain: [['UID'], ['12_9']] }));
        const run = (fileName: string) => workbookImporter(deps).run(requestOf(path, { fileName, isTrial: true }));
        await expect(run('nowhere_at_all.xlsx')).rejects.toThrow('names no known tehsil');
        await get().places.saveBundle(bundle({ state: 'Odisha' }));
        await expect(run(NAME)).rejects.toThrow('could be Chaibasa in West Singhbhum, Jharkhand or Chaibasa');
        expect(await run(`JHARKHAND/WEST_SINGHBHUM/${NAME}`)).toMatchObject({ stored: 1 });
      });
    });
  });
}
