import { checkData, layerTaken, publishedTehsils } from '@headwater/core/runs';
import type { Deliverable, ItemKey, NewLayer } from '@headwater/core';
import type { WithForm, WriteOutcome } from '@headwater/core/ports';
import type { Database, Sql } from '../database.ts';
import { int4, storable } from '../guards.ts';
import { activate } from '../places/activate.ts';
import { writeChangedTexts } from '../texts/write-texts.ts';
import { lockCollections, updateCollections } from './collections.ts';
import { appendState } from './events.ts';
import { checkFence, type Hold } from './ownership.ts';
import { dataToStore, type DataToStore, joinedItems, storeData } from './publish-data.ts';
import { claimCollections, itemsToStore, type ItemToStore, storeItem } from './publish-items.ts';
import { RUN_COLUMNS, type RunRow, toRun } from './rows.ts';

interface LayerToStore extends NewLayer {
  readonly formerly: readonly string[];
}

// The last condition protects layers of other tehsils: for their names, the statement changes no row.
const LAYER = `insert into headwater.layers as old
    (workspace, layer_name, dataset_name, layer_type, tehsil_id, item_id, asset_key, style_key, version)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 1)
  on conflict (workspace, layer_name) do update set version = old.version + 1, dataset_name = excluded.dataset_name,
    layer_type = excluded.layer_type, item_id = excluded.item_id, asset_key = excluded.asset_key,
    style_key = excluded.style_key, is_former = false
  where old.tehsil_id = excluded.tehsil_id`;

const FORMER = `update headwater.layers set version = version + 1, is_former = true,
    dataset_name = $3, layer_type = $4, item_id = $6, asset_key = $7, style_key = $8
  where workspace = $1 and layer_name = any ($9::text[]) and layer_name <> $2 and tehsil_id = $5`;

/** Inserts a row for each name of the layer, including former names. */
const FILES = `insert into headwater.layer_files (run_id, workspace, layer_name, layer_type, asset_key)
  select $1, workspace, layer_name, layer_type, asset_key from headwater.layers where workspace = $2 and asset_key = $3
  on conflict (run_id, workspace, layer_name) do update set layer_type = excluded.layer_type, asset_key = excluded.asset_key`;

function layerToStore(layer: NewLayer): LayerToStore {
  return {
    ...layer,
    workspace: storable('workspace', layer.workspace),
    layerName: storable('layerName', layer.layerName),
    datasetName: storable('datasetName', layer.datasetName),
    tehsilId: int4('tehsilId', layer.tehsilId),
    itemId: storable('itemId', layer.itemId),
    assetKey: storable('assetKey', layer.assetKey),
    styleKey: layer.styleKey === null ? null : storable('styleKey', layer.styleKey),
    formerly: (layer.formerly ?? []).map((name) => storable('layerName', name)),
  };
}

/** Stores a layer. Throws `conflict` for the name of another tehsil's layer. */
async function storeLayer(sql: Sql, { formerly, ...layer }: LayerToStore, runId: string): Promise<void> {
  const { workspace, layerName, datasetName, layerType, tehsilId, itemId, assetKey, styleKey } = layer;
  const values = [workspace, layerName, datasetName, layerType, tehsilId, itemId, assetKey, styleKey];
  if ((await sql.run(LAYER, values)) === 0) throw layerTaken(workspace, layerName);
  if (formerly.length > 0) await sql.run(FORMER, [...values, formerly]);
  await sql.run(FILES, [runId, workspace, assetKey]);
}

const SUCCEED = `update headwater.runs set state = 'success', progress = 1, item_ids = $2, timings = $3, inputs = $4,
    finished_at = clock_timestamp(), lease_until = null, data_count = $5
  where id = $1 returning ${RUN_COLUMNS}`;

/**
 * Publishes a run in one transaction: checks the fencing token, stores all results, activates tehsils, and ends the
 * run. With `form`, also writes the response texts (see `ItemForm`). Throws `conflict` for names of another place.
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
    const paths = await lockChanged(sql, items, data);
    // Names are reserved after the lock, because otherwise the removal of a region could remove the reserved names.
    await claimCollections(sql, items);
    for (const item of items) await storeItem(sql, item, hold.id);
    for (const layer of layers) await storeLayer(sql, layer, hold.id);
    for (const each of data) await storeData(sql, each, hold.id);
    await updateCollections(sql, paths);
    if (form !== undefined) await writeChangedTexts(sql, form, changedItems(deliverable));
    await activate(sql, publishedTehsils(deliverable));
    await succeed(sql, hold.id, deliverable);
    return 'ok';
  });
}

/**
 * Locks the Collections of all changed Items. Reads the names again after each wait for a lock, because an Item may be
 * renamed meanwhile.
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

function changedItems({ items, tables = [] }: Deliverable): readonly ItemKey[] {
  return [...items, ...tables.flatMap(({ earlierItem }) => (earlierItem === undefined ? [] : [earlierItem]))];
}

/** Ends a run as a success. The caller must have checked the fencing token in this transaction. */
export async function succeed(sql: Sql, id: string, deliverable: Deliverable): Promise<void> {
  const { items, timings, inputs, tables = [], series = [] } = deliverable;
  const itemIds = JSON.stringify(items.map((item) => item.id));
  const storedInputs = inputs === undefined ? null : storable('inputs', inputs);
  const row = await sql.first<RunRow>(SUCCEED, [
    id,
    itemIds,
    JSON.stringify(timings),
    storedInputs,
    tables.length + series.length,
  ]);
  if (row !== undefined) await appendState(sql, toRun(row));
}
