import type { ItemForm, SearchRequest } from '@headwater/core/ports';
import { parseCql2Text } from '@headwater/cql2';
import type { Polygon } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, type Sql, type Statement, type Values } from '../database.ts';
import { migrate } from '../migrate.ts';
import { address, type Fresh, freshDatabase } from '../migrate.fixture.ts';
import { itemSearch } from './item-search.ts';

if (address === '')
  console.warn('skipped: plans of searches: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

/** Half of the Items are in one Collection, the other half in 500 Collections. */
const NAME = 'headwater_plans';
const ITEMS = `
  insert into headwater.items (collection_path, id, version, run_id, position, content, geometry, start_datetime, end_datetime)
  select case when n % 2 = 0 then 'a/b/c' else 'a/d/e' || n % 1000 end, 'item ' || n, 1, 'r', 0,
    json_build_object('id', 'item ' || n, 'properties', json_build_object('gsd', n % 7, 'cloud', n % 100))::text,
    ST_MakeEnvelope(70 + n * 31 % 2000 / 100.0, 10 + n * 17 % 1900 / 100.0, 70.2 + n * 31 % 2000 / 100.0, 10.2 + n * 17 % 1900 / 100.0, 4326),
    timestamptz '2015-01-01Z' + n * 97 % 3650 * interval '1 day', timestamptz '2016-01-01Z' + n * 97 % 3650 * interval '1 day'
  from generate_series(1, 20000) as n;
  update headwater.items set sent_form = 'ids', sent_text = id;`;
const WINDOW = { start: '2018-03-01T00:00:00Z', end: '2020-03-01T00:00:00Z' };
const TRIANGLE: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [75, 15],
      [75.2, 15],
      [75, 15.2],
      [75, 15],
    ],
  ],
};
const BOW: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [75, 15],
      [75.2, 15.2],
      [75.2, 15],
      [75, 15.2],
      [75, 15],
    ],
  ],
};
const GEOMETRY_INDEX = /items_geometry[^]*Index Cond: \(geometry &&/;
const form: ItemForm = { name: 'ids', text: ({ id }) => id };

interface Expected {
  readonly request: SearchRequest;
  readonly found: number;
  readonly index: RegExp;
}

async function linesOf(sql: Pick<Sql, 'rows'>, text: string, values: Values): Promise<string> {
  const lines = await sql.rows<{ 'QUERY PLAN': string }>(text, values);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

describe.skipIf(address === '')('a search among many Items', () => {
  let fresh: Fresh;
  let database: Database;
  const statements: (readonly [text: string | Statement, values: Values])[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase(NAME);
    const opened = openDatabase(fresh.connection);
    const rows = async <T>(text: string | Statement, values: Values = []): Promise<readonly T[]> => {
      statements.push([text, values]);
      return await opened.searches.rows<T>(text, values);
    };
    const first = async <T>(text: string | Statement, values?: Values): Promise<T | undefined> =>
      (await rows<T>(text, values))[0];
    database = { ...opened, searches: { rows, first } };
    await migrate(opened);
    await opened.script(ITEMS);
    // An index-only scan needs the visibility map, which a vacuum writes.
    await opened.script('vacuum analyze headwater.items');
  });
  afterAll(async () => {
    await database.close();
    await fresh.stop();
  });

  async function planned(request: SearchRequest): Promise<{ readonly plan: string; readonly found: number }> {
    const { items } = await itemSearch(database).search(request, form);
    const [text, values] = statements.at(-1) ?? ['', []];
    const plan =
      typeof text === 'string' ? await linesOf(database, `explain ${text}`, values) : await preparedPlan(text, values);
    return { plan, found: items.length };
  }

  async function preparedPlan({ text }: Statement, values: Values): Promise<string> {
    const texts = values.map((value) => (Array.isArray(value) ? `{${value.join(',')}}` : String(value)));
    const literals = texts.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ');
    return await database.tx(async (sql) => {
      await sql.script(`set local plan_cache_mode = force_generic_plan; prepare planned as ${text}`);
      const plan = await linesOf(sql, `explain execute planned(${literals})`, []);
      await sql.script('deallocate planned');
      return plan;
    });
  }

  it.each<readonly [name: string, expected: Expected]>([
    [
      'a Collection and a time',
      {
        request: { collections: ['a_b_c'], interval: WINDOW, limit: 10 },
        found: 10,
        index: /Index Scan using items_search_collection/,
      },
    ],
    ['no condition', { request: { limit: 100 }, found: 100, index: /Index Scan using items_search / }],
    [
      'no condition, in descending order of `datetime`',
      {
        request: { sort: [{ property: 'datetime', direction: 'desc' }], limit: 10 },
        found: 10,
        index: /Index Scan using items_search_datetime/,
      },
    ],
    [
      'a small box',
      { request: { bbox: [75, 15, 75.2, 15.2], limit: 100 }, found: 9, index: /Index Only Scan using items_bounds/ },
    ],
    [
      'a small box, in Collections and a time',
      {
        request: { bbox: [75, 15, 76.2, 16.2], collections: ['a_b_c', 'a_d_e1'], interval: WINDOW, limit: 10 },
        found: 10,
        index: /Index Only Scan using items_bounds/,
      },
    ],
    ['a shape', { request: { intersects: TRIANGLE, limit: 100 }, found: 7, index: GEOMETRY_INDEX }],
    ['a shape that crosses itself', { request: { intersects: BOW, limit: 100 }, found: 9, index: GEOMETRY_INDEX }],
    [
      'a filter',
      {
        request: { collections: ['a_b_c'], filter: parseCql2Text('gsd = 3 AND cloud < 20'), limit: 10 },
        found: 10,
        index: /Index Scan using items_search_collection/,
      },
    ],
    ['ids', { request: { ids: ['item 7', 'item 8', 'item 0'], limit: 10 }, found: 2, index: /items_id/ }],
    [
      'few Collections',
      { request: { collections: ['a_d_e1', 'a_d_e3'], limit: 10 }, found: 10, index: /items_search_collection/ },
    ],
  ])('by %s uses an index and no sequential scan', async (_name, { request, found, index }) => {
    const seen = await planned(request);
    expect(seen.plan).toMatch(index);
    expect(seen.plan).not.toMatch(/Seq Scan|Gather|JIT/);
    expect(seen.found).toBe(found);
  });

  it('counts from an index before it reads a page, but only if few Items match', async () => {
    const filter = parseCql2Text('gsd = 3');
    const counted = async (collection: string): Promise<readonly [matched: number | undefined, plan: string]> => {
      const counting = { collections: [collection], filter, limit: 1, withMatched: true, maxScannedItems: 1000 };
      const { matched } = await itemSearch(database).search(counting, form);
      const [text, values] = statements.at(-1) ?? ['', []];
      if (typeof text !== 'string') throw new Error('a count is planned for its values, so the statement has no name');
      return [matched, await linesOf(database, `explain (analyze, costs off) ${text}`, values)];
    };
    const [none, many] = await counted('a_b_c');
    expect(none).toBeUndefined();
    expect(many).toMatch(/Index Only Scan using items_search_collection[^\n]*rows=1001[^\n]*/);
    expect(many).toMatch(/Aggregate \(never executed\)/);
    const [some, few] = await counted('a_d_e1');
    expect(some).toBe(3);
    expect(few).not.toMatch(/never executed|Seq Scan/);
  });

  it('continues after a page with the same index, without reading earlier rows', async () => {
    const request: SearchRequest = { collections: ['a_b_c'], limit: 10 };
    const { next = '' } = await itemSearch(database).search(request, form);
    const { plan } = await planned({ ...request, cursor: next });
    expect(plan).toMatch(/Index Scan using items_search_collection[^\n]*\n\s*Index Cond: .*ROW\(start_key, id/);
  });
});
