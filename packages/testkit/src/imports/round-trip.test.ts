import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedTable, Stores, TableColumn } from '@headwater/core';
import { createMemoryStores } from '@headwater/core/memory';
import { createHeadwater, toFetchHandler } from '@headwater/http-service';
import { workbookImporter } from '@headwater/ingest';
import { expect, it } from 'vitest';
import { SAMPLE_SECRET } from '../http/fixture/sample-service.ts';
import { dataOf, publishData } from '../stores/data-sample.ts';
import { importWorld, inFolder, jobOf } from './import-job.fixture.ts';

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

/** Sheets as our runs publish them, with one that a pipeline of somebody else may have. */
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

async function publish(stores: Stores, sheets: readonly Omit<PublishedTable, 'tehsilId'>[]) {
  const { deps, tehsilId } = await importWorld(stores);
  const tables = sheets.map((sheet): PublishedTable => ({ ...sheet, tehsilId }));
  await publishData(stores.runs, 'r1', dataOf({ tables }));
  return { deps, tehsilId };
}

/** The workbook of the place as the service sends it. */
async function exported(stores: Stores): Promise<Uint8Array> {
  const { service } = createHeadwater({ baseUrl: BASE, secret: SAMPLE_SECRET, stores, worker: false });
  const query = new URLSearchParams(PLACE).toString();
  const answer = await toFetchHandler(service)(new Request(`${BASE}/api/v1/download_excel_layer/?${query}`));
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

it('a workbook of this service changes nothing where it came from, whichever pipelines made its sheets', async () => {
  const stores = createMemoryStores();
  const { deps, tehsilId } = await publish(stores, [...SHEETS, OWN]);
  const before = await stores.data.tablesOf(tehsilId);
  await inFolder(async (folder) => {
    const path = join(folder, NAME);
    await writeFile(path, await exported(stores));
    const report = await workbookImporter(deps).run(jobOf(path));
    expect(report).toMatchObject({ stored: 0, unchanged: 7, refused: [], repaired: [] });
  });
  expect(await stores.data.tablesOf(tehsilId)).toEqual(before);
});

it('and is whole in another service, but for sheets that are known to nobody there', async () => {
  const from = createMemoryStores();
  await publish(from, [...SHEETS, OWN]);
  const to = createMemoryStores();
  const { deps, tehsilId } = await importWorld(to);
  await inFolder(async (folder) => {
    const path = join(folder, NAME);
    await writeFile(path, await exported(from));
    const report = await workbookImporter(deps).run(jobOf(path));
    expect(report).toMatchObject({ stored: 6, unchanged: 0, refused: [{ source: 'wetness', row: 1 }], repaired: [] });
  });
  for (const { name, rows } of SHEETS) expect((await to.data.table(tehsilId, name))?.rows).toEqual(rows);
});
