import { boxPolygon } from '@headwater/core/geo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { startEmbedded } from '../migrate.fixture.ts';
import { saveBundle } from './bundle.ts';
import { saveChanges } from './changes.ts';
import { placeLookups } from './lookups.ts';

const square = (west: number) => boxPolygon([west, 24, west + 1, 25]);
const NAMES = { state: 'A', district: 'B', tehsil: 'C' };
const mws = (west: number) => [{ uid: '12_1', geometry: square(west) }];
const villages = (west: number) => [{ id: 7, name: 'Village', geometry: square(west) }];

describe('the times of boundaries', () => {
  let [stop, database]: [() => Promise<void>, Database | undefined] = [async () => {}, undefined];
  const open = (): Database => {
    if (database === undefined) throw new Error('fixture: the database is not open');
    return database;
  };
  beforeAll(async () => {
    const fresh = await startEmbedded();
    ({ stop } = fresh);
    database = openDatabase(fresh.connection);
    await migrate(database);
  });
  afterAll(async () => {
    await database?.close();
    await stop();
  });
  const versions = async (id: number): Promise<readonly [string, string]> => {
    const lookups = placeLookups(open());
    return [await lookups.mwsVersion(id), await lookups.villagesVersion(id)];
  };

  it('are later after each change, also if the clock was set back, and stay the same after an equal import', async () => {
    const bundle = { ...NAMES, geometry: null, mws: mws(85), villages: villages(85) };
    const { tehsil } = await saveBundle(open(), bundle);
    const future = '2100-01-01T00:00:00.000000Z';
    await open().run('update headwater.tehsils set mws_changed = $1, villages_changed = $1 where id = $2', [
      future,
      tehsil.id,
    ]);
    const same = { ...NAMES, mws: mws(85), villages: villages(85) };
    const importOf = async (change: object): Promise<void> =>
      void (await saveChanges(
        open(),
        async function* () {
          yield { ...same, ...change };
        },
        false,
      ));
    await importOf({});
    expect(await versions(tehsil.id)).toEqual([future, future]);
    await importOf({ mws: mws(86) });
    const [moved, unmoved] = await versions(tehsil.id);
    expect([moved > future, unmoved]).toEqual([true, future]);
    await importOf({ mws: mws(86), villages: villages(86) });
    const [still, later] = await versions(tehsil.id);
    expect([still, later > unmoved]).toEqual([moved, true]);
  });

  it('of a tehsil stay the same if another tehsil is added and removed; the times of a removed tehsil are empty', async () => {
    const bundle = { ...NAMES, geometry: null, mws: mws(85), villages: villages(85) };
    const { tehsil } = await saveBundle(open(), bundle);
    const before = await versions(tehsil.id);
    const other = await saveBundle(open(), { ...bundle, tehsil: 'D' });
    await open().run('delete from headwater.tehsils where id = $1', [other.tehsil.id]);
    expect(await versions(tehsil.id)).toEqual(before);
    expect(await versions(other.tehsil.id)).toEqual(['', '']);
  });
});
