import { placeSlug } from '@headwater/stac';
import type { LayerRecord } from '../ports/catalog.ts';
import type {
  LayerSearch,
  ListedLayer,
  ListedRun,
  ListedTable,
  OpenWork,
  OperatorLists,
  OperatorPage,
  OperatorPart,
  RunCounts,
  RunOrder,
  RunSearch,
  TableSearch,
} from '../ports/operator-lists.ts';
import type { PlaceStore, TehsilNames } from '../ports/places.ts';
import type { Run } from '../ports/runs.ts';
import { keyOf, type CatalogTables, type ItemRow } from './catalog-tables.ts';
import { byText, copy } from './copy.ts';
import { openRuns } from './run-table.ts';
import { partsOf, type PublishedTables } from './unpublish.ts';

interface Listed extends Omit<PublishedTables, 'table'> {
  readonly table: { readonly runs: ReadonlyMap<string, Run>; readonly nowMs: () => number };
  readonly places: Pick<PlaceStore, 'namesOf'>;
}

/** Builds lists for operators from other stores in memory. */
export function memoryOperatorLists(stores: Listed): OperatorLists {
  const { table, catalog, data } = stores;
  const placeOf = placeReader(stores);
  return {
    runs: async (query) => {
      const all = await Promise.all([...table.runs.values()].map((run) => listedRun(run, placeOf)));
      const found = all.filter((run) => isWanted(run, query));
      return cut(found.sort(RUN_ORDERS[query.order ?? 'created']), query);
    },
    openWork: async (most) => openWork(table, most),
    runCounts: async (endedMs) => runCounts(table, endedMs),
    layers: async (query) => {
      const present = [...catalog.layers.values()].flatMap(({ layer, isFormer }) => (isFormer ? [] : [layer]));
      const all = await Promise.all(present.map((layer) => listedLayer(catalog, layer, placeOf)));
      const found = all.filter(
        (layer) =>
          layer.layerType === (query.layerType ?? layer.layerType) &&
          layer.datasetName === (query.datasetName ?? layer.datasetName) &&
          (query.state === undefined || layer.place?.state === query.state) &&
          hasWords(query.search, layerTexts(layer)),
      );
      return cut(found.sort(LAYER_ORDERS[query.order ?? 'name']), query);
    },
    layerDatasets: async () => {
      const present = [...catalog.layers.values()].filter(({ isFormer }) => !isFormer);
      return [...new Set(present.map(({ layer }) => layer.datasetName))].sort(byText).slice(0, 200);
    },
    layer: async (workspace, layerName) => {
      const found = catalog.layers.get(keyOf(workspace, layerName))?.layer;
      if (found === undefined) return undefined;
      const row = itemOf(catalog, found);
      const names = row === undefined ? { layers: [], tables: [], series: [] } : partsOf(stores, row).names;
      const versions = [...catalog.items.values(), ...catalog.replaced].flatMap(
        ({ item: { id, collectionPath, ...item } }) =>
          id === row?.item.id && collectionPath === row.item.collectionPath
            ? [{ runId: item.runId, version: item.version }]
            : [],
      );
      const sorted = versions.sort((a, b) => b.version - a.version || byText(b.runId, a.runId));
      return copy({ ...(await listedLayer(catalog, found, placeOf)), ...names, versions: sorted });
    },
    tables: async (query) => {
      const all = await Promise.all(
        [...data.tables.values()].map(async (each): Promise<ListedTable> => {
          const { name, tehsilId, rowCount, version, runId, publishedAt } = each;
          return { name, tehsilId, rowCount, version, runId, publishedAt, place: await placeOf(tehsilId) };
        }),
      );
      const found = all.filter(({ place, name }) => hasWords(query.search, [...placeTexts(place), name]));
      return cut(found.sort(TABLE_ORDERS[query.order ?? 'name']), query);
    },
  };
}

type PlaceOf = (tehsilId: unknown) => Promise<TehsilNames | null>;

function placeReader({ places }: Pick<Listed, 'places'>): PlaceOf {
  return async (tehsilId) => (typeof tehsilId === 'number' ? ((await places.namesOf([tehsilId]))[0] ?? null) : null);
}

function cut<T>(sorted: readonly T[], { limit, offset, isDescending = false }: OperatorPart): OperatorPage<T> {
  const ordered = isDescending ? sorted.toReversed() : sorted;
  return copy({ rows: ordered.slice(offset, offset + limit), total: sorted.length });
}

function hasWords(search: string | undefined, texts: readonly string[]): boolean {
  const text = texts.join(' ').toLowerCase();
  const words = (search ?? '').toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}

const placeTexts = (place: TehsilNames | null): readonly string[] =>
  place === null ? [] : [place.state, place.district, place.tehsil];

async function listedRun(run: Run, placeOf: PlaceOf): Promise<ListedRun> {
  const { id, pipeline, ownerId, backend, state, progress, createdAt, startedAt, finishedAt } = run;
  const place = await placeOf(run.params['tehsilId']);
  return { id, pipeline, ownerId, backend, state, progress, createdAt, startedAt, finishedAt, place };
}

