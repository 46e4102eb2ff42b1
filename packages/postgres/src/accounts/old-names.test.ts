import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '../database.ts';
import { openEmbedded } from '../embedded/open.ts';
import { textKey } from '../guards.ts';
import { migrate } from '../migrate.ts';
import { storesOver } from '../stores.ts';

/** A letter of Devanagari with its dot, as one character: names are stored with two today. */
const OLD = '\u0958\u0932\u092e';

let database: Database;
let stop: () => Promise<void>;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-old-names-'));
  const embedded = await openEmbedded({ dataDir });
  database = openDatabase(embedded.connection);
  await migrate(database);
  stop = async () => {
    await database.close();
    await embedded.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}, 120_000);
afterAll(() => stop());

it('an account from before names had one form is found under its own spelling', async () => {
  const { users } = storesOver(database);
  const user = await users.create({
    username: OLD,
    email: '',
    firstName: '',
    lastName: '',
    contactNumber: null,
    isActive: true,
    isSuperuser: false,
    mayCompute: true,
    mustChangePassword: false,
    passwordHash: 'scrypt$1$abc',
  });
  const key = textKey(OLD.toLowerCase());
  const older = 'update headwater.users set username_key = $2 where username_key <> $2 and id = $1';
  expect(await database.run(older, [user.id, key])).toBe(1);
  expect(await users.byUsername(OLD)).toEqual(user);
});
