import { EXAMPLE_NAMES, EXAMPLE_PLACE, EXAMPLE_UID } from '@headwater/http-service';
import type { Mws } from '@headwater/core';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { readWorkbook, type WorkbookSheets } from '../../workbooks/read-workbook.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, type Harness, useHarness } from './harness.ts';
import { API, publicClient } from './public-client.ts';

const PLACE = `?${new URLSearchParams(EXAMPLE_PLACE).toString()}`;
const WORKBOOKS = ['generate_stats_excel_file', 'download_excel_layer'];

/** Test cases of files with the numbers of a tehsil, which need no API key. */
export function downloadCases(target: HttpTarget): void {
  describe('downloads', () => {
    const harness = useHarness(target);
    const client = publicClient(harness);
    const get = async (path: string, init?: RequestInit): Promise<Response> => await harness().get(API + path, init);

    defineCase(target, 'the workbook has the same cells as the tables in JSON', async () => {
      const { body } = await client.ask('get_tehsil_data', EXAMPLE_PLACE);
      for (const route of WORKBOOKS) {
        const answer = await get(`${route}/${PLACE}`);
        expect(answer.headers.get('content-type')).toMatch(/spreadsheetml\.sheet$/);
        expect(answer.headers.get('content-disposition')).toBe(
          'attachment; filename="sample_district_sample_tehsil.xlsx"',
        );
        const book = readWorkbook(await answer.arrayBuffer());
        expect(rowsBySheet(book)).toEqual(asCells(body));
        const [titles] = book.get('sample_annual') ?? [];
        expect(titles).toEqual(['UID', 'area_in_ha', 'note', 'Village IDs']);
      }
    });

    defineCase(target, 'the workbook has an ETag, and HEAD sends no body', async () => {
      const head = await get(`download_excel_layer/${PLACE}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const etag = head.headers.get('etag') ?? '';
      expect(etag).toMatch(/^W\/"[^"]+"$/);
      const again = await get(`download_excel_layer/${PLACE}`, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const other = await get(`download_excel_layer/${PLACE}`, { headers: { 'if-none-match': '"other"' } });
      expect(other.status).toBe(200);
      await other.body?.cancel();
    });

    defineCase(target, 'a request to add a sheet succeeds, because the workbook already has every sheet', async () => {
      const answer = await get(`add_new_layer_data_to_excel/${PLACE}&sheets=terrain`);
      const sheets = ['mws_intersect_swb', 'sample_annual', 'terrain'];
      expect(await answer.json()).toEqual({ status: 'success', sheets });
    });

    defineCase(
      target,
      'indicators of the whole tehsil equal the indicators of single micro-watersheds, as JSON, workbook and GeoJSON',
      async () => {
        const { body } = await client.ask('get_mws_kyl_indicators', { ...EXAMPLE_NAMES, uid: EXAMPLE_UID });
        const answer = await get(`download_kyl_data/${PLACE}&regenerate=true`);
        const [first, ...others] = await recordsIn(answer);
        const { terrainCluster_ID: cluster, ...rest } = first ?? {};
        expect([{ ...rest, terraincluster_id: cluster }]).toEqual(body);
        expect(others).toMatchObject([
          { mws_id: '12_100175', terrainCluster_ID: '', mws_intersect_swb: [{ swbId: '4' }] },
        ]);
        const plain = { 'accept-encoding': 'identity' };
        const { headers } = await get(`download_kyl_data/${PLACE}`, { headers: plain });
        const known = { ...plain, 'if-none-match': headers.get('etag') ?? '' };
        expect((await get(`download_kyl_data/${PLACE}`, { headers: known })).status).toBe(304);
        const map = await get(`download_kyl_data/${PLACE}&file_type=GeoJSON`);
        expect(map.headers.get('content-type')).toBe('application/geo+json');
        const { mws } = await placeOf(harness);
        expect(await map.json()).toEqual({
          type: 'FeatureCollection',
          features: [first, ...others].map((properties, index) => ({
            type: 'Feature',
            geometry: mws[index]?.geometry,
            properties,
          })),
        });
        const file = await get(`download_kyl_data/${PLACE}&file_type=xlsx`);
        expect(file.headers.get('content-disposition')).toContain('sample_district_sample_tehsil_KYL_filter_data.xlsx');
        const rows = readWorkbook(await file.arrayBuffer()).get('KYL_filter_data') ?? [];
        expect(rows.map(([first]) => first)).toEqual(['mws_id', EXAMPLE_UID, '12_100175']);
        expect(rows.slice(0, 2).map(([, second]) => second)).toEqual(['terrainCluster_ID', 2]);
      },
    );

    defineCase(target, 'an unknown file_type is refused with a message that lists the known ones', async () => {
      const refused = await get(`download_kyl_data/${PLACE}&file_type=pdf`);
      const problem = { errors: { file_type: ['Must be json, xlsx, geojson.'] } };
      expect([refused.status, await refused.json()]).toMatchObject([400, problem]);
    });

    defineCase(target, 'villages have -1 for unknown values', async () => {
      const answer = await get(`download_kyl_village_data${PLACE}`);
      const [village] = await recordsIn(answer);
      expect(village).toMatchObject({ village_id: 7, total_population: -1, total_assets: -1, agri_market_access: -1 });
    });

    defineCase(target, 'a place without tables gets 404, and a hostile name gets 400', async () => {
      const { places } = harness().service.stores;
      const names = { state: 'Sample State', district: 'Sample District', block: 'No Tables' };
      const { tehsil } = await places.saveBundle({
        ...names,
        tehsil: names.block,
        geometry: null,
        mws: [],
        villages: [],
      });
      for (const route of [...WORKBOOKS, 'add_new_layer_data_to_excel']) {
        const none = await get(`${route}/?${new URLSearchParams(names).toString()}`);
        const error = expect.stringMatching(
          /^Data not found for this state, district, tehsil: no table of No Tables is/,
        );
        expect([none.status, await none.json()]).toMatchObject([404, { error }]);
        for (const block of ['../sample_tehsil', '..%2f..%2fetc', 'a'.repeat(10_000)]) {
          const hostile = await get(`${route}/?state=${names.state}&district=${names.district}&block=${block}`);
          expect([hostile.status, await hostile.json()]).toMatchObject([
            400,
            { errors: { block: [expect.any(String)] } },
          ]);
        }
      }
      await places.removeTehsil(tehsil.id);
    });
  });
}

const Records = z.array(z.record(z.string(), z.unknown()));

const recordsIn = async (answer: Response): Promise<z.infer<typeof Records>> => Records.parse(await answer.json());

async function placeOf(harness: () => Harness): Promise<{ readonly mws: readonly Mws[] }> {
  const { lookups, places } = harness().service.stores;
  const sample = { state: EXAMPLE_PLACE.state, district: EXAMPLE_PLACE.district, tehsil: EXAMPLE_PLACE.block };
  const tehsil = await lookups.tehsilNamed(sample);
  return { mws: await places.mwsOf(tehsil?.tehsilId ?? 0) };
}

/** Rows by sheet. Column names are in lower case, as in the JSON tables. */
function rowsBySheet(book: WorkbookSheets): unknown {
  return Object.fromEntries(
    [...book].map(([name, [titles = [], ...rows]]) => {
      const named = (row: (typeof rows)[number]): unknown =>
        Object.fromEntries(titles.map((title, at) => [String(title).toLowerCase(), row[at] ?? null]));
      return [name, rows.map(named)];
    }),
  );
}

function asCells(body: unknown): unknown {
  const isCell = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each !== 'object');
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) => (isCell(value) ? JSON.stringify(value) : value));
}
