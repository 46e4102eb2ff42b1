import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { address, type Fresh, freshDatabase } from './migrate.fixture.ts';
import { storesOver } from './stores.ts';

if (address === '')
  console.warn('skipped: prepared statements: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

/** Database of this test. It has many rows, because otherwise the planner would use no index. */
const NAME = 'headwater_prepared';
const square = (id: string): string =>
  `ST_MakeEnvelope(70 + ${id} % 50, 10 + ${id} / 50, 71 + ${id} % 50, 11 + ${id} / 50, 4326)`;
const GRID = `
  insert into headwater.states (name, slug) values ('Nadi Pradesh', 'nadi_pradesh');
  insert into headwater.districts (state_id, name, slug) select id, 'East Nadi', 'east_nadi' from headwater.states;
  insert into headwater.tehsils (district_id, name, slug, geometry)
    select d.id, 'T ' || g, 't_' || g, ${square('g')} from headwater.districts d, generate_series(0, 2499) as g;
  insert into headwater.mws (tehsil_id, uid, geometry) select id, id || '_1', geometry from headwater.tehsils;
  analyze headwater.tehsils; analyze headwater.mws;`;

describe.skipIf(address === '')('frequently used statements', () => {
  let fresh: Fresh;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase(NAME);
    // With one connection, the test can list its prepared statements.
    database = openDatabase(fresh.connection, { poolSize: 1 });
    await migrate(database);
    await database.script(GRID);
  });
  afterAll(async () => {
    await database.close();
    await fresh.stop();
  });

  it('are prepared once per connection of our own pool, and reused for later calls', async () => {
    const { lookups, apiKeys, catalog, data } = storesOver(database);
    const names = { state: 'nadi_pradesh', district: 'east_nadi', tehsil: 't_7' };
    for (let time = 0; time < 8; time += 1) {
      const found = await lookups.tehsilNamed(names);
      expect(found).toMatchObject({ tehsil: 'T 7' });
      for (const kind of ['mws', 'villages'] as const)
        expect(await lookups.boundariesNamed(names, { kind, workspace: kind, dataset: 'MWS' })).toMatchObject({
          tehsil: 'T 7',
          layerName: null,
        });
      expect(await lookups.tehsilAt({ longitude: 77.5, latitude: 10.5 })).toEqual(found);
      expect(await lookups.mwsAt(found?.tehsilId ?? 0, { longitude: 77.5, latitude: 10.5 })).toBe(
        `${found?.tehsilId}_1`,
      );
      expect(await apiKeys.find('abcdefgh')).toBeUndefined();
      expect(await catalog.layersVersionOf(1)).toBe('');
      expect(await catalog.layersOf(1)).toEqual([]);
      expect(await data.tableVersionsOf(1)).toEqual([]);
      expect(await data.tablesOf(1)).toEqual([]);
      expect(await data.cellTables(1, ['mws'])).toEqual([]);
      expect((await data.rowsOf(1, ['mws'], '1_1')).size).toBe(0);
      expect(await data.seriesOf(1, '1_1')).toEqual([]);
      expect(await lookups.unitsBelow(0)).toEqual({ mws: false, villages: false });
      expect(await lookups.mwsUids(0)).toEqual([]);
      expect(await lookups.mwsVersion(0)).toBe('');
      expect(await lookups.mwsAfter(0, '', 1)).toEqual([]);
      expect(await lookups.villagesVersion(0)).toBe('');
      expect(await lookups.villagesAfter(0, 0, 1)).toEqual([]);
    }
    const prepared = await database.rows<{ name: string; uses: number }>(
      `select name, (generic_plans + custom_plans)::int as uses from pg_prepared_statements where name like 'headwater%' order by name`,
    );
    expect(prepared).toEqual(
      [
        'api_key',
        'layers_of',
        'layers_version',
        'mws_after',
        'mws_at',
        'mws_named',
        'mws_uids',
        'mws_version',
        'rows_of',
        'series_of',
        'table_versions',
        'tables',
        'tables_of',
        'tehsil_at',
        'tehsil_named',
        'units_below',
        'villages_after',
        'villages_named',
        'villages_version',
      ].map((name) => ({
        name: `headwater_${name}`,
        uses: 8,
      })),
    );
  });

  it.each([
    ['headwater_tehsil_at', '(77.5, 10.5)', 'tehsils_geometry'],
    ['headwater_mws_at', '(77.5, 10.5, 1)', 'mws_geometry'],
  ])('%s finds the area at a point by the GiST index with a generic plan', async (name, values, index) => {
    const { lookups } = storesOver(database);
    await lookups.tehsilAt({ longitude: 77.5, latitude: 10.5 });
    await lookups.mwsAt(1, { longitude: 77.5, latitude: 10.5 });
    await database.script('set plan_cache_mode = force_generic_plan');
    const plan = await database.rows<{ 'QUERY PLAN': string }>(`explain execute ${name}${values}`);
    await database.script('reset plan_cache_mode');
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(new RegExp(`Index Scan (?:using|on) ${index}`));
  });
});
