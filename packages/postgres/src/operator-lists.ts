import type {
  ItemVersion,
  LayerSearch,
  ListedLayer,
  ListedRun,
  ListedTable,
  OpenOwner,
  OpenWork,
  OperatorLists,
  OperatorPage,
  OperatorPart,
  RunCounts,
  RunSearch,
  TableSearch,
} from '@headwater/core/ports';
import type { TehsilNames } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import type { Sql, Values } from './database.ts';
import { isInt4, iso } from './guards.ts';
import { wholeNumber } from './runs/events.ts';
import { READY } from './runs/fair-order.ts';
import { partsOf } from './runs/unpublish.ts';

interface List {
  readonly from: string;
  readonly where: string;
  readonly orderedBy?: string;
  readonly values: Values;
  /** Key columns of a matching row. `joins` uses them to join other tables. */
  readonly key: string;
  readonly columns: string;
  readonly joins: string;
  readonly order: readonly string[];
}

/** Selects the keys of the page first, so that wide rows are read only for the page. */
async function read<T>(sql: Sql, list: List, { limit, offset, isDescending = false }: OperatorPart) {
  const { from, where, orderedBy = '', values, key, columns, joins } = list;
  const order = list.order.map((each) => `${each} ${isDescending ? 'desc' : 'asc'}`).join(', ');
  const [limitAt, offsetAt] = [values.length + 1, values.length + 2];
  const page = `with page as materialized (select k.*, row_number() over () as n from (
      select ${key} ${from} ${orderedBy} ${where} order by ${order} limit $${limitAt}::bigint offset $${offsetAt}::bigint) as k)
    select ${columns} from page ${joins} order by page.n`;
  const [rows, count] = await Promise.all([
    sql.rows<T>(page, [...values, wholeNumber(limit), wholeNumber(offset)]),
    sql.first<{ readonly total: number }>(`select count(*)::int as total ${from} ${where}`, values),
  ]);
  return { rows, total: count?.total ?? 0 };
}

const NONE = { rows: [], total: 0 };

const PLACE_COLUMNS = 't.id as "placeId", s.name as "stateName", d.name as "districtName", t.name as "tehsilName"';
const placesOf = (tehsilId: string): string => `left join headwater.tehsils t on t.id = ${tehsilId}
    left join headwater.districts d on d.id = t.district_id left join headwater.states s on s.id = d.state_id`;

interface PlaceRow {
  readonly placeId: number | null;
  readonly stateName: string;
  readonly districtName: string;
  readonly tehsilName: string;
}

function withPlace<T extends PlaceRow>({ placeId: tehsilId, stateName, districtName, tehsilName, ...row }: T) {
  const names = { state: stateName, district: districtName, tehsil: tehsilName };
  const place: TehsilNames | null = tehsilId === null ? null : { tehsilId, ...names };
  return { ...row, place };
}

function patternsOf(search = ''): readonly string[] {
  const words = search.toLowerCase().split(/\s+/);
  return words.filter((word) => word !== '').map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}

/** Lists for operators in PostgreSQL. */
export function operatorLists(sql: Sql): OperatorLists {
  return {
    runs: async (query) => await runs(sql, query),
    openWork: async (most) => await openWork(sql, most),
    runCounts: async (endedMs) => await runCounts(sql, endedMs),
    layers: async (query) => await layers(sql, query),
    layerDatasets: async () => (await sql.rows<{ name: string }>(LAYER_DATASETS)).map(({ name }) => name),
    layer: async (workspace, layerName) => {
      if (!isStorable(workspace) || !isStorable(layerName)) return undefined;
      const row = await sql.first<ListedLayer & PlaceRow>(ONE_LAYER, [workspace, layerName]);
      if (row === undefined) return undefined;
      const layer = withPlace(row);
      const { collectionPath, itemId: id } = layer;
      const none = { layers: [], tables: [], series: [], versions: [] };
      const parts = collectionPath === null ? undefined : await partsOf(sql, { collectionPath, id });
      if (parts === undefined) return { ...layer, ...none };
      const versions = await sql.rows<Pick<ItemVersion, 'runId' | 'version'>>(VERSIONS, [collectionPath, id]);
      return { ...layer, layers: parts.layers, tables: parts.tables, series: parts.series, versions };
    },
    tables: async (query) => await tables(sql, query),
  };
}

const RUN_COLUMNS = `r.id, r.pipeline, r.owner_id as "ownerId", r.backend, r.state, r.progress::float8 as progress,
    ${iso('r.created_at')} as "createdAt", ${iso('r.started_at')} as "startedAt", ${iso('r.finished_at')} as "finishedAt", ${PLACE_COLUMNS}`;
