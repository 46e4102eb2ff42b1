import { type ExportFolder, type Headwater, toFetchHandler } from '@headwater/http-service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createSampleService, SAMPLE_USERS } from './fixture/sample-service.ts';
import { jsonInit } from './suite/harness.ts';

const XLSX = 'data/stats_excel_files/SAMPLE_STATE/SAMPLE_DISTRICT/sample_district_sample_tehsil.xlsx';
const notes = new Map<string, string>();
const writes: string[] = [];
let onWrite = (): void => {};
const folder: ExportFolder = {
  has: async (path) => writes.includes(path.join('/')),
  read: async (path) => notes.get(path.join('/')),
  write: async (path, content) => {
    const text = await new Response(content).text();
    if (typeof content === 'string') notes.set(path.join('/'), text);
    writes.push(path.join('/'));
    onWrite();
  },
};
const booksWritten = (count: number): Promise<void> =>
  new Promise((resolve) => {
    onWrite = () => {
      if (writes.filter((path) => path === XLSX).length >= count) resolve();
    };
    onWrite();
  });

let headwater: Headwater;
let get: (path: string, init?: RequestInit) => Promise<Response>;
beforeAll(async () => {
  headwater = await createSampleService({ exportFolder: folder });
  const handle = toFetchHandler(headwater.service);
  get = (path, init) => handle(new Request(`http://headwater.example/api/v1/${path}`, init));
  await headwater.start();
});
afterAll(() => headwater.close());

it('writes the workbook when the service starts, and again after a run has published', async () => {
  await booksWritten(1);
  const login = await get('auth/login/', jsonInit(SAMPLE_USERS.owner));
  const { access } = z.object({ access: z.string() }).parse(await login.json());
  const names = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil' };
  const body = { ...names, start_year: 2021, end_year: 2021, gee_account_id: 1 };
  const started = await get('lulc_for_tehsil/', jsonInit(body, { authorization: `Bearer ${access}` }));
  expect(started.status).toBe(202);
  await booksWritten(2);
  expect([...notes.keys()]).toContain(XLSX.replace('.xlsx', '_KYL_filter_data.json'));
}, 120_000);
