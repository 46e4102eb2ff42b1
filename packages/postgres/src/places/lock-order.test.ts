import type { PlaceChange } from '@headwater/core/ports';
import type { Polygon } from 'geojson';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { address, type Fresh, freshDatabase } from '../migrate.fixture.ts';
import { activate, setActive } from './activate.ts';
import { removeTehsil } from './bundle.ts';
import { saveChanges } from './changes.ts';

if (address === '')
  console.warn('skipped: lock order of places: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

const NAME = 'headwater_lock_order';
const WAITING = `select count(*)::int as n from pg_stat_activity where datname = '${NAME}' and wait_event_type = 'Lock'`;
const PLACES = `truncate headwater.states restart identity cascade;
  insert into headwater.states (name, slug, is_active) values ('Jharkhand', 'jharkhand', false);
  insert into headwater.districts (state_id, name, slug, is_active) values (1, 'Ranchi', 'ranchi', false);
  insert into headwater.tehsils (district_id, name, slug, is_active)
    values (1, 'Angara', 'angara', false), (1, 'Bero', 'bero', false)`;
const SOUTH: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [85, 23],
      [86, 23],
      [86, 24],
      [85, 23],
    ],
  ],
};
const [ANGARA, BERO] = [1, 2];

/** A database that counts the attempts of its transactions. A second attempt of a transaction shows a deadlock. */
interface Counted extends Database {
  readonly tries: () => number;
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

describe.skipIf(address === '')('locks of places (needs HEADWATER_TEST_PG: `npm run test:postgres`)', () => {
  const databases: Database[] = [];
  let fresh: Fresh;
  let watcher: Database;
  const session = (): Counted => {
    const database = openDatabase(fresh.connection, { poolSize: 1 });
    databases.push(database);
    let tries = 0;
    const tx: Database['tx'] = async (fn) =>
      await database.tx(async (sql) => {
        tries += 1;
        return await fn(sql);
      });
    return { ...database, tx, tries: () => tries };
  };
  const waiting = async (sessions: number): Promise<void> => {
    const inTime = { interval: 5, timeout: 20_000 };
    await expect.poll(async () => (await watcher.first<{ n: number }>(WAITING))?.n, inTime).toBe(sessions);
  };
  const change = (tehsil: string, part: Partial<PlaceChange>): PlaceChange => ({
    state: 'Jharkhand',
    district: 'Ranchi',
    tehsil,
    ...part,
  });
  const importing = (
    database: Database,
    changes: readonly [PlaceChange, ...PlaceChange[]],
  ): { reached: Promise<void>; goOn: () => void; done: Promise<unknown> } => {
    const [reached, goOn] = [gate(), gate()];
    const [first, ...rest] = changes;
    const paused = async function* (): AsyncGenerator<PlaceChange> {
      yield first;
      reached.open();
      await goOn.opened;
      yield* rest;
    };
    return { reached: reached.opened, goOn: goOn.open, done: saveChanges(database, paused, false) };
  };
  beforeAll(async () => {
    fresh = await freshDatabase(NAME);
    watcher = session();
    await migrate(watcher);
  }, 120_000);
  beforeEach(async () => {
    await watcher.script(PLACES);
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await fresh.stop();
  });

  it('cause no deadlock if an operator changes a tehsil that a running import will change later', async () => {
    const [importer, operator] = [session(), session()];
    const run = importing(importer, [change('Angara', { geometry: SOUTH }), change('Bero', { geometry: SOUTH })]);
    await run.reached;
    const activated = setActive(operator, { level: 'tehsil', id: BERO }, false);
    await waiting(1);
    run.goOn();
    expect(await run.done).toEqual({ stored: 2, unchanged: 0, removed: 0 });
    expect(await activated).toBe('unchanged');
    expect([importer.tries(), operator.tries()]).toEqual([1, 1]);
  }, 60_000);

  it('cause no deadlock if an operator changes a tehsil of a running import of villages and boundaries', async () => {
    const [importer, operator] = [session(), session()];
    const run = importing(importer, [change('Angara', { villages: [] }), change('Bero', { geometry: SOUTH })]);
    await run.reached;
    const activated = setActive(operator, { level: 'tehsil', id: ANGARA }, false);
    await waiting(1);
    run.goOn();
    expect(await run.done).toEqual({ stored: 1, unchanged: 0, removed: 0 });
    expect(await activated).toBe('unchanged');
    expect([importer.tries(), operator.tries()]).toEqual([1, 1]);
  }, 60_000);

  it('make a first publication and a change by an operator run one after the other', async () => {
    const [publisher, operator, third] = [session(), session(), session()];
    const [holds, release] = [gate(), gate()];
    const held = third.tx(async (sql) => {
      await sql.rows('select id from headwater.districts for no key update');
      holds.open();
      await release.opened;
    });
    await holds.opened;
    const published = publisher.tx(async (sql) => await activate(sql, [ANGARA, BERO]));
    await waiting(1);
    const off = setActive(operator, { level: 'tehsil', id: BERO }, false);
    await waiting(2);
    release.open();
    await held;
    await published;
    expect(await off).toBe('changed');
    expect([publisher.tries(), operator.tries()]).toEqual([1, 1]);
  }, 60_000);

  it('make the removal of a tehsil wait for an import', async () => {
    const [importer, remover] = [session(), session()];
    const run = importing(importer, [change('Angara', { geometry: SOUTH }), change('Bero', { geometry: SOUTH })]);
    await run.reached;
    const removed = removeTehsil(remover, BERO);
    await waiting(1);
    run.goOn();
    expect(await run.done).toEqual({ stored: 2, unchanged: 0, removed: 0 });
    await removed;
    expect([importer.tries(), remover.tries()]).toEqual([1, 1]);
    const left = await watcher.rows<{ slug: string }>('select slug from headwater.tehsils');
    expect(left).toEqual([{ slug: 'angara' }]);
  }, 60_000);

  it('let a publication of active places run without waiting for an import', async () => {
    const [importer, publisher] = [session(), session()];
    await publisher.tx(async (sql) => await activate(sql, [ANGARA]));
    const run = importing(importer, [change('Angara', { geometry: SOUTH })]);
    await run.reached;
    await publisher.tx(async (sql) => await activate(sql, [ANGARA]));
    run.goOn();
    await run.done;
    expect([importer.tries(), publisher.tries()]).toEqual([1, 2]);
  }, 60_000);
});
