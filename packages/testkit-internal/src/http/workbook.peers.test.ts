import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFetchHandler, EXAMPLE_PLACE, type Headwater } from '@headwater/http-service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPeers } from '../../../../scripts/peers.mjs';
import { createSampleService, SAMPLE_USERS } from './fixture/sample-service.ts';

const peers = findPeers({ modules: ['openpyxl'] });
if ('reason' in peers) console.warn(`skipped: a workbook read with openpyxl. ${peers.reason}`);

/** Python program that prints rows (with column names in lower case) and formulas of every sheet. */
const READ = `
import json, sys
from openpyxl import load_workbook
book = load_workbook(sys.argv[1])
sheets, formulas = {}, []
for sheet in book.worksheets:
    names, *rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    sheets[sheet.title] = [dict(zip((name.lower() for name in names), row)) for row in rows]
    formulas += [cell.coordinate for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
print(json.dumps({"sheets": sheets, "formulas": formulas}))
`;

let service: Headwater;
let folder: string;
beforeAll(async () => {
  service = await createSampleService();
  folder = await mkdtemp(join(tmpdir(), 'workbook-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

it.skipIf('reason' in peers)(
  'openpyxl finds in a workbook the same values as in the JSON tables, and finds no formula',
  async () => {
    const handle = toFetchHandler(service.service);
    const ask = async (route: string, headers: Record<string, string> = {}): Promise<Response> => {
      const query = new URLSearchParams(EXAMPLE_PLACE).toString();
      return await handle(new Request(`http://headwater.example/api/v1/${route}/?${query}`, { headers }));
    };
    const user = await service.stores.users.byUsername(SAMPLE_USERS.owner.username);
    if (user === undefined || 'reason' in peers) throw new Error('fixture: the owner or Python is missing');
    const { text: key } = await service.apiKeys.generate({ kind: 'user', user });
    const tables: unknown = await (await ask('get_tehsil_data', { 'x-api-key': key })).json();
    const file = join(folder, 'book.xlsx');
    await writeFile(file, new Uint8Array(await (await ask('download_excel_layer')).arrayBuffer()));
    const read: unknown = JSON.parse(execFileSync(peers.python, ['-c', READ, file], { encoding: 'utf8' }));
    // In a cell, a list is JSON text.
    const isList = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each !== 'object');
    const cells: unknown = JSON.parse(JSON.stringify(tables), (_name, value: unknown) =>
      isList(value) ? JSON.stringify(value) : value,
    );
    expect(read).toEqual({ sheets: cells, formulas: [] });
  },
);
