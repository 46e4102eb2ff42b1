import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogStore } from '../catalog.ts';
import { type Database, openDatabase, type Statement, type Values } from '../database.ts';
import { migrate } from '../migrate.ts';
import { address, type Fresh, freshDatabase } from '../migrate.fixture.ts';
import { removeRegions } from './remove-regions.ts';

if (address === '')
  console.warn('skipped: lists among many regions: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

const ITEMS = `
  insert into headwater.items (collection_path, id, version, run_id, content)
  select 'a/b/c', 'item ' || n, 1, '0-' || lpad(n::text, 6, '0'), '{}' from generate_series(1, 20) as n;
  insert into headwater.items (collection_path, id, version, run_id, content, published_at)
  select 'regions/custom/region_' || lpad(n::text, 16, '0'), 'region ' || n, 1, '1-' || lpad(n::text, 6, '0'), '{}', now() - n * interval '1 hour'
  from generate_series(1, 20000) as n;
  insert into headwater.collections (path, parent, items)
  select 'regions/custom/region_' || lpad(n::text, 16, '0'), 'regions/custom', 1 from generate_series(1, 20000) as n;`;

describe.skipIf(address === '')('lists among many regions', () => {
  let fresh: Fresh;
  let database: Database;
  const statements: (readonly [text: string, values: Values])[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase('headwater_many_regions');
    database = openDatabase(fresh.connection);
    await migrate(database);
    await database.script(ITEMS);
  });
  afterAll(async () => {
    await database.close();
    await fresh.stop();
  });

  const planOf = async (text: string, values: Values): Promise<string> => {
    const lines = await database.rows<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  };

  it.each([
    ['tehsils', '0-000020', /items_run_of_tehsils/],
    ['regions', '1-020000', /items_run_of_regions/],
  ] as const)('read the newest Items of %s from a separate index', async (of, newest, index) => {
    const rows = async <T>(text: string | Statement, values: Values = []): Promise<readonly T[]> => {
      statements.push([typeof text === 'string' ? text : text.text, values]);
      return await database.rows<T>(text, values);
    };
    const found = await catalogStore({ ...database, rows }).newest({ runs: 3, of });
    expect([found.length, found[0]?.runId]).toEqual([3, newest]);
    const [text, values] = statements.at(-1) ?? ['', []];
    expect(await planOf(text, values)).toMatch(index);
    expect(await planOf(text, values)).not.toContain('Seq Scan');
  });

  it('lose only the oldest expired regions, up to the requested number, when regions are removed', async () => {
    const { paths, items } = await removeRegions(database, { ageMs: 3_600_000, most: 50 });
    expect([paths.length, items]).toEqual([50, 50]);
    expect(paths.every((path) => path >= 'regions/custom/region_0000000000019951')).toBe(true);
    const left = await database.first<{ n: number }>('select count(*)::int as n from headwater.items');
    expect(left).toEqual({ n: 19_970 });
  });
});
