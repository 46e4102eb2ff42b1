import { eoAccountField, type LayerRecord, type Run, yearFields } from '@headwater/core';
import { accountProblem } from '@headwater/core/places';
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

/** Maximum number of newest runs that are considered. `MOST_PLACES`: maximum number of places. */
const NEWEST_RUNS = 200;
const MOST_PLACES = 8;
const MOST_ITEMS = 500;

interface ExamplePlace extends FoundTehsil {
  readonly layers: readonly DatedLayer[];
  readonly runId: string | undefined;
}

/**
 * The place with the most kinds of layers, because most requests succeed there. Among equal places, the featured
 * place comes first, then the place with the most new Items. Without layers, the first tehsil.
 */
async function examplePlace({ stores, featured }: Ports<'featured' | 'stores'>): Promise<ExamplePlace | undefined> {
  const versions = await stores.catalog.newest({ runs: NEWEST_RUNS });
  const byPlace = [...Map.groupBy(versions, (version) => version.collectionPath)];
  const busiest = byPlace.sort(([, a], [, b]) => b.length - a.length).slice(0, MOST_PLACES);
  const paths = new Set([...(featured === undefined ? [] : [featured]), ...busiest.map(([path]) => path)]);
  const found = await Promise.all(Array.from(paths, (path) => findTehsilByPath(stores.places, path.split('/'))));
  const candidates = await Promise.all(
    found
      .filter((place) => place !== undefined)
      .map(async (place) => ({ ...place, layers: await stores.catalog.layersOf(place.ids[2]) })),
  );
  const [most] = candidates
    .filter(({ layers }) => layers.length > 0)
    .sort((a, b) => kindsOf(b.layers) - kindsOf(a.layers));
  const place = most ?? (await firstTehsil(stores.places));
  if (place === undefined) return undefined;
  const [state, district, tehsil] = place.names;
  const items = await stores.catalog.listOf(collectionPath(state, district, tehsil), { limit: MOST_ITEMS, offset: 0 });
  // The newest run, because the ids of runs increase with time.
  const [runId] = items.map((item) => item.runId).sort((a, b) => (a < b ? 1 : -1));
  return { ...place, layers: most?.layers ?? [], runId };
}

/** Number of data sets. A data set counts once, even with layers of several years. */
const kindsOf = (layers: readonly DatedLayer[]): number => new Set(layers.map(({ datasetName }) => datasetName)).size;

