import {
  checkData,
  type Deliverable,
  type ItemKey,
  publishedTehsils,
  type WithForm,
  type WriteOutcome,
} from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { storable } from '../guards.ts';
import { writeChangedTexts } from '../texts/write-texts.ts';
import { activate } from '../places/activate.ts';
import { lockCollections, noteCollections } from './collections.ts';
import { appendState } from './events.ts';
import type { Hold } from './ownership.ts';
import { checkFence } from './ownership.ts';
import { type DataToStore, dataToStore, joinedItems, storeData } from './publish-data.ts';
import { claimCollections, type ItemToStore, itemsToStore, storeItem } from './publish-items.ts';
import { layerToStore, storeLayer } from './publish-layers.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const SUCCEED = `update headwater.runs set state = 'success', progress = 1, item_ids = $2, timings = $3, inputs = $4,
    finished_at = clock_timestamp(), lease_until = null, data_count = $5
  where id = $1 returning ${RUN_COLUMNS}`;

/**
 * Checks the token, replaces Items, layers, tables and series, bumps versions and marks success: one transaction, all or
 * nothing; with a form also the texts of the Items that it changes. What is published of a tehsil makes it active. Throws `conflict` for names that belong to another place.
 */
export async function publish(
  database: Database,
  hold: Hold,
  { form, ...deliverable }: Deliverable & WithForm,
): Promise<WriteOutcome> {
  const items = itemsToStore(deliverable.items);
  const layers = deliverable.layers.map(layerToStore);
  checkData(deliverable);
  const data = dataToStore(deliverable);
  return await database.tx(async (sql) => {
    const outcome = await checkFence(sql, hold);
    if (outcome !== 'ok') return outcome;
    await claimCollections(sql, items);
    const paths = await lockChanged(sql, items, data);
    for (const item of items) await storeItem(sql, item, hold.id);
    for (const layer of layers) await storeLayer(sql, layer, hold.id);
    for (const each of data) await storeData(sql, each, hold.id);
    await noteCollections(sql, paths);
    if (form !== undefined) await writeChangedTexts(sql, form, changedItems(deliverable));
    await activate(sql, publishedTehsils(deliverable));
    await succeed(sql, hold.id, deliverable);
    return 'ok';
  });
}

/**
 * Locks the Collections whose Items this publication changes, those that tables join included. Returns their paths. An Item that a table joins
 * may take another name while this waits for a lock, so the names are read again until all their Collections are locked.
 */
async function lockChanged(
  sql: Sql,
  items: readonly ItemToStore[],
  data: readonly DataToStore[],
): Promise<readonly string[]> {
  const paths = new Set<string>();
  let keys = [...items.flatMap((item) => [item, ...item.formerly]), ...(await joinedItems(sql, data))];
  while (keys.length > 0) {
    const more = keys.map(({ collectionPath }) => collectionPath);
    await lockCollections(sql, more);
    for (const path of more) paths.add(path);
    keys = (await joinedItems(sql, data)).filter(({ collectionPath }) => !paths.has(collectionPath));
  }
  return [...paths];
}

/** Items that are replaced, and earlier ones that get the addresses of a table. */
function changedItems({ items, tables = [] }: Deliverable): readonly ItemKey[] {
  return [...items, ...tables.flatMap(({ earlierItem }) => (earlierItem === undefined ? [] : [earlierItem]))];
}

async function succeed(sql: Sql, id: string, deliverable: Deliverable): Promise<void> {
  const { items, timings, inputs, tables = [], series = [] } = deliverable;
  const itemIds = JSON.stringify(items.map((item) => item.id));
  const told = inputs === undefined ? null : storable('inputs', inputs);
  const row = await sql.first<RunRow>(SUCCEED, [
    id,
    itemIds,
    JSON.stringify(timings),
    told,
    tables.length + series.length,
  ]);
  if (row !== undefined) await appendState(sql, toRun(row));
}
