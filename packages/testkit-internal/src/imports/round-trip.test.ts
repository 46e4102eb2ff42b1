import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedTable, TableColumn } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { createHeadwater, toFetchHandler } from '@headwater/http-service';
import { workbookImporter } from '@headwater/ingest';
import { expect, it } from 'vitest';
import { SAMPLE_SECRET } from '../http/fixture/sample-service.ts';
import { dataOf, publishData } from '@headwater/testkit/stores';
import { importWorld, inFolder, requestOf } from './import-request.fixture.ts';

const BASE = 'http://headwater.example';
const NAME = 'west_singhbhum_chaibasa.xlsx';
const PLACE = { state: 'Jharkhand', district: 'West Singhbhum', block: 'Chaibasa' };

const column = (name: string, type: TableColumn['type'], unit?: string): TableColumn => ({
  name,
  type,
  ...(unit === undefined ? {} : { unit }),
  description: `${name}, as a run describes it`,
});
const UID = column('uid', 'text');

/** Sheets with the columns that runs publish. */
const SHEETS: readonly Omit<PublishedTable, 'tehsilId'>[] = [
  {
    name: 'kyl_cropping_intensity',
    key: 'uid',
    columns: [
      UID,
      column('cropping_intensity_trend', 'text'),
      column('cropping_intensity_avg', 'number'),
      column('avg_single_cropped', 'number', '%'),
    ],
    rows: [
      { uid: '12_9', cropping_intensity_trend: '-1', cropping_intensity_avg: 1.25, avg_single_cropped: 40 },
      { uid: '12_100174', cropping_intensity_trend: '0', cropping_intensity_avg: null, avg_single_cropped: null },
    ],
  },
  {
    name: 'kyl_surface_water',
    key: 'uid',
    columns: [
      UID,
      column('trend_swb', 'text'),
      column('avg_rabi_surface_water_mws', 'number', '%'),
      column('total_swb_area_in_ha', 'number', 'ha'),
    ],
    rows: [{ uid: '12_9', trend_swb: '1', avg_rabi_surface_water_mws: 3.5, total_swb_area_in_ha: 0.1 + 0.2 }],
  },
  {
    name: 'mws_connectivity',
    key: 'uid',
    columns: [UID, column('direction', 'integer'), column('downstream_mws', 'text'), column('upstream_mws', 'list')],
    rows: [
      { uid: '12_9', direction: 3, downstream_mws: '12_100174', upstream_mws: [] },
      { uid: '12_100174', direction: null, downstream_mws: null, upstream_mws: ['12_9'] },
    ],
  },
  {
    name: 'mws_intersect_swb',
    key: 'id',
    columns: [
      column('id', 'text'),
      UID,
      column('swb_uid', 'text'),
      column('waterbodies_name', 'text'),
      column('latitude', 'number', 'deg'),
    ],
    rows: [{ id: '12_9:7', uid: '12_9', swb_uid: '7', waterbodies_name: null, latitude: 24.02 }],
  },
];
const OWN: Omit<PublishedTable, 'tehsilId'> = {
  name: 'wetness',
  key: 'uid',
  columns: [UID, column('wetness', 'number'), column('months', 'list'), column('rank', 'integer')],
  rows: [{ uid: '12_9', wetness: 0.5, months: [7, 8], rank: 1 }],
};

/** Sheets of indicators are not imported, because indicators are computed from yearly sheets. */
const LEFT_OUT = [
  {
    source: 'kyl_cropping_intensity',
    row: 1,
    problem: expect.stringContaining('computed from croppingIntensity_annual'),
  },
  { source: 'kyl_surface_water', row: 1, problem: expect.stringContaining('computed from surfaceWaterBodies_annual') },
];

async function publish(stores: Stores, sheets: readonly Omit<PublishedTable, 'tehsilId'>[]) {
  const { deps, tehsilId } = await importWorld(stores);
  const tables = sheets.map((sheet): PublishedTable => ({ ...sheet, tehsilId }));
  await publishData(stores.runs, 'r1', dataOf({ tables }));
  return { deps, tehsilId };
}

async function answerOf(stores: Stores, path: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const { service } = createHeadwater({ baseUrl: BASE, secret: SAMPLE_SECRET, stores });
  const query = new URLSearchParams({ ...PLACE, ...more }).toString();
  return await toFetchHandler(service)(new Request(`${BASE}/api/v1/${path}/?${query}`));
}

async function exported(stores: Stores): Promise<Uint8Array> {
  const answer = await answerOf(stores, 'download_excel_layer');
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

it('an exported workbook changes nothing when it is imported into the same service', async () => {
  const stores = createMemoryStores();
  const { deps, tehsilId } = await publish(stores, [...SHEETS, OWN]);
  const before = await stores.data.tablesOf(tehsilId);
  await inFolder(async (folder) => {
    const path = join(folder, NAME);
    await writeFile(path, await exported(stores));
    const report = await workbookImporter(deps).run(requestOf(path));
    expect(report).toMatchObject({ stored: 0, unchanged: 4, refused: LEFT_OUT, repaired: [] });
  });
  expect(await stores.data.tablesOf(tehsilId)).toEqual(before);
});

it('the sheets of an exported workbook are imported into another service, except sheets of indicators and unknown sheets', async () => {
  const from = createMemoryStores();
  await publish(from, [...SHEETS, OWN]);
  const to = createMemoryStores();
  const { deps, tehsilId } = await importWorld(to);
  await inFolder(async (folder) => {
    const path = join(folder, NAME);
    await writeFile(path, await exported(from));
    const report = await workbookImporter(deps).run(requestOf(path));
    const refused = [...LEFT_OUT, { source: 'wetness', row: 1 }];
    expect(report).toMatchObject({ stored: 3, unchanged: 0, refused, repaired: [] });
  });
  for (const { name, rows } of SHEETS.filter((sheet) => !sheet.name.startsWith('kyl_')))
    expect((await to.data.table(tehsilId, name))?.rows).toEqual(rows);
});

it('corrected yearly sheets replace the indicators that a run has computed from the old sheets', async () => {
  const stores = createMemoryStores();
  const years = (cropping: number): Omit<PublishedTable, 'tehsilId'> => ({
    name: 'croppingIntensity_annual',
    key: 'uid',
    columns: [UID, column('cropping_intensity_unit_less_2017-2018', 'number')],
    rows: [{ uid: '12_9', 'cropping_intensity_unit_less_2017-2018': cropping }],
  });
  const { deps } = await publish(stores, [...SHEETS, years(1.25)]);
  const from = createMemoryStores();
  await publish(from, [...SHEETS, years(2)]);
  const indicators = async (): Promise<unknown> => await (await answerOf(stores, 'download_kyl_data')).json();
  expect(await indicators()).toContainEqual(
    expect.objectContaining({ mws_id: '12_9', cropping_intensity_avg: 1.25, trend_swb: '1' }),
  );
  await inFolder(async (folder) => {
    const path = join(folder, NAME);
    await writeFile(path, await exported(from));
    await workbookImporter(deps).run(requestOf(path));
  });
  expect(await indicators()).toContainEqual(
    expect.objectContaining({ mws_id: '12_9', cropping_intensity_avg: 2, trend_swb: '1' }),
  );
});
