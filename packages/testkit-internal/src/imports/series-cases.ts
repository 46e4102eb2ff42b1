import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seriesImporter } from '@headwater/ingest';
import { describe, expect, it } from 'vitest';
import { dataOf, publishData, series, type Get } from '@headwater/testkit/stores';
import { importWorld, inFolder, requestOf } from './import-request.fixture.ts';

const PLACE = 'west_singhbhum_chaibasa';

type Properties = Readonly<Record<string, unknown>>;

function collection(...features: readonly Properties[]): string {
  const geometry = { type: 'Point', coordinates: [77, 12] };
  const encoded = features.map((properties, index) => ({ type: 'Feature', id: `x.${index}`, properties, geometry }));
  return JSON.stringify({
    type: 'FeatureCollection',
    note: { 'a "]': ['x', { y: 1 }] },
    features: encoded,
    totalFeatures: 2,
  });
}

const water = (et: unknown, runoff: unknown, rain: unknown): string =>
  JSON.stringify({ ET: et, RunOff: runoff, Precipitation: rain, G: 1, DeltaG: -1 });

/** Test cases of imported series: GeoJSON layers and CSV. */
export function seriesCases(get: Get): void {
  describe('fortnightly series', () => {
    const importText = async (fileName: string, text: string, isTrial = false) => {
      const outcome: { report?: Awaited<ReturnType<ReturnType<typeof seriesImporter>['run']>> } = {};
      const { deps } = await importWorld(get());
      await inFolder(async (folder) => {
        const path = join(folder, fileName);
        await writeFile(path, text);
        outcome.report = await seriesImporter(deps).run(requestOf(path, { isTrial }));
      });
      return outcome.report;
    };
    const storedSeries = async (uid: string) => {
      const found = await get().data.seriesOf(1, uid);
      return Object.fromEntries(
        found.map(({ name, dates, values }) => [name, Object.fromEntries(dates.map((date, i) => [date, values[i]]))]),
      );
    };

    it('of water are read from JSON texts, one per date; invalid entries are reported with their feature', async () => {
      const text = collection(
        { uid: '12_9', '2017-07-15': water(3, 2.5, 66.1), '2017-07-01': water(1, null, 4), area_in_ha: 3 },
        { UID: '12_100174', '2017-07-01': '{"ET": NaN, "G": -Infinity, "RunOff": 1, "Precipitation": 2, "x": 9}' },
        { uid: '99_1', '2017-07-01': water(1, 1, 1) },
        { uid: '12_100175', '2017-07-01': water('wet', 1, 1) },
        { uid: '12_100175', '2017-13-01': water(1, 1, 1) },
        { uid: '12_9', '2017-07-01': water(9, 9, 9) },
        { '2017-07-01': water(9, 9, 9) },
        { uid: '12_100175', '2017-07-01': 5 },
      );
      const report = await importText(`deltaG_fortnight_${PLACE}.geojson`, text);
      expect(report).toMatchObject({ kind: 'series', stored: 2, unchanged: 0, refusedCount: 6 });
      expect(report?.refused.map(({ row, field }) => [row, field])).toEqual([
        [3, 'uid'],
        [4, '2017-07-01'],
        [5, 'date'],
        [6, 'uid'],
        [7, 'uid'],
        [8, '2017-07-01'],
      ]);
      expect(await storedSeries('12_9')).toEqual({
        delta_g: { '2017-07-01': -1, '2017-07-15': -1 },
        et: { '2017-07-01': 1, '2017-07-15': 3 },
        g: { '2017-07-01': 1, '2017-07-15': 1 },
        precipitation: { '2017-07-01': 4, '2017-07-15': 66.1 },
        runoff: { '2017-07-01': null, '2017-07-15': 2.5 },
      });
      expect((await storedSeries('12_100174'))['et']).toEqual({ '2017-07-01': null, '2017-07-15': null });
      expect(await storedSeries('12_100175')).toEqual({});
      expect(await importText(`deltaG_fortnight_${PLACE}.geojson`, text)).toMatchObject({ stored: 0, unchanged: 2 });
      expect((await get().runs.list({ limit: 1, offset: 0 })).total).toBe(1);
    });

    it('of NDVI are named after their file, and replace the series of a run', async () => {
      await publishData(get().runs, 'r1', dataOf({ series: [series(), series({ name: 'ndvi_tree' })] }));
      const text = collection({ uid: '12_9', '2017-07-01': 0.25, '2017-07-15': '0.5', '2017-07-29': null });
      expect(await importText(`ndvi_timeseries_${PLACE}_crop.geojson`, text)).toMatchObject({ stored: 1 });
      expect(await storedSeries('12_9')).toEqual({
        ndvi_crop: { '2017-07-01': 0.25, '2017-07-15': 0.5, '2017-07-29': null },
      });
      expect(Object.keys(await storedSeries('12_1'))).toEqual(['ndvi_tree']);
      expect(await importText(`ndvi_timeseries_${PLACE}.geojson`, text)).toMatchObject({
        stored: 0,
        refused: [{ row: 1, field: '2017-07-01', problem: expect.stringContaining('_crop, _shrub or _tree') }],
      });
      await expect(importText(`ndvi_timeseries_${PLACE}_grass.geojson`, text)).rejects.toThrow(
        'names no known cover; name the file ndvi_timeseries_{district}_{tehsil}_crop, _shrub or _tree.',
      );
    });

    it('report each row if no row is valid, and change nothing', async () => {
      const foreign = collection({ uid: '99_1', '2017-07-01': 0.25 }, { uid: '99_2', '2017-07-01': 0.25 });
      const [first, second] = ['99_1', '99_2'].map((uid, index) => ({
        row: index + 1,
        field: 'uid',
        problem: `"${uid}" is not a stored micro-watershed of this tehsil; import its boundary first, or remove the row or feature.`,
      }));
      expect(await importText(`ndvi_timeseries_${PLACE}_crop.geojson`, foreign)).toMatchObject({
        stored: 0,
        unchanged: 0,
        refusedCount: 2,
        refused: [first, second],
      });
      expect(await importText(`${PLACE}.csv`, 'uid,date,et\n99_1,2017-07-01,1\n')).toMatchObject({
        stored: 0,
        refused: [{ row: 2, field: 'uid' }],
      });
      expect((await get().runs.list({ limit: 1, offset: 0 })).total).toBe(0);
    });

    it('are read from CSV, one column per series', async () => {
      const csv = [
        '\ufeffuid,date,ET,NDVI_crop,soil',
        '12_9,2017-07-15,3,0.5,1',
        '12_9,2017-07-01,nan,,1',
        '"12_100174",2017-07-01,1e1,0.25,1',
        '12_9,2017-07-01,3,0.5,1',
        '99_1,2017-07-01,3,0.5,1',
        '12_9,1 July 2017,3,0.5,1',
        '12_9,2017-07-29,many,0.5,1',
      ].join('\r\n');
      const report = await importText(`${PLACE}.csv`, csv);
      expect(report).toMatchObject({ stored: 2, refusedCount: 5 });
      expect(report?.refused.map(({ row, field }) => [row, field])).toEqual([
        [1, 'soil'],
        [5, 'date'],
        [6, 'uid'],
        [7, 'date'],
        [8, 'et'],
      ]);
      expect(await storedSeries('12_9')).toEqual({
        et: { '2017-07-01': null, '2017-07-15': 3 },
        ndvi_crop: { '2017-07-01': null, '2017-07-15': 0.5 },
      });
      expect((await storedSeries('12_100174'))['et']).toEqual({ '2017-07-01': 10, '2017-07-15': null });
      expect(await importText(`${PLACE}.csv`, csv)).toMatchObject({ stored: 0, unchanged: 2 });
      expect(await importText(`${PLACE}.csv`, csv.replace('1e1', '2e1'))).toMatchObject({ stored: 1, unchanged: 1 });
    });

    it('change nothing if their file is invalid', async () => {
      const good = collection({ uid: '12_9', '2017-07-01': water(1, 1, 1) });
      const files: readonly (readonly [string, string])[] = [
        [`${PLACE}.geojson`, good.slice(0, -3)],
        [`${PLACE}.geojson`, good.replace('"FeatureCollection"', '"Collection"')],
        [`${PLACE}.geojson`, good.replace('"features":[', '"features":[7,')],
        [`${PLACE}.geojson`, good.replace('"note"', '"crs":{"properties":{"name":"EPSG:32645"}},"note"')],
        [`${PLACE}.geojson`, '[]'],
        [`${PLACE}.geojson`, ''],
        [`${PLACE}.csv`, 'uid,et\n12_9,1'],
        [`${PLACE}.csv`, 'uid,date,et\n"12_9,2017-07-01,1'],
        [`${PLACE}.csv`, `uid,date,et\n${'x'.repeat(200_000)}`],
        [`${PLACE}.csv`, 'uid,date,et,ET\n12_9,2017-07-01,1,2'],
        [`${PLACE}.csv`, ''],
        [`${PLACE}.csv`, 'uid,date,et\n'],
        [`${PLACE}.geojson`, collection()],
      ];
      for (const [fileName, text] of files)
        await expect(importText(fileName, text), text.slice(0, 60)).rejects.toMatchObject({
          code: 'validation',
          fields: { file: [{}] },
        });
      expect(await importText(`${PLACE}.geojson`, good, true)).toMatchObject({ stored: 1 });
      expect(await storedSeries('12_9')).toEqual({});
      expect((await get().runs.list({ limit: 1, offset: 0 })).total).toBe(0);
    });
  });
}
