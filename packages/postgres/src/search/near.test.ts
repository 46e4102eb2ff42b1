import type { ItemForm, SearchRequest } from '@headwater/core/ports';
import { parseCql2Text } from '@headwater/cql2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { address, type Fresh, freshDatabase } from '../migrate.fixture.ts';
import { itemSearch } from './item-search.ts';

if (address === '')
  console.warn('skipped: searches of small places: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

/** Database of this test. Its Items are 3,000 triangles within two degrees; some Items have no outline or no time. */
const NAME = 'headwater_near';
const ITEMS = `
  insert into headwater.items (collection_path, id, version, run_id, position, content, geometry, start_datetime, end_datetime)
  select 'a/b/' || n % 3, 'item ' || n, 1, 'r', 0, json_build_object('id', 'item ' || n, 'properties', json_build_object('gsd', n % 7))::text,
    case when n % 50 = 0 then null else ST_SetSRID(ST_MakePolygon(ST_MakeLine(array[ST_Point(x, y), ST_Point(x + 0.1, y), ST_Point(x, y + 0.1), ST_Point(x, y)])), 4326) end,
    case when n % 40 = 0 then null else timestamptz '2020-01-01Z' + n * 37 % 100 * interval '1 day' end,
    case when n % 40 = 0 then null else timestamptz '2020-01-05Z' + n * 37 % 100 * interval '1 day' end
  from (select n, 70 + case when n % 4 = 0 then 2 else 0.5 end * (n * 7919 % 3000) / 3000.0 as x, 10 + case when n % 4 = 0 then 2 else 0.5 end * (n * 104729 % 3000) / 3000.0 as y
    from generate_series(1, 3000) n) placed;
  analyze headwater.items;`;
const form: ItemForm = { name: 'ids', text: ({ collectionPath, id }) => `${collectionPath} ${id}` };
const WINDOW = { start: '2020-02-01T00:00:00Z', end: '2020-02-20T00:00:00Z' };
const FEW = [71.2, 11.2, 71.9, 11.9] as const;
const MANY = [70.1, 10.1, 70.4, 10.4] as const;

describe.skipIf(address === '')('a search of a small place', () => {
  let fresh: Fresh;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase(NAME);
    database = openDatabase(fresh.connection);
    await migrate(database);
    await database.script(ITEMS);
  });
  afterAll(async () => {
    await database.close();
    await fresh.stop();
  });

  async function all(request: SearchRequest): Promise<readonly string[]> {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await itemSearch(database).search(cursor === undefined ? request : { ...request, cursor }, form);
      found.push(...page.items.map(({ text }) => text));
      cursor = page.next;
    } while (cursor !== undefined);
    return found;
  }

  async function expected([west, south, east, north]: readonly number[], more: string): Promise<readonly string[]> {
    const rows = await database.rows<{ text: string }>(
      `select collection_path || ' ' || id as text from headwater.items
       where st_intersects(geometry, st_makeenvelope($1, $2, $3, $4, 4326)) and ${more} order by start_key desc, id desc, collection_id desc`,
      [west ?? 0, south ?? 0, east ?? 0, north ?? 0],
    );
    return rows.map(({ text }) => text);
  }

  it.each([
    ['few Items', FEW],
    ['more Items than the index limit', MANY],
  ] as const)('with %s returns the same as a scan of the rows, in order, over all pages', async (_name, bbox) => {
    const found = await all({ bbox: [...bbox], limit: 40 });
    expect(found).toEqual(await expected(bbox, 'true'));
    expect(found.length > 500).toBe(bbox === MANY);
    expect(found.length).toBeGreaterThan(40);
    const request = { bbox: [...bbox], limit: 7 };
    expect(await all({ ...request, collections: ['a_b_1'] })).toEqual(
      await expected(bbox, `collection_path = 'a/b/1'`),
    );
    expect(await all({ ...request, collections: ['a_b_1', 'a_b_2'] })).toEqual(
      await expected(bbox, `collection_path <> 'a/b/0'`),
    );
    expect(await all({ ...request, interval: WINDOW })).toEqual(
      await expected(bbox, `start_datetime <= '2020-02-20Z' and end_datetime >= '2020-02-01Z'`),
    );
    expect(await all({ ...request, filter: parseCql2Text('gsd = 3') })).toEqual(
      await expected(bbox, `(properties ->> 'gsd')::int = 3`),
    );
    const ids = found.slice(0, 20).map((text) => text.slice(text.indexOf(' ') + 1));
    expect(await all({ ...request, ids })).toEqual(found.slice(0, 20));
  });

  it('finds the same Items for another sort order, and finds all Items of a larger box', async () => {
    const bbox = [...FEW];
    const latest = await all({ bbox, limit: 40 });
    const byId = await all({ bbox, limit: 40, sort: [{ property: 'id', direction: 'asc' }] });
    expect(byId).not.toEqual(latest);
    expect(new Set(byId)).toEqual(new Set(latest));
    expect(await all({ bbox: [60, 5, 80, 20], limit: 1000 })).toEqual(await expected([60, 5, 80, 20], 'true'));
  });
});
