import type { Deliverable, LayerRecord, WriteOutcome } from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { int4, storable } from '../guards.ts';
import { fromGeoJson } from '../places/geometry.ts';
import { lockCollections, noteCollections } from './collections.ts';
import { appendState } from './events.ts';
import type { IndexedItem } from './item-index.ts';
import { indexItem } from './item-index.ts';
import type { Hold } from './ownership.ts';
import { checkFence } from './ownership.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const ITEM = `insert into headwater.items as old
    (collection_path, id, version, run_id, content, geometry, start_datetime, end_datetime)
  values ($1, $2, 1, $3, $4, ${fromGeoJson('$5::text')}, $6::timestamptz, $7::timestamptz)
  on conflict (collection_path, id) do update set version = old.version + 1, run_id = excluded.run_id,
    content = excluded.content, geometry = excluded.geometry,
    start_datetime = excluded.start_datetime, end_datetime = excluded.end_datetime`;

const LAYER = `insert into headwater.layers as old
    (workspace, layer_name, dataset_name, layer_type, tehsil_id, item_id, asset_key, style_key, version)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 1)
  on conflict (workspace, layer_name) do update set version = old.version + 1, dataset_name = excluded.dataset_name,
    layer_type = excluded.layer_type, tehsil_id = excluded.tehsil_id, item_id = excluded.item_id,
    asset_key = excluded.asset_key, style_key = excluded.style_key`;

const LAYER_FILE = `insert into headwater.layer_files (run_id, workspace, layer_name, layer_type, asset_key)
  values ($1, $2, $3, $4, $5)
  on conflict (run_id, workspace, layer_name) do update set layer_type = excluded.layer_type, asset_key = excluded.asset_key`;

const SUCCEED = `update headwater.runs set state = 'success', progress = 1, item_ids = $2, timings = $3, inputs = $4,
    finished_at = clock_timestamp(), lease_until = null
  where id = $1 returning ${RUN_COLUMNS}`;

/** Checks the token, replaces Items and layers, bumps versions and marks success: one transaction, all or nothing. */
export async function publish(database: Database, hold: Hold, deliverable: Deliverable): Promise<WriteOutcome> {
  const items = deliverable.items.map(indexItem);
  const layers = deliverable.layers.map(layerValues);
  return await database.tx(async (sql) => {
    const outcome = await checkFence(sql, hold);
    if (outcome !== 'ok') return outcome;
    const paths = items.map(({ collectionPath }) => collectionPath);
    await lockCollections(sql, paths);
    for (const item of inLockOrder(items)) await sql.run(ITEM, itemValues(item, hold.id));
    await noteCollections(sql, paths);
    for (const layer of layers) await sql.run(LAYER, layer);
    for (const { workspace, layerName, layerType, assetKey } of deliverable.layers)
      await sql.run(LAYER_FILE, [hold.id, workspace, layerName, layerType, assetKey]);
    await succeed(sql, hold.id, deliverable);
    return 'ok';
  });
}

async function succeed(sql: Sql, id: string, { items, timings, inputs }: Deliverable): Promise<void> {
  const itemIds = JSON.stringify(items.map((item) => item.id));
  const told = inputs === undefined ? null : storable('inputs', inputs);
  const row = await sql.first<RunRow>(SUCCEED, [id, itemIds, JSON.stringify(timings), told]);
  if (row !== undefined) await appendState(sql, toRun(row));
}

/** Two runs that publish the same Items lock them in the same order, so that neither waits for the other in a circle. */
function inLockOrder(items: readonly IndexedItem[]): readonly IndexedItem[] {
  const key = ({ collectionPath, id }: IndexedItem): string => `${collectionPath}\n${id}`;
  return [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function itemValues(item: IndexedItem, runId: string): (string | null)[] {
  return [item.collectionPath, item.id, runId, item.content, item.geometry, item.start, item.end];
}

function layerValues(layer: Omit<LayerRecord, 'version'>): (string | number | null)[] {
  return [
    storable('workspace', layer.workspace),
    storable('layerName', layer.layerName),
    storable('datasetName', layer.datasetName),
    layer.layerType,
    int4('tehsilId', layer.tehsilId),
    storable('itemId', layer.itemId),
    storable('assetKey', layer.assetKey),
    layer.styleKey === null ? null : storable('styleKey', layer.styleKey),
  ];
}
