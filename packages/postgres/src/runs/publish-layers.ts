import type { NewLayer } from '@headwater/core';
import { layerTaken } from '@headwater/core';
import type { Sql } from '../database.ts';
import { int4, storable } from '../guards.ts';

/** A layer that is ready to be written. */
export interface LayerToStore extends NewLayer {
  readonly formerly: readonly string[];
}

// The condition is the refusal: a row of another tehsil is not touched, and the count of rows tells.
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

/** One row for each name of the layer. */
const FILES = `insert into headwater.layer_files (run_id, workspace, layer_name, layer_type, asset_key)
  select $1, workspace, layer_name, layer_type, asset_key from headwater.layers where workspace = $2 and asset_key = $3
  on conflict (run_id, workspace, layer_name) do update set layer_type = excluded.layer_type, asset_key = excluded.asset_key`;

/** A layer with every text checked. Throws `validation` naming the field that cannot be stored. */
export function layerToStore(layer: NewLayer): LayerToStore {
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

/** Writes a layer of a run, and its file under the names that it had. Throws `conflict` for the name of another tehsil's layer. */
export async function storeLayer(sql: Sql, { formerly, ...layer }: LayerToStore, runId: string): Promise<void> {
  const { workspace, layerName, datasetName, layerType, tehsilId, itemId, assetKey, styleKey } = layer;
  const values = [workspace, layerName, datasetName, layerType, tehsilId, itemId, assetKey, styleKey];
  if ((await sql.run(LAYER, values)) === 0) throw layerTaken(workspace, layerName);
  if (formerly.length > 0) await sql.run(FORMER, [...values, formerly]);
  await sql.run(FILES, [runId, workspace, assetKey]);
}