const RUN_ORDERS: Readonly<Record<NonNullable<RunSearch['order']>, readonly string[]>> = {
  created: ['r.seq'],
  duration: [`coalesce(r.finished_at - r.started_at, interval '0')`, 'r.seq'],
  state: ['r.state collate "C"', 'r.seq'],
};
const TEHSILS = (slug: string): string => `select t.id from headwater.tehsils t
    join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id
    where strpos(t.slug, ${slug}) > 0 or strpos(d.slug, ${slug}) > 0 or strpos(s.slug, ${slug}) > 0`;

async function runs(sql: Sql, query: RunSearch): Promise<OperatorPage<ListedRun>> {
  const { state, pipeline, backend, search, order = 'created' } = query;
  const values: Values[number][] = [];
  const at = (value: Values[number]): string => `$${values.push(value)}`;
  const conditions = [
    ...(state === undefined ? [] : [`r.state collate "C" = ${at(state)}`]),
    ...(pipeline === undefined ? [] : [`r.pipeline = ${at(pipeline)}`]),
    ...(backend === undefined ? [] : [`r.backend = ${at(backend)}`]),
  ];
  if (search !== undefined) {
    const { id, ownerIds, slug } = search;
    if (!isStorable(id) || !isStorable(slug)) return NONE;
    const owners = `{${ownerIds.filter(isInt4).join(',')}}`;
    // Each select reads an index; one select with `or` would test every run.
    const either = [`r.id = ${at(id)}`, `r.owner_id = any (${at(owners)}::int[])`];
    if (slug !== '') either.push(`headwater.run_tehsil(r.params) = any (array(${TEHSILS(`${at(slug)}::text`)}))`);
    const found = either.map((each) => `select r.seq from headwater.runs r where ${each}`);
    conditions.push(`r.seq = any (array(${found.join(' union ')}))`);
  }
  if (pipeline !== undefined && !isStorable(pipeline)) return NONE;
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const list: List = {
    from: 'from headwater.runs r',
    where,
    values,
    key: 'r.seq',
    columns: RUN_COLUMNS,
    joins: `join headwater.runs r on r.seq = page.seq ${placesOf('headwater.run_tehsil(r.params)')}`,
    order: RUN_ORDERS[order],
  };
  const { rows, total } = await read<ListedRun & PlaceRow>(sql, list, query);
  return { rows: rows.map(withPlace), total };
}

const IS_OPEN = `state in ('queued', 'running')`;
const OPEN = `select count(*) filter (where state = 'queued')::int as queued, count(*) filter (where state = 'running')::int as running,
    ${iso(`min(created_at) filter (where state = 'queued')`)} as "oldestAt",
    count(distinct coalesce(owner_id::bigint, 2147483648))::int as owners,
    count(distinct worker_id) filter (where lease_until > clock_timestamp())::int as workers
  from headwater.runs where ${IS_OPEN}`;
const OWNERS = `select owner_id as "ownerId", count(*) filter (where state = 'queued')::int as queued,
    count(*) filter (where state = 'running')::int as running
  from headwater.runs where ${IS_OPEN} group by owner_id order by count(*) desc, owner_id nulls last limit $1::bigint`;
const NO_WORK = { queued: 0, running: 0, oldestAt: null, owners: 0, workers: 0 };

async function openWork(sql: Sql, most: number): Promise<OpenWork> {
  const [open = NO_WORK, owners] = await Promise.all([
    sql.first<Omit<OpenWork, 'most'>>(OPEN),
    sql.rows<OpenOwner>(OWNERS, [wholeNumber(most)]),
  ]);
  return { ...open, most: owners };
}

/** Reads the indexes of open and of ended runs, so old runs cost no time. */
const COUNTS = `select pipeline, state, count(*)::int as count from (
    select pipeline, state from headwater.runs where ${IS_OPEN}
    union all
    select pipeline, state from headwater.runs
      where finished_at is not null and finished_at > clock_timestamp() - $1::float8 * interval '1 millisecond') r
  group by pipeline, state order by pipeline collate "C", state collate "C"`;
const WAITING = `select count(*) filter (where state = 'queued' and ${READY})::int as waiting,
    ${iso(`min(created_at) filter (where state = 'queued' and ${READY})`)} as "oldestAt",
    count(distinct worker_id) filter (where lease_until > clock_timestamp())::int as workers
  from headwater.runs r where ${IS_OPEN}`;

async function runCounts(sql: Sql, endedMs: number): Promise<RunCounts> {
  const [runs, waiting = { waiting: 0, oldestAt: null, workers: 0 }] = await Promise.all([
    sql.rows<RunCounts['runs'][number]>(COUNTS, [endedMs]),
    sql.first<Omit<RunCounts, 'runs'>>(WAITING),
  ]);
  return { runs, ...waiting };
}

