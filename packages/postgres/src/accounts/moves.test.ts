import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { type Database, openDatabase } from '../database.ts';
import { openEmbedded } from '../embedded/open.ts';
import { storesOver } from '../stores.ts';

let database: Database;
let stop: () => Promise<void>;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-moves-'));
  await copyDatabase(dataDir);
  const embedded = await openEmbedded({ dataDir });
  database = openDatabase(embedded.connection);
  stop = async () => {
    await database.close();
    await embedded.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}, 120_000);
afterAll(() => stop());

/** Makes the last statement of each move fail, as if the server was killed. */
const FAILING = `create function headwater.refuse_note() returns trigger language plpgsql as 'begin raise exception ''killed here''; end';
  create trigger refuse_note before insert or update on headwater.moved_rows for each row execute function headwater.refuse_note()`;
const WORKING = 'drop trigger refuse_note on headwater.moved_rows; drop function headwater.refuse_note()';

it('a moved Earth-observation account is stored together with its owner and its entry in `moved_rows`, or not at all', async () => {
  const { moves, eoAccounts } = storesOver(database);
  const from = { source: 'https://live.example.org', sourceId: '21', digest: 'one' };
  const emails = { accountEmail: null, serviceAccountEmail: 'a@p.iam.gserviceaccount.com' };
  const account = { name: 'one', ...emails, isVisible: true, platform: 'earth_engine', ownerId: 7 } as const;
  const before = await eoAccounts.list();
  await database.script(FAILING);
  await expect(moves.eoAccount(from, account)).rejects.toThrow('killed here');
  expect(await eoAccounts.list()).toEqual(before);
  await database.script(WORKING);
  const id = await moves.eoAccount(from, account);
  const stored = await eoAccounts.list();
  expect(stored).toHaveLength(before.length + 1);
  expect(stored.at(-1)).toMatchObject({ id, visibleTo: 'owner', ownerId: 7 });
  await database.script(FAILING);
  await expect(moves.eoAccount({ ...from, digest: 'two' }, { ...account, name: 'two' })).rejects.toThrow('killed here');
  expect(await eoAccounts.list()).toEqual(stored);
  await database.script(WORKING);
});
