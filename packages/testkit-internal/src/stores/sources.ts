import { createMemoryStores } from '@headwater/identity/memory';
import { parseConnection } from '@headwater/postgres';
import { embeddedHarness, postgresHarness } from './harness.ts';
import type { StoresSource } from '@headwater/testkit/stores';

const address = process.env['HEADWATER_TEST_PG'] ?? '';
const missing = 'HEADWATER_TEST_PG is not set; `npm run test:postgres` starts a PostgreSQL + PostGIS and sets it';

const OWN: typeof STORES_SOURCES = [
  ['in memory', async () => ({ kind: 'memory', fresh: async () => createMemoryStores(), stop: async () => {} })],
  ['over the embedded database (PGlite + PostGIS)', embeddedHarness],
];

/** Implementations of the stores, by name. With a configured PostgreSQL, only the PostgreSQL stores. */
export const STORES_SOURCES: readonly (readonly [name: string, source: StoresSource])[] = [
  ...(address === '' ? OWN : []),
  [
    'over PostgreSQL + PostGIS',
    address === '' ? { missing } : async () => await postgresHarness(parseConnection(address)),
  ],
];