const LAYER_COLUMNS = `l.workspace, l.layer_name as "layerName", l.dataset_name as "datasetName", l.layer_type as "layerType",
    l.tehsil_id as "tehsilId", l.item_id as "itemId", l.asset_key as "assetKey", l.style_key as "styleKey", l.version,
    i.collection_path as "collectionPath", i.run_id as "runId", ${iso('i.published_at')} as "publishedAt", ${PLACE_COLUMNS}`;
const ITEM = `left join lateral (select collection_path, run_id, published_at from headwater.items
    where id = l.item_id order by collection_path limit 1) i on true`;
const ONE_LAYER = `select ${LAYER_COLUMNS} from headwater.layers l ${ITEM} ${placesOf('l.tehsil_id')}
  where l.workspace = $1 and l.layer_name = $2`;
const VERSIONS = `select run_id as "runId", version from (
    select run_id, version from headwater.items where collection_path = $1 and id = $2
    union all
    select run_id, version from headwater.replaced_items where collection_path = $1 and id = $2) v
  order by version desc, run_id collate "C" desc`;
const LAYER_DATASETS = `select distinct dataset_name collate "C" as name from headwater.layers where not is_former order by name limit 200`;
const LAYER_NAME = ['l.workspace', 'l.layer_name'];
const LAYER_ORDERS: Readonly<Record<NonNullable<LayerSearch['order']>, readonly string[]>> = {
  name: LAYER_NAME,
  dataset: ['l.dataset_name collate "C"', ...LAYER_NAME],
  version: ['l.version', ...LAYER_NAME],
  published: [`coalesce(i.published_at, '-infinity')`, ...LAYER_NAME],
};

const TEHSILS_OF = (state: string): string => `select t.id from headwater.tehsils t
    join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id where s.name = ${state}`;

async function layers(sql: Sql, query: LayerSearch): Promise<OperatorPage<ListedLayer>> {
  const { search, layerType, datasetName, state, order = 'name' } = query;
  if (![search, datasetName, state].every((text) => isStorable(text ?? ''))) return NONE;
  const patterns = patternsOf(search);
  const hasWords = `lower(concat_ws(' ', s.name, d.name, t.name, l.dataset_name, l.workspace, l.layer_name)) like all ($2::text[])`;
  const list: List = {
    from: `from headwater.layers l ${patterns.length === 0 ? '' : placesOf('l.tehsil_id')}`,
    where: `where not l.is_former and ($1::text is null or l.layer_type = $1::text)
      and ($3::text is null or l.dataset_name = $3::text) ${state === undefined ? '' : `and l.tehsil_id in (${TEHSILS_OF('$4::text')})`}
      and ${patterns.length === 0 ? 'cardinality($2::text[]) = 0' : hasWords}`,
    // Only the order by publication needs the Items.
    ...(order === 'published' && { orderedBy: 'left join headwater.items i on i.id = l.item_id' }),
    values: [layerType ?? null, patterns, datasetName ?? null, ...(state === undefined ? [] : [state])],
    key: 'l.workspace, l.layer_name',
    columns: LAYER_COLUMNS,
    joins: `join headwater.layers l using (workspace, layer_name) ${ITEM} ${placesOf('l.tehsil_id')}`,
    order: LAYER_ORDERS[order],
  };
  const { rows, total } = await read<ListedLayer & PlaceRow>(sql, list, query);
  return { rows: rows.map(withPlace), total };
}

const TABLE_NAME = ['h.name', 'h.tehsil_id'];
const TABLE_ORDERS: Readonly<Record<NonNullable<TableSearch['order']>, readonly string[]>> = {
  name: TABLE_NAME,
  rows: ['h.row_count', ...TABLE_NAME],
  version: ['h.version', ...TABLE_NAME],
  published: ['h.published_at', ...TABLE_NAME],
};
const TABLE_COLUMNS = `h.name, h.tehsil_id as "tehsilId", h.row_count as "rowCount", h.version, h.run_id as "runId",
    ${iso('h.published_at')} as "publishedAt", ${PLACE_COLUMNS}`;

async function tables(sql: Sql, query: TableSearch): Promise<OperatorPage<ListedTable>> {
  const { search, order = 'name' } = query;
  if (!isStorable(search ?? '')) return NONE;
  const patterns = patternsOf(search);
  const hasWords = `where lower(concat_ws(' ', s.name, d.name, t.name, h.name)) like all ($1::text[])`;
  const list: List = {
    from: `from headwater.data_tables h ${patterns.length === 0 ? '' : placesOf('h.tehsil_id')}`,
    where: patterns.length === 0 ? '' : hasWords,
    values: patterns.length === 0 ? [] : [patterns],
    key: 'h.id',
    columns: TABLE_COLUMNS,
    joins: `join headwater.data_tables h on h.id = page.id ${placesOf('h.tehsil_id')}`,
    order: TABLE_ORDERS[order],
  };
  const { rows, total } = await read<ListedTable & PlaceRow>(sql, list, query);
  return { rows: rows.map(withPlace), total };
}
