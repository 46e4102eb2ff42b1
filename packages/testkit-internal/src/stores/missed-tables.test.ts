import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Stores } from '@headwater/identity';
import { createHeadwater, type ExportFolder } from '@headwater/http-service';
import { createPostgresStores, openDatabase, parseConnection } from '@headwater/postgres';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataOf, publishData, table, bundle } from '@headwater/testkit/stores';

const address = process.env['HEADWATER_TEST_PG'] ?? '';
const hint = 'HEADWATER_TEST_PG is not set; `npm run test:postgres` starts a PostgreSQL + PostGIS and sets it';
if (address === '')
  console.warn(`skipped: the test that files of places are written after a lost LISTEN connection. ${hint}`);

function memoryFolder() {
  const files = new Map<string, string>();
  const workbooks = new EventTarget();
  const folder: ExportFolder = {
    has: async (path) => files.has(path.join('/')),
    read: async (path) => files.get(path.join('/')),
    write: async (path, content) => {
      files.set(path.join('/'), await new Response(content).text());
      if (path.at(-1)?.endsWith('.version') === true) workbooks.dispatchEvent(new Event('written'));
    },
  };
  return { folder, workbooks };
}

/** Publishes a table without an Item, like a validation run. */
async function publishTable({ runs }: Stores, tehsilId: number): Promise<void> {
  await publishData(runs, randomUUID(), dataOf({ tables: [table({ tehsilId })] }));
}

describe.skipIf(address === '')('files of places over PostgreSQL (needs HEADWATER_TEST_PG)', () => {
  it('are written for tables that were published while the LISTEN connection was lost', async () => {
    const name = `headwater_missed_${randomUUID().replaceAll('-', '')}`;
    const admin = openDatabase(parseConnection(address), { poolSize: 1 });
    await admin.script(`create database ${name}`);
    const connection = { ...parseConnection(address), database: name };
    const [stores, elsewhere] = [
      await createPostgresStores({ connection }),
      await createPostgresStores({ connection }),
    ];
    const { folder, workbooks } = memoryFolder();
    const baseUrl = 'http://headwater.example';
    const headwater = createHeadwater({ baseUrl, secret: randomUUID(), stores, exportFolder: folder });
    onTestFinished(async () => {
      await headwater.close(0);
      await elsewhere.close();
      await admin.script(`drop database ${name} with (force)`);
      await admin.close();
    });
    const { tehsil } = await elsewhere.places.saveBundle(bundle());
    await publishTable(elsewhere, tehsil.id);
    const first = once(workbooks, 'written');
    await headwater.start();
    await first;
    // After this statement, no new session can listen, but open connections stay.
    await admin.script(`alter database ${name} with allow_connections false`);
    const cut = await admin.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query ~* '^listen |advisory'`,
      [name],
    );
    expect(cut).not.toEqual([]);
    const second = once(workbooks, 'written');
    await publishTable(elsewhere, tehsil.id);
    await admin.script(`alter database ${name} with allow_connections true`);
    await second;
  }, 60_000);
});