function isWanted({ id, ownerId, place, ...run }: ListedRun, query: RunSearch): boolean {
  const { state = run.state, pipeline = run.pipeline, backend = run.backend, search } = query;
  if (run.state !== state || run.pipeline !== pipeline || run.backend !== backend) return false;
  if (search === undefined) return true;
  const isThere = search.slug !== '' && placeTexts(place).some((name) => placeSlug(name).includes(search.slug));
  return id === search.id || isThere || (ownerId !== null && search.ownerIds.includes(ownerId));
}

const duration = ({ startedAt, finishedAt }: ListedRun): number =>
  startedAt === null || finishedAt === null ? 0 : Date.parse(finishedAt) - Date.parse(startedAt);

// Sorting is stable, so equal runs stay in the order of their arrival.
const RUN_ORDERS: Readonly<Record<RunOrder, (a: ListedRun, b: ListedRun) => number>> = {
  created: () => 0,
  duration: (a, b) => duration(a) - duration(b),
  state: (a, b) => byText(a.state, b.state),
};

function openWork(table: Listed['table'], most: number): OpenWork {
  const { nowMs } = table;
  const open = openRuns(table);
  const queued = open.filter(({ state }) => state === 'queued');
  const count = (of: readonly Run[], state: Run['state']): number => of.filter((run) => run.state === state).length;
  const owners = [...Map.groupBy(open, ({ ownerId }) => ownerId)].map(([ownerId, of]) => ({
    ownerId,
    queued: count(of, 'queued'),
    running: count(of, 'running'),
  }));
  const number = (id: number | null): number => id ?? Number.POSITIVE_INFINITY;
  owners.sort((a, b) => b.queued + b.running - a.queued - a.running || number(a.ownerId) - number(b.ownerId));
  return {
    queued: queued.length,
    running: open.length - queued.length,
    oldestAt: queued[0]?.createdAt ?? null,
    owners: owners.length,
    most: owners.slice(0, most),
    workers: workersOf(open, nowMs()),
  };
}

function workersOf(open: readonly Run[], nowMs: number): number {
  const held = open.filter(({ leaseUntil }) => leaseUntil !== null && Date.parse(leaseUntil) > nowMs);
  return new Set(held.flatMap(({ workerId }) => workerId ?? [])).size;
}

function runCounts(table: Listed['table'], endedMs: number): RunCounts {
  const { runs, nowMs } = table;
  const open = openRuns(table);
  const ended = [...runs.values()].filter(
    ({ finishedAt }) => finishedAt !== null && Date.parse(finishedAt) > nowMs() - endedMs,
  );
  const groups = Map.groupBy([...open, ...ended], ({ pipeline, state }) => JSON.stringify([pipeline, state]));
  const counts = [...groups.values()].flatMap((of) =>
    of.slice(0, 1).map(({ pipeline, state }) => ({ pipeline, state, count: of.length })),
  );
  const isReady = ({ state, after }: Run): boolean => state === 'queued' && !open.some(({ id }) => after.includes(id));
  const waiting = open.filter(isReady);
  return {
    runs: counts.sort((a, b) => byText(a.pipeline, b.pipeline) || byText(a.state, b.state)),
    waiting: waiting.length,
    oldestAt: waiting[0]?.createdAt ?? null,
    workers: workersOf(open, nowMs()),
  };
}

function itemOf({ items }: CatalogTables, { itemId }: LayerRecord): ItemRow | undefined {
  return [...items.values()].find(({ item }) => item.id === itemId);
}

async function listedLayer(catalog: CatalogTables, layer: LayerRecord, placeOf: PlaceOf): Promise<ListedLayer> {
  const row = itemOf(catalog, layer);
  const { workspace, layerName, datasetName, layerType, tehsilId, itemId, assetKey, styleKey, version } = layer;
  return {
    workspace,
    layerName,
    datasetName,
    layerType,
    tehsilId,
    itemId,
    assetKey,
    styleKey,
    version,
    collectionPath: row?.item.collectionPath ?? null,
    runId: row?.item.runId ?? null,
    publishedAt: row?.updated ?? null,
    place: await placeOf(tehsilId),
  };
}

const layerTexts = ({ place, datasetName, workspace, layerName }: ListedLayer): readonly string[] => [
  ...placeTexts(place),
  datasetName,
  workspace,
  layerName,
];

type Compare<T> = (a: T, b: T) => number;

const byLayerName: Compare<ListedLayer> = (a, b) =>
  byText(a.workspace, b.workspace) || byText(a.layerName, b.layerName);
const LAYER_ORDERS: Readonly<Record<NonNullable<LayerSearch['order']>, Compare<ListedLayer>>> = {
  name: byLayerName,
  dataset: (a, b) => byText(a.datasetName, b.datasetName) || byLayerName(a, b),
  version: (a, b) => a.version - b.version || byLayerName(a, b),
  published: (a, b) => byText(a.publishedAt ?? '', b.publishedAt ?? '') || byLayerName(a, b),
};

const byTableName: Compare<ListedTable> = (a, b) => byText(a.name, b.name) || a.tehsilId - b.tehsilId;
const TABLE_ORDERS: Readonly<Record<NonNullable<TableSearch['order']>, Compare<ListedTable>>> = {
  name: byTableName,
  rows: (a, b) => a.rowCount - b.rowCount || byTableName(a, b),
  version: (a, b) => a.version - b.version || byTableName(a, b),
  published: (a, b) => byText(a.publishedAt, b.publishedAt) || byTableName(a, b),
};
