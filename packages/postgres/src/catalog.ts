import type {
  CatalogStore,
  DatedLayer,
  ItemVersion,
  LayerFile,
  ListedRegion,
  PublishedTehsil,
  RunItem,
  TitledItem,
} from '@headwater/core/ports';
import { FEATURE_SHAPE } from '@headwater/core/pipelines';
import { isStorable } from '@headwater/core/values';
import type { LayerRecord, PublishedItem } from '@headwater/core';
import type { Sql, Statement } from './database.ts';
import { isInt4, iso } from './guards.ts';
import { IN_REGION, IN_TEHSIL } from './runs/remove-regions.ts';
import { parseExtent, parseMembers, type Summed } from './runs/collections.ts';

const LEAVES = 'select path from headwater.collections where items > 0 order by path limit $1';
const TEHSILS = `select path, items, extent::json #> '{spatial,bbox,0}' as box from headwater.collections
  where items > 0 and path not like 'regions/custom/%' order by path`;
const REGIONS_FOUND = `${IN_REGION} and ($1 = '' or strpos(collection_path, $1) > 0)`;
const REGIONS = `with page as (select collection_path as path, count(*)::int as items, max(published_at) as at
    from headwater.items where ${REGIONS_FOUND} group by collection_path order by at desc, path limit $2 offset $3)
  select page.path, page.items, c.extent::json #> '{spatial,bbox,0}' as box, ${iso('page.at')} as "publishedAt"
  from page left join headwater.collections c on c.path = page.path order by page.at desc, page.path`;
const COUNT_REGIONS = `select count(distinct collection_path)::int as total from headwater.items where ${REGIONS_FOUND}`;
/** Selects the Collection, and only the paths of its children. */
const LEVEL = `select path, case when path = $1 then extent end as extent, case when path = $1 then members end as members
  from headwater.collections
  where path = $1 or parent = $1 order by path`;

/** Reads Collections without the contents of Items. */
export function collectionReads(
  sql: Sql,
): Pick<CatalogStore, 'collections' | 'collection' | 'publishedTehsils' | 'listRegions'> {
  return {
    collections: async (most) => {
      const rows = await sql.rows<{ path: string }>(LEAVES, [most ?? null]);
      return rows.map(({ path }) => path);
    },
    publishedTehsils: async () => await sql.rows<PublishedTehsil>(TEHSILS),
    listRegions: async ({ text, limit, offset }) => {
      if (!isStorable(text)) return { regions: [], total: 0 };
      const regions = await sql.rows<ListedRegion>(REGIONS, [text, limit, offset]);
      return { regions, total: (await sql.first<{ total: number }>(COUNT_REGIONS, [text]))?.total ?? 0 };
    },
    collection: async (path) => {
      if (!isStorable(path)) return undefined;
      const rows = await sql.rows<Summed & { readonly path: string }>(LEVEL, [path]);
      if (rows.length === 0) return undefined;
      const own = rows.find((row) => row.path === path);
      const children = rows.filter((row) => row !== own).map((row) => row.path);
      const members = parseMembers(own?.members ?? null);
      return { path, extent: parseExtent(own?.extent ?? null), members, children };
    },
  };
}

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
/**
 * Layers of a tehsil. A layer has the id of its Item but no path, so the join uses the id. If several Items have this
 * id, the first path is used. Dates and shape come from columns, because the content is long.
 */
const LAYERS_OF: Statement = {
  name: 'headwater_layers_of',
  text: `select l.*, ${iso('i.start_datetime')} as start, ${iso('i.end_datetime')} as end, i.shape
  from (${LAYERS} where tehsil_id = $1 and not is_former and workspace = coalesce($2, workspace)) l
  left join lateral (select start_datetime, end_datetime,
      case when jsonb_typeof(shape) = 'string' then shape #>> '{}' end as shape
    from (select start_datetime, end_datetime, properties -> '${FEATURE_SHAPE}' as shape
      from headwater.items where id = l."itemId" order by collection_path limit 1) first) i on true
  order by l.workspace, l."layerName"`,
};
/**
 * Digest of a tehsil's layers. It changes with each publication, because the key of a file contains run and attempt.
 */
const LAYERS_VERSION: Statement = {
  name: 'headwater_layers_version',
  text: `select coalesce(md5(string_agg(json_build_array(workspace, layer_name, version, asset_key)::text, ','
    order by workspace, layer_name)), '') as version
  from headwater.layers where tehsil_id = $1 and not is_former`,
};
const LAYER_OF_RUN = `select layer_type as "layerType", asset_key as "assetKey" from headwater.layer_files
  where run_id = $1 and workspace = $2 and layer_name = $3`;

const LIST = `select id, collection_path as "collectionPath", version, run_id as "runId",
    case when json_typeof(content::json #> '{properties,title}') = 'string' then content::json #>> '{properties,title}' end as title
  from headwater.items where collection_path = $1 order by start_datetime desc, id desc limit $2 offset $3`;

/**
 * Present Items of the newest runs, found with one index search per run. `offset 0` keeps the inner query separate.
 * Without it, and without statistics of the table, the planner would join all Items.
 */
const newestSql = (which: string, older: string): string => `with recursive newest (run_id, n) as (
    (select i.run_id, 1 from headwater.items i where i.${which} ${older} order by i.run_id desc limit 1)
    union all
    select (select i.run_id from headwater.items i where i.${which} and i.run_id < newest.run_id order by i.run_id desc limit 1), n + 1
    from newest where newest.run_id is not null and n < $1)
  select i.id, i.collection_path as "collectionPath", i.version, i.run_id as "runId" from newest cross join lateral
    (select id, collection_path, version, run_id, position from headwater.items where ${which} and run_id = newest.run_id offset 0) i
  order by n, i.position, i.id`;
const NEWEST = {
  tehsils: [newestSql(IN_TEHSIL, ''), newestSql(IN_TEHSIL, 'and i.run_id < $2')],
  regions: [newestSql(IN_REGION, ''), newestSql(IN_REGION, 'and i.run_id < $2')],
} as const;

type ItemRow = Omit<PublishedItem, 'item'> & { readonly content: string };
type RunItemRow = ItemRow & Pick<RunItem, 'replaced'> & { readonly position: number };

function toItem({ content, ...row }: ItemRow): PublishedItem {
  const item: PublishedItem['item'] = JSON.parse(content);
  return { ...row, item };
}

function toRunItem({ id, collectionPath, version, runId, content, replaced }: RunItemRow): RunItem {
  return { ...toItem({ id, collectionPath, version, runId, content }), replaced };
}

/** Reads of published Items, Collections and layers in PostgreSQL. */
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
    listOf: async (collectionPath, { limit, offset }) =>
      isStorable(collectionPath) ? await sql.rows<TitledItem>(LIST, [collectionPath, limit, offset]) : [],
    newest: async ({ runs, before, of = 'tehsils' }) => {
      const [all, older] = NEWEST[of];
      if (before === undefined) return await sql.rows<ItemVersion>(all, [runs]);
      return isStorable(before) ? await sql.rows<ItemVersion>(older, [runs, before]) : [];
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
    layersOf: async (tehsilId, workspace) =>
      isInt4(tehsilId) && (workspace === undefined || isStorable(workspace))
        ? await sql.rows<DatedLayer>(LAYERS_OF, [tehsilId, workspace ?? null])
        : [],
    layersVersionOf: async (tehsilId) =>
      isInt4(tehsilId) ? ((await sql.first<{ version: string }>(LAYERS_VERSION, [tehsilId]))?.version ?? '') : '',
  };
}
