import type { CatalogStore, LayerFile, LayerRecord, PublishedItem, RunItem } from '@headwater/core';
import { isStorable } from '@headwater/core';
import { collectionReads } from './collection-reads.ts';
import type { Sql } from './database.ts';
import { isInt4 } from './guards.ts';

const ITEM_COLUMNS = 'id, collection_path as "collectionPath", version, run_id as "runId", content';
const ITEMS = `select ${ITEM_COLUMNS} from headwater.items`;
const FORMER = `${ITEMS} where (collection_path, id) =
  (select present_path, present_id from headwater.item_aliases where collection_path = $1 and id = $2)`;
const OF_RUN = `select ${ITEM_COLUMNS}, position, false as replaced from headwater.items where run_id = $1
  union all
  select ${ITEM_COLUMNS}, position, true as replaced from headwater.replaced_items where run_id = $1
  order by position, id`;
const LAYERS = `select workspace, layer_name as "layerName", dataset_name as "datasetName", layer_type as "layerType",
    tehsil_id as "tehsilId", item_id as "itemId", asset_key as "assetKey", style_key as "styleKey", version
  from headwater.layers`;

const LAYER_OF_RUN = `select layer_type as "layerType", asset_key as "assetKey" from headwater.layer_files
  where run_id = $1 and workspace = $2 and layer_name = $3`;

type ItemRow = Omit<PublishedItem, 'item'> & { readonly content: string };
type RunItemRow = ItemRow & Pick<RunItem, 'replaced'> & { readonly position: number };

function toItem({ content, ...row }: ItemRow): PublishedItem {
  const item: PublishedItem['item'] = JSON.parse(content);
  return { ...row, item };
}

function toRunItem({ id, collectionPath, version, runId, content, replaced }: RunItemRow): RunItem {
  return { ...toItem({ id, collectionPath, version, runId, content }), replaced };
}

/** Reads of what runs published, over PostgreSQL. */
export function catalogStore(sql: Sql): CatalogStore {
  return {
    item: async (...name) => {
      if (!name.every(isStorable)) return undefined;
      const present = await sql.first<ItemRow>(`${ITEMS} where collection_path = $1 and id = $2`, name);
      const row = present ?? (await sql.first<ItemRow>(FORMER, name));
      return row === undefined ? undefined : toItem(row);
    },
    itemsOfRun: async (runId) => {
      if (!isStorable(runId)) return [];
      return (await sql.rows<RunItemRow>(OF_RUN, [runId])).map(toRunItem);
    },
    itemsOf: async (collectionPath) => {
      if (!isStorable(collectionPath)) return [];
      const rows = await sql.rows<ItemRow>(`${ITEMS} where collection_path = $1 order by id`, [collectionPath]);
      return rows.map(toItem);
    },
    ...collectionReads(sql),
    layer: async (workspace, layerName) => {
      if (!isStorable(workspace) || !isStorable(layerName)) return undefined;
      return await sql.first<LayerRecord>(`${LAYERS} where workspace = $1 and layer_name = $2`, [workspace, layerName]);
    },
    layerOfRun: async (runId, workspace, layerName) => {
      const values = [runId, workspace, layerName];
      return values.every(isStorable) ? await sql.first<LayerFile>(LAYER_OF_RUN, values) : undefined;
    },
    layersOf: async (tehsilId) =>
      isInt4(tehsilId)
        ? await sql.rows<LayerRecord>(
            `${LAYERS} where tehsil_id = $1 and not is_former order by workspace, layer_name`,
            [tehsilId],
          )
        : [],
  };
}
