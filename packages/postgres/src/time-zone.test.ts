import type { IInitOptions } from 'pg-promise';
import pgPromise from 'pg-promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { address, type Fresh, freshDatabase } from './migrate.fixture.ts';
import { createPostgresStores } from './stores.ts';

if (address === '')
  console.warn('skipped: databases in other time zones: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

const ZONE = `select current_setting('TimeZone') as zone, timestamptz '2025-01-01T00:00:00Z'::text as moment`;
const UTC = { zone: 'UTC', moment: '2025-01-01 00:00:00+00' };

describe.skipIf(address === '')('a database with a time zone other than UTC', () => {
  const name = 'headwater_zone';
  let fresh: Fresh;
  beforeAll(async () => {
    fresh = await freshDatabase(name);
    const admin = openDatabase(fresh.connection, { poolSize: 1 });
    await admin.script(`alter database ${name} set timezone = 'Asia/Kolkata'`);
    await admin.close();
  });
  afterAll(() => fresh.stop());

  it('uses UTC in every connection of the pool, of searches, and outside of the pool', async () => {
    const database = openDatabase(fresh.connection);
    const session = await database.connect?.({ onNotification: () => {}, onLost: () => {} });
    const zones = [await database.first(ZONE), await database.searches.first(ZONE), await session?.first(ZONE)];
    expect(zones).toEqual([UTC, UTC, UTC]);
    await session?.close();
    await database.close();
  });

  it('removes keys by the day in UTC, also in the pool of a host application whose connections use another time zone', async () => {
    // The connection ends later than its pool. Without this wait, the test would drop a database in use.
    const ended = Promise.withResolvers<void>();
    const connect: IInitOptions['connect'] = ({ client, useCount }) => {
      if (useCount === 0) client.once('end', ended.resolve);
    };
    const handle = pgPromise({ noWarnings: true, connect })({ ...fresh.connection, password: '', ssl: false, max: 1 });
    const { users, apiKeys, close } = await createPostgresStores({ handle });
    expect(await handle.one(ZONE)).toMatchObject({ zone: 'Asia/Kolkata' });
    const names = { username: 'asha', email: '', firstName: '', lastName: '', contactNumber: null, passwordHash: 'x' };
    const rights = { isActive: true, isSuperuser: false, mayCompute: true, mustChangePassword: false };
    const { id: userId, sessionVersion } = await users.create({ ...names, ...rights });
    const ends = { ended000: '2024-12-31T23:59:59.999Z', lately00: '2025-01-01T00:00:00.000Z' };
    for (const [prefix, expiresAt] of Object.entries(ends)) {
      await apiKeys.create({ prefix, hash: 'x', userId, sessionVersion, name: 'field', expiresAt }, { most: 9 });
      await apiKeys.noteUses([{ prefix, usedAt: '2025-01-01T00:00:00.000Z', count: 1 }]);
    }
    await apiKeys.removeOld('2025-01-01');
    expect(await apiKeys.activeOf(userId)).toMatchObject([{ prefix: 'lately00', expiresAt: ends.lately00 }]);
    expect(await apiKeys.daysOf(userId, '2025-01-01')).toEqual([{ prefix: 'lately00', day: '2025-01-01', uses: 1 }]);
    await close();
    await handle.$pool.end();
    await ended.promise;
  });
});
