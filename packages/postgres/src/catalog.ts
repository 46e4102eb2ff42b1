import type { CatalogStore, LayerFile, LayerRecord, PublishedItem } from '@headwater/core';
import { isStorable } from '@headwater/core';
import { collectionReads } from './collection-reads.ts';
import type { Sql } from './database.ts';
import { isInt4 } from './guards.ts';

const ITEM_COLUMNS = 'id, collection_path as "collectionPath", version, run_id as "runId", content';
const ITEMS = `select ${ITEM_COLUMNS} from headwater.items`;
const LAYERS = `select workspace, layer_name as "layerName", dataset_name as "datasetName", layer_type as "layerType",
    tehsil_id as "tehsilId", item_id as "itemId", asset_key as "assetKey", style_key as "styleKey", version
  from headwater.layers`;

const LAYER_OF_RUN = `select layer_type as "layerType", asset_key as "assetKey" from headwater.layer_files
  where run_id = $1 and workspace = $2 and layer_name = $3`;

type ItemRow = Omit<PublishedItem, 'item'> & { readonly content: string };

function toItem({ content, ...row }: ItemRow): PublishedItem {
  const item: PublishedItem['item'] = JSON.parse(content);
  return { ...row, item };
}

/** Reads of what runs published, over PostgreSQL. */
export function catalogStore(sql: Sql): CatalogStore {
  const first = async (text: string, values: readonly string[]): Promise<PublishedItem | undefined> => {
    const row = values.every(isStorable) ? await sql.first<ItemRow>(text, values) : undefined;
    return row === undefined ? undefined : toItem(row);
  };
  return {
    item: async (collectionPath, id) =>
      await first(`${ITEMS} where collection_path = $1 and id = $2`, [collectionPath, id]),
    itemById: async (id) => await first(`${ITEMS} where id = $1 order by collection_path limit 1`, [id]),
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
        ? await sql.rows<LayerRecord>(`${LAYERS} where tehsil_id = $1 order by workspace, layer_name`, [tehsilId])
        : [],
  };
}
