import { eoAccountField, type LayerRecord, type Run, yearFields } from '@headwater/core';
import type { TableHead, DatedLayer } from '@headwater/core/ports';
import { collectionId, collectionPath, idSlug } from '@headwater/stac';
import type { Ports, ServiceDeps } from '../../../deps.ts';
import { findTehsilByPath, firstTehsil, type FoundTehsil } from '../../../items/first-tehsil.ts';
import { publishedYears } from '../../../layers/layer-years.ts';
import { type KnownNames, NOTHING_KNOWN } from '../../../pages/known-names.ts';
import {
  EXAMPLE_COLLECTION,
  EXAMPLE_DATASET,
  EXAMPLE_FILES,
  EXAMPLE_ITEM,
  EXAMPLE_LAYERS,
  EXAMPLE_NAMES,
  EXAMPLE_PLACE,
  EXAMPLE_POINT,
  EXAMPLE_RUN,
  EXAMPLE_TABLE,
  EXAMPLE_UID,
} from '../../../rows/example-world.ts';
import { wireName } from '../../../wire/names.ts';

/** Newest runs whose places are looked at, and how many of these. */
const RUNS_SEEN = 200;
const MOST_PLACES = 8;
/** Items among which a place's newest run is looked for. */
const MOST_ITEMS = 500;

/** A place that examples may be asked of. */
interface ExamplePlace extends FoundTehsil {
  /** Its layers; none where nothing of it is published. */
  readonly layers: readonly DatedLayer[];
  /** The newest run that published an Item of it. */
  readonly runId: string | undefined;
}

/**
 * The place of which most kinds of layers are published: there most requests find what they need. Of several the featured one (the
 * sample), else the one published last. Where nothing is published, the first of the directory; undefined where that has none.
 */
async function examplePlace({ stores, featured }: Ports<'featured' | 'stores'>): Promise<ExamplePlace | undefined> {
  const versions = await stores.catalog.newest({ runs: RUNS_SEEN });
  const byPlace = [...Map.groupBy(versions, (version) => version.collectionPath)];
  const busiest = byPlace.sort(([, a], [, b]) => b.length - a.length).slice(0, MOST_PLACES);
  const paths = new Set([...(featured === undefined ? [] : [featured]), ...busiest.map(([path]) => path)]);
  const found = await Promise.all(Array.from(paths, (path) => findTehsilByPath(stores.places, path.split('/'))));
  const held = await Promise.all(
    found
      .filter((place) => place !== undefined)
      .map(async (place) => ({ ...place, layers: await stores.catalog.layersOf(place.ids[2]) })),
  );
  const [most] = held.filter(({ layers }) => layers.length > 0).sort((a, b) => kindsOf(b.layers) - kindsOf(a.layers));
  const place = most ?? (await firstTehsil(stores.places));
  if (place === undefined) return undefined;
  const [state, district, tehsil] = place.names;
  const items = await stores.catalog.listOf(collectionPath(state, district, tehsil), { limit: MOST_ITEMS, offset: 0 });
  // Ids of runs grow with time.
  const [runId] = items.map((item) => item.runId).sort((a, b) => (a < b ? 1 : -1));
  return { ...place, layers: most?.layers ?? [], runId };
}

/** Layers of one data set for several years are one kind. */
const kindsOf = (layers: readonly DatedLayer[]): number => new Set(layers.map(({ datasetName }) => datasetName)).size;

/** Names of the place of which most is published here, else of the first of the directory. Rejects where the stores do. */
export async function knownHere(deps: Ports<'accounts' | 'featured' | 'stores' | 'workService'>): Promise<KnownNames> {
  const { stores } = deps;
  const place = await examplePlace(deps);
  if (place === undefined) return NOTHING_KNOWN;
  const { layers, runId } = place;
  const run = runId === undefined ? undefined : await stores.runs.get(runId);
  const [table] = await stores.data.tablesOf(place.ids[2]);
  const [account] = (await stores.eoAccounts.list()).filter(({ isVisible }) => isVisible);
  const values = [
    ...placeValues(place),
    ...(await layerValues(place, stores.catalog)),
    ...(runId === undefined ? [] : [[`id=${EXAMPLE_RUN}`, runId] as const]),
    ...(table === undefined ? [] : [[`name=${EXAMPLE_TABLE}`, table.name] as const]),
  ];
  return {
    told: toldOf(place),
    values: new Map(values),
    files: new Map(
      KINDS.flatMap(([kind]) => {
        const layer = lastOf(layers, kind);
        return layer === undefined
          ? []
          : [[`${EXAMPLE_RUN}/${EXAMPLE_FILES.token}/${EXAMPLE_FILES[kind]}`, layer.assetKey]];
      }),
    ),
    absent: new Set(await absentHere(deps, { tehsilId: place.ids[2], layers, table })),
    body: {
      ...Object.fromEntries(LEVELS.map((level, at) => [level, place.names[at] ?? ''])),
      ...yearsHere(place, run),
      ...(account === undefined ? {} : { [wireName(ACCOUNT)]: account.id }),
    },
  };
}

function toldOf({ names, layers }: ExamplePlace): string {
  const [, , tehsil] = names;
  return layers.length === 0
    ? `They have the names of ${tehsil}; no layer of it is published yet, so names of Items, files and layers are made up.`
    : `They have the names of what is published of ${tehsil} (layers: ${layers.length}), and its years, so that pasting one leaves no year out. What needs a layer that is not published there is refused with 409 and the request that makes it.`;
}

interface HeldHere {
  readonly tehsilId: number;
  readonly layers: readonly LayerRecord[];
  readonly table: TableHead | undefined;
}