/** Finds names of this service that replace the names in the examples. Rejects if a store fails. */
export async function findExampleNames(
  deps: Ports<'accounts' | 'featured' | 'stores' | 'workService'>,
): Promise<KnownNames> {
  const { stores } = deps;
  const place = await examplePlace(deps);
  if (place === undefined) return NOTHING_KNOWN;
  const { layers, runId } = place;
  const run = runId === undefined ? undefined : await stores.runs.get(runId);
  const [table] = await stores.data.tablesOf(place.ids[2]);
  const accounts = (await stores.eoAccounts.list()).filter(
    ({ isVisible, visibleTo }) => isVisible && visibleTo === 'all',
  );
  const account = accounts.find((each) => accountProblem(each, new Date()) === undefined) ?? accounts[0];
  const values = [
    ...placeValues(place),
    ...(await layerValues(place, stores.catalog)),
    ...(runId === undefined ? [] : [[`id=${EXAMPLE_RUN}`, runId] as const]),
    ...(table === undefined ? [] : [[`name=${EXAMPLE_TABLE}`, table.name] as const]),
  ];
  return {
    note: noteOn(place),
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

function noteOn({ names, layers }: ExamplePlace): string {
  const [, , tehsil] = names;
  return layers.length === 0
    ? `The examples use the names of ${tehsil}. No layer of it is published yet, so the names of Items, files and layers are invented.`
    : `The examples use the names and years of the published layers of ${tehsil} (layers: ${layers.length}), so a copied request to compute a layer includes all published years. If a request needs a layer that is not published, it is refused with 409. The error names the request that computes the layer.`;
}

interface PublishedHere {
  readonly tehsilId: number;
  readonly layers: readonly LayerRecord[];
  readonly table: TableHead | undefined;
}

/** Returns the keys of `KnownNames.absent`. Commands of successful examples with these keys are not shown. */
async function absentHere(
  { stores, accounts, workService }: Ports<'accounts' | 'stores' | 'workService'>,
  { tehsilId, layers, table }: PublishedHere,
): Promise<readonly string[]> {
  const { mws, villages } = await stores.lookups.unitsBelow(tehsilId);
  return [
    // Not looked up, because finding a point or a micro-watershed would read megabytes of boundaries.
    `latitude=${EXAMPLE_POINT.latitude}`,
    `mws_id=${EXAMPLE_UID}`,
    `uid=${EXAMPLE_UID}`,
    // The names of reference labels are not known here.
    'compute_validate',
    // Regions with scenes are not known here.
    'exportAsset',
    'exportAssetByQuery',
    // This service does not have the values of these examples.
    'earthEngineTaskStatus',
    'createWorkspace',
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

const layersAbsent = (layers: readonly LayerRecord[]): readonly string[] =>
  KINDS.filter(([kind]) => lastOf(layers, kind) === undefined).flatMap(([kind, parameters]) => {
    const { workspace, name } = EXAMPLE_LAYERS[kind];
    return [
      `name=${EXAMPLE_FILES[kind]}`,
      ...parameters.map((parameter) => `${parameter}=${workspace}:${name}`),
      ...fileNamesOf(name).map(([file]) => file),
      `layer=${name}`,
      `feature=${name}.1`,
    ];
  });

const KINDS = [
  ['raster', ['CoverageId']],
  ['vector', ['typeName', 'typeNames', 'collection']],
] as const;
const ENDINGS = ['json', 'pmtiles', 'qml'] as const;

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

/**
 * First and last year of the place's layers. With fewer years, running the example would replace the layers by layers
 * of fewer years.
 */
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
    ...KINDS.flatMap(([kind, parameters]) => namesOf(lastOf(layers, kind), kind, parameters)),
    ...generatedName(lastOf(layers, 'raster'), slugs),
  ];
}

/** Value of `layer_name` in requests: the Item's id without place and year. */
function generatedName(layer: LayerRecord | undefined, slugs: FoundTehsil['slugs']): Values {
  const place = `${slugs.map(idSlug).join('_')}_`;
  const dataset = datasetOf(layer);
  if (dataset?.startsWith(place) !== true) return [];
  return [[`layer_name=${EXAMPLE_DATASET}`, dataset.slice(place.length)]];
}

/** Id of an Item without its year; undefined if it has no year. */
const datasetOf = (layer: LayerRecord | undefined): string | undefined => /^(.+)_\d{4}$/.exec(layer?.itemId ?? '')?.[1];

/** Names of a layer's files in the example, with their names in this service. */
const fileNamesOf = (name: string, layerName = name): Values =>
  ENDINGS.map((ending) => [`file=${name}.${ending}`, `${layerName}.${ending}`]);

function namesOf(layer: LayerRecord | undefined, kind: 'raster' | 'vector', parameters: readonly string[]): Values {
  if (layer === undefined) return [];
  const { workspace, name } = EXAMPLE_LAYERS[kind];
  return [
    [`workspace=${workspace}`, layer.workspace],
    [`layer_name=${name}`, layer.layerName],
    [`layer=${name}`, layer.layerName],
    [`feature=${name}.1`, `${layer.layerName}.1`],
    ...fileNamesOf(name, layer.layerName),
    ...parameters.map((each) => [`${each}=${workspace}:${name}`, `${layer.workspace}:${layer.layerName}`] as const),
  ];
}

function assetOf(item: Readonly<Record<string, unknown>>, { assetKey }: LayerRecord): string {
  const assets = Object.entries(Object(item['assets']) as object);
  const found = assets.find(([, asset]) => String(Reflect.get(Object(asset), 'href')).endsWith(assetKey));
  return found?.[0] ?? 'data';
}
