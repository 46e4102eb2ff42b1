// node import-until-killed.fixture.ts FILE: imports places into the PostgreSQL of HEADWATER_TEST_PG, and kills its own
// process in an open transaction.
import { basename, dirname } from 'node:path';
import { createImporters } from '@headwater/ingest';
import { createPostgresStores, parseConnection } from '@headwater/postgres';

const [path = ''] = process.argv.slice(2);
const stores = await createPostgresStores({ connection: parseConnection(process.env['HEADWATER_TEST_PG'] ?? '') });
const importer = createImporters({ stores, scratchDir: dirname(path) }).find(({ kind }) => kind === 'places');
const progress = (done: number, total = 1): void => {
  if (done / total >= 0.75) process.kill(process.pid, 'SIGKILL');
};
await importer?.run({ path, fileName: basename(path), signal: new AbortController().signal, progress });