async function absentHere(
  { stores, accounts, workService }: Ports<'accounts' | 'stores' | 'workService'>,
  { tehsilId, layers, table }: HeldHere,
): Promise<readonly string[]> {
  const { mws, villages } = await stores.lookups.unitsBelow(tehsilId);
  return [
    // Nobody looks for a point of a place, or for one of its micro-watersheds: boundaries can be megabytes.
    `latitude=${EXAMPLE_POINT.latitude}`,
    `mws_id=${EXAMPLE_UID}`,
    `uid=${EXAMPLE_UID}`,
    // Nor for labels that lie on a layer of its own.
    'compute_validate',
    // Nor for a region of which there are scenes.
    'exportAsset',
    'exportAssetByQuery',
    ...(workService.jobs === undefined ? ['startJob'] : []),
    ...(datasetOf(lastOf(layers, 'raster')) === undefined ? ['generateStacCollection'] : []),
    ...(accounts.sendsMail ? [] : ['forgotPassword']),
    ...(layers.length > 0 && table === undefined ? [`name=${EXAMPLE_TABLE}`] : []),
    ...(layers.length > 0 ? layersAbsent(layers) : []),
    ...(table === undefined ? ['getTehsilData'] : []),
    ...(mws ? [] : ['getMwsGeometries']),
    ...(villages ? [] : ['getVillageGeometries']),
  ];
}

/** Files and layers of the examples of which this place has no kind. */
const layersAbsent = (layers: readonly LayerRecord[]): readonly string[] =>
  KINDS.filter(([kind]) => lastOf(layers, kind) === undefined).flatMap(([kind, parameter]) => {
    const { workspace, name } = EXAMPLE_LAYERS[kind];
    return [`name=${EXAMPLE_FILES[kind]}`, `${parameter}=${workspace}:${name}`];
  });

/** Kinds of layers, and the parameters by which the map server is asked for one. */
const KINDS = [
  ['raster', 'CoverageId'],
  ['vector', 'typeName'],
] as const;

type Values = readonly (readonly [string, string])[];

const LEVELS = ['state', 'district', 'block'] as const;
const [ACCOUNT = ''] = Object.keys(eoAccountField);

function placeValues({ slugs, ids }: FoundTehsil): Values {
  return [
    ...LEVELS.map((level, at) => [`${level}=${EXAMPLE_PLACE[level]}`, slugs[at] ?? ''] as const),
    [`tehsil=${EXAMPLE_NAMES.tehsil}`, slugs[2] ?? ''],
    ...['collection_id', 'collections'].map(
      (name) => [`${name}=${EXAMPLE_COLLECTION}`, collectionId(slugs.join('/'))] as const,
    ),
    ['state_id=1', String(ids[0])],
    ['district_id=1', String(ids[1])],
  ];
}

/** All years that layers of the place have, since a request for fewer would replace them; else those that its newest run computed. */
function yearsHere({ layers }: ExamplePlace, run: Run | undefined): Readonly<Record<string, number>> {
  const published = publishedYears(layers);
  const years = Object.keys(yearFields).flatMap((field, at) => {
    const value: unknown = published?.[at] ?? Reflect.get(Object(run?.params), field);
    return typeof value === 'number' ? [[wireName(field), value] as const] : [];
  });
  return Object.fromEntries(years);
}

const lastOf = (layers: readonly LayerRecord[], kind: LayerRecord['layerType']): LayerRecord | undefined =>
  layers.findLast(({ layerType }) => layerType === kind);

async function layerValues(
  { layers, slugs }: ExamplePlace,
  catalog: ServiceDeps['stores']['catalog'],
): Promise<Values> {
  const shown = lastOf(layers, 'raster') ?? lastOf(layers, 'vector');
  const item = shown === undefined ? undefined : await catalog.item(slugs.join('/'), shown.itemId);
  return [
    ...(item === undefined || shown === undefined
      ? []
      : ([
          ...['item', 'item_id', 'ids'].map((name) => [`${name}=${EXAMPLE_ITEM}`, shown.itemId] as const),
          ['asset=cog', assetOf(item.item, shown)],
        ] as const)),
    ...KINDS.flatMap(([kind, parameter]) => namesOf(lastOf(layers, kind), kind, parameter)),
    ...generatedName(lastOf(layers, 'raster'), slugs),
  ];
}

/** What clients of the live system call the layer whose documents they ask for: the Item's id without the place before it and the year behind it. */
function generatedName(layer: LayerRecord | undefined, slugs: FoundTehsil['slugs']): Values {
  const place = `${slugs.map(idSlug).join('_')}_`;
  const dataset = datasetOf(layer);
  if (dataset?.startsWith(place) !== true) return [];
  return [[`layer_name=${EXAMPLE_DATASET}`, dataset.slice(place.length)]];
}

/** Id of a layer's Item without its year; undefined where it has none. */
const datasetOf = (layer: LayerRecord | undefined): string | undefined => /^(.+)_\d{4}$/.exec(layer?.itemId ?? '')?.[1];

function namesOf(layer: LayerRecord | undefined, kind: 'raster' | 'vector', parameter: string): Values {
  if (layer === undefined) return [];
  const { workspace, name } = EXAMPLE_LAYERS[kind];
  return [
    [`workspace=${workspace}`, layer.workspace],
    [`layer_name=${name}`, layer.layerName],
    [`${parameter}=${workspace}:${name}`, `${layer.workspace}:${layer.layerName}`],
  ];
}

/** Key of the Item's asset that is the layer's file. */
function assetOf(item: Readonly<Record<string, unknown>>, { assetKey }: LayerRecord): string {
  const assets = Object.entries(Object(item['assets']) as object);
  const found = assets.find(([, asset]) => String(Reflect.get(Object(asset), 'href')).endsWith(assetKey));
  return found?.[0] ?? 'data';
}
