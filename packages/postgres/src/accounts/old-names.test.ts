import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewUser, User } from '@headwater/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../database.ts';
import { openEmbedded } from '../embedded/open.ts';
import { textKey } from '../guards.ts';
import { storesOver } from '../stores.ts';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

let database: Database;
let stop: () => Promise<void>;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-old-names-'));
  await copyDatabase(dataDir);
  const embedded = await openEmbedded({ dataDir });
  database = openDatabase(embedded.connection);
  stop = async () => {
    await database.close();
    await embedded.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}, 120_000);
beforeEach(async () => {
  await database.script('truncate headwater.users restart identity cascade');
});
afterAll(() => stop());

/** Creates an account as an earlier version did, without normalization: the name as typed, its key in lower case. */
async function oldAccount(name: string): Promise<User> {
  const user = await storesOver(database).users.create(newUser('to be renamed'));
  const OLDER = 'update headwater.users set username = $2, username_key = $3 where id = $1';
  expect(await database.run(OLDER, [user.id, name, textKey(name.toLowerCase())])).toBe(1);
  return { ...user, username: name };
}

function newUser(username: string): NewUser {
  const names = { username, email: '', firstName: '', lastName: '', contactNumber: null };
  const rights = { isActive: true, isSuperuser: false, mayCompute: true, mustChangePassword: false };
  return { ...names, ...rights, passwordHash: 'scrypt$1$abc' };
}

describe('an account from before name normalization', () => {
  // A Devanagari letter with its dot is one character, but two in the normalized form.
  it.each(['\u0958\u0932\u092e', 'rene\u0301', '\uff21SHA', 'J\u030cani'])(
    'named %s is found by its exact spelling',
    async (name) => {
      const user = await oldAccount(name);
      expect(await storesOver(database).users.byUsername(name)).toEqual(user);
    },
  );

  it.each([
    ['rene\u0301', 'ren\u00e9'],
    ['RENE\u0301', 'ren\u00e9'],
    ['\u0958\u0932\u092e', '\u0915\u093c\u0932\u092e'],
    ['\uff41sha', 'asha'],
    ['J\u030cani', '\u01f0ani'],
  ])(
    'named %s keeps its name: a second account cannot have another spelling (%s) of this name',
    async (old, spelling) => {
      const { users } = storesOver(database);
      const user = await oldAccount(old);
      for (const name of [spelling, spelling.toUpperCase(), old])
        await expect(users.create(newUser(name)), name).rejects.toMatchObject({
          code: 'conflict',
          fields: { username: [{ rule: 'taken' }] },
        });
      expect(await users.byUsername(old)).toEqual(user);
      expect(await users.count()).toBe(1);
      await users.create(newUser('badi'));
    },
  );

  it('is found before a newer account with the same normalized name; the newer account is found by its exact spelling', async () => {
    const { users } = storesOver(database);
    const newer = await users.create(newUser('ren\u00e9'));
    const older = await oldAccount('rene\u0301');
    expect(await users.byUsername('rene\u0301')).toEqual(older);
    expect(await users.byUsername('ren\u00e9')).toEqual(newer);
    expect(await users.byUsername('REN\u00c9')).toEqual(newer);
  });
});
