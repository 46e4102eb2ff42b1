import { expect, it } from 'vitest';
import type { Sql } from './database.ts';
import { operatorLists } from './operator-lists.ts';

it('the count of layers and of tables joins the names of places only if the list has a search text', async () => {
  const counts: string[] = [];
  const sql: Sql = {
    rows: async () => [],
    first: async (text) => void counts.push(typeof text === 'string' ? text : text.text),
    run: async () => 0,
    script: async () => {},
  };
  const lists = operatorLists(sql);
  const part = { limit: 20, offset: 0 };
  for (const search of ['', 'ranchi']) {
    await lists.layers({ ...part, search });
    await lists.tables({ ...part, search });
  }
  expect(counts.map((text) => text.includes('headwater.tehsils'))).toEqual([false, false, true, true]);
});
