import { join } from 'node:path';
import { createMemoryStores } from '@headwater/identity/memory';
import { workbookImporter } from '@headwater/ingest';
import { expect, it } from 'vitest';
import { importWorld, inFolder, requestOf } from './import-request.fixture.ts';
import { workbookParts, writeZip } from './workbook-file.fixture.ts';

const NAME = 'west_singhbhum_chaibasa.xlsx';

it('an import reads a stored table only once for several sheets that spell its name differently, and reads no table for unknown names', async () => {
  const stores = createMemoryStores();
  const { deps } = await importWorld(stores);
  const read: string[] = [];
  const data: typeof stores.data = {
    ...stores.data,
    table: async (tehsilId, name) => {
      read.push(name);
      return await stores.data.table(tehsilId, name);
    },
  };
  await inFolder(async (folder) => {
    const path = join(folder, NAME);
    const rows = [['UID'], ['12_9']];
    await writeZip(path, workbookParts({ terrain: rows, Terrain: rows, TERRAIN: rows, unknown: rows, UNKNOWN: rows }));
    const report = await workbookImporter({ ...deps, stores: { ...deps.stores, data } }).run(requestOf(path));
    expect(report.refused.map(({ source }) => source)).toEqual(['Terrain', 'TERRAIN', 'unknown', 'UNKNOWN']);
  });
  expect(read).toEqual(['terrain']);
});
