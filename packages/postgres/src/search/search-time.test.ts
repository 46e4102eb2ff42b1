import type { ItemForm, SearchRequest } from '@headwater/core/ports';
import type { Stores } from '@headwater/identity';
import { parseCql2Text } from '@headwater/cql2';
import pgPromise from 'pg-promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type PoolOptions } from '../database.ts';
import { migrate } from '../migrate.ts';
import { address, type Fresh, freshDatabase } from '../migrate.fixture.ts';
import { createPostgresStores, storesOver } from '../stores.ts';

if (address === '')
  console.warn('skipped: searches that take too long: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

/** The database has 20,000 Items with descriptions of 2,000 accented characters. */
const NAME = 'headwater_search_time';
const ITEMS = `
  insert into headwater.collection_names (id, path) values ('a_b_c', 'a/b/c');
  insert into headwater.items (collection_path, id, version, run_id, position, content, geometry, start_datetime, end_datetime)
  select 'a/b/c', 'item ' || n, 1, 'r', 0,
    json_build_object('id', 'item ' || n, 'properties', json_build_object('description', repeat('Süßes Wasser ' || n || ', ', 100)))::text,
    ST_MakeEnvelope(70, 10, 71, 11, 4326), timestamptz '2015-01-01Z' + n * interval '1 hour', timestamptz '2016-01-01Z' + n * interval '1 hour'
  from generate_series(1, 20000) as n;
  update headwater.items set sent_form = 'ids', sent_text = id;
  analyze headwater.items;`;

/** This filter is within the limits, takes minutes for these Items, and matches no Item. */
const NASTY = Array.from({ length: 33 }, (_, at) => `CASEI(ACCENTI(description)) LIKE '%_${at}%x%y%z%'`).join(' OR ');
const SLOW: SearchRequest = { filter: parseCql2Text(NASTY), limit: 10 };
const QUICK: SearchRequest = { collections: ['a_b_c'], limit: 1 };
const SMALL: SearchRequest = { filter: parseCql2Text("id = 'item 7'"), limit: 1 };
const form: ItemForm = { name: 'ids', text: ({ id }) => id };

describe.skipIf(address === '')('a search that takes too long', () => {
  let fresh: Fresh;
  const opened: Stores[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase(NAME);
    const database = openDatabase(fresh.connection);
    await migrate(database);
    await database.script(ITEMS);
    await database.close();
  }, 120_000);
  afterAll(async () => {
    await Promise.all(opened.map(async ({ close }) => await close()));
    await fresh.stop();
  });

  function open(options: PoolOptions): ReturnType<typeof openDatabase> & { readonly stores: Stores } {
    const database = openDatabase(fresh.connection, options);
    const stores = storesOver(database);
    opened.push(stores);
    return { ...database, stores };
  }

  it('is ended by the database with the error `took_too_long`, and its connection is used again', async () => {
    const { stores, searches } = open({ searchPoolSize: 1, searchTimeoutMs: 500 });
    const before = await searches.first<{ pid: number }>('select pg_backend_pid() as pid');
    await expect(stores.search.search(SLOW, form)).rejects.toMatchObject({
      code: 'took_too_long',
      message: expect.stringMatching(/^PostgreSQL database .* ended a search after 0.5 s: narrow the search/),
      details: { seconds: 0.5 },
    });
    expect((await stores.search.search(QUICK, form)).items).toHaveLength(1);
    expect(await searches.first('select pg_backend_pid() as pid')).toEqual(before);
  });

  it('does not delay other statements, which have separate connections and no such time limit', async () => {
    const { stores, first, searches } = open({ poolSize: 1, searchPoolSize: 8, searchTimeoutMs: 4000 });
    let ended = 0;
    const slow = Array.from({ length: 4 }, async () => {
      await expect(stores.search.search(SLOW, form)).rejects.toMatchObject({ code: 'took_too_long' });
      ended += 1;
    });
    for (let time = 0; time < 5; time += 1) {
      expect(await stores.search.item({ collectionId: 'a_b_c', id: 'item 7' }, form)).toMatchObject({ text: 'item 7' });
      expect(await stores.ping()).toMatchObject({ kind: 'postgresql' });
      // Costly filters may use only a quarter of the connections, so other searches still get a connection.
      for (const request of [QUICK, SMALL]) expect((await stores.search.search(request, form)).items).toHaveLength(1);
    }
    expect(await first('show statement_timeout')).toEqual({ statement_timeout: '0' });
    const busy = `select count(*)::int as busy from pg_stat_activity where datname = '${NAME}' and state = 'active' and query like '%octet_length%' and pid <> pg_backend_pid()`;
    expect(await first(busy)).toEqual({ busy: 2 });
    expect(ended).toBe(0);
    await Promise.all(slow);
    expect(await searches.first('show statement_timeout')).toEqual({ statement_timeout: '4s' });
  });

  it('is refused with a retry time if too many other searches are queued', async () => {
    const { stores } = open({ searchPoolSize: 1, searchTimeoutMs: 200 });
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => stores.search.search(SLOW, form)));
    const reasons = all.map((each): unknown => (each.status === 'rejected' ? each.reason : each));
    expect(reasons[0]).toMatchObject({ code: 'took_too_long' });
    // Any of the waiting searches may be refused, because their order is random.
    expect(reasons).toContainEqual(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringMatching(/Too many searches are running\. .*narrow the search/),
        details: { retryAfterSeconds: 1 },
      }),
    );
    expect((await stores.search.search(QUICK, form)).items).toHaveLength(1);
  });

  it('returns a page without the number of matches if only its count takes too long', async () => {
    const { stores } = open({ searchTimeoutMs: 2000 });
    // The search is fast, but the count takes some milliseconds for each Item.
    const filter = parseCql2Text("CASEI(ACCENTI(description)) LIKE '%susses wasser%'");
    const request = { filter, limit: 1, withMatched: true };
    const { items, matched, next } = await stores.search.search(request, form);
    expect([items.length, matched, typeof next]).toEqual([1, undefined, 'string']);
    expect(await stores.search.search({ ...request, ids: ['item 7'] }, form)).toMatchObject({ matched: 1 });
  });

  it('is also ended in the connection pool of a host application, and does not affect other statements', async () => {
    const handle = pgPromise({ noWarnings: true })({ ...fresh.connection, ssl: false, max: 1 });
    const { search, close } = await createPostgresStores({ handle, searchTimeoutMs: 500 });
    await expect(search.search(SLOW, form)).rejects.toMatchObject({ code: 'took_too_long' });
    expect((await search.search(QUICK, form)).items).toHaveLength(1);
    expect(await handle.one('show statement_timeout')).toEqual({ statement_timeout: '0' });
    await close();
    await handle.$pool.end();
  });
});
