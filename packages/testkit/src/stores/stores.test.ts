import { createMemoryStores } from '@headwater/core/memory';
import { parseConnection } from '@headwater/postgres';
import { embeddedHarness, postgresHarness } from './harness.ts';
import { describeStores } from './suite.ts';

const address = process.env['HEADWATER_TEST_PG'] ?? '';
const missing = 'HEADWATER_TEST_PG is not set; `npm run test:postgres` starts a PostgreSQL + PostGIS and sets it';

describeStores('stores in memory', async () => {
  return { kind: 'memory', fresh: async () => createMemoryStores(), stop: async () => {} };
});
describeStores('stores over the embedded database (PGlite + PostGIS)', embeddedHarness);
describeStores(
  'stores over PostgreSQL + PostGIS',
  address === '' ? { missing } : async () => await postgresHarness(parseConnection(address)),
);
