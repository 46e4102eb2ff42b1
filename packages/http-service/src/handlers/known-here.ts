import { eoAccountField, type LayerRecord, type Run, type TableHead, yearFields } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import {
  EXAMPLE_FILES,
  EXAMPLE_ITEM,
  EXAMPLE_LAYERS,
  EXAMPLE_NAMES,
  EXAMPLE_PLACE,
  EXAMPLE_POINT,
  EXAMPLE_RUN,
  EXAMPLE_TABLE,
  EXAMPLE_UID,
} from '../example-world.ts';
import { type KnownNames, NOTHING_KNOWN } from '../known-names.ts';
import { GEOMETRY_LAYERS } from '../wire/geometry-layers.ts';
import { wireName } from '../wire/names.ts';
import { firstTehsil, type FoundTehsil, type Places } from './first-tehsil.ts';

/** Names of what was published here last, else of a tehsil of the directory. Rejects where the stores do. */
export async function knownHere(deps: ServiceDeps): Promise<KnownNames> {
  const { stores } = deps;
  // Not the newest run: one may publish nothing but tables, or stand for others.
  const [item] = await stores.catalog.newest({ runs: 1 });
  const run = item === undefined ? undefined : await stores.runs.get(item.runId);
  const published = item === undefined ? undefined : await alongPath(stores.places, item.collectionPath.split('/'));
  const place = published ?? (await firstTehsil(stores.places));
  if (place === undefined) return NOTHING_KNOWN;
  const layers = published === undefined ? [] : await stores.catalog.layersOf(place.ids[2]);
  const [table] = await stores.data.tablesOf(place.ids[2]);
  const [account] = (await stores.eoAccounts.list()).filter(({ isVisible }) => isVisible);
  const values = [
    ...placeValues(place),
    ...(await layerValues(layers, place, stores.catalog)),
    ...(run === undefined ? [] : [[`id=${EXAMPLE_RUN}`, run.id] as const]),
    ...(table === undefined ? [] : [[`name=${EXAMPLE_TABLE}`, table.name] as const]),
  ];
  return {
    told:
      layers.length === 0
        ? `They have the names of ${place.names[2]}; nothing is published of it yet, so names of Items, files and layers are made up.`
        : `They have the names of what is published of ${place.names[2]}.`,
    values: new Map(values),
    absent: new Set(await absentHere(deps, { tehsilId: place.ids[2], layers, table })),
    body: {
      ...Object.fromEntries(LEVELS.map((level, at) => [level, place.names[at] ?? ''])),
      ...(run === undefined ? {} : yearsOf(run)),
      ...(account === undefined ? {} : { [wireName(ACCOUNT)]: account.id }),
    },
  };
}

interface HeldHere {
  readonly tehsilId: number;
  readonly layers: readonly LayerRecord[];
  readonly table: TableHead | undefined;
}

async function absentHere({ stores }: ServiceDeps, { tehsilId, layers, table }: HeldHere): Promise<readonly string[]> {
  const { villages } = await stores.lookups.unitsBelow(tehsilId);
  const hasLayer = (kind: keyof typeof GEOMETRY_LAYERS): boolean =>
    layers.some(({ workspace }) => workspace === GEOMETRY_LAYERS[kind].workspace);
  return [
    // Nobody looks for a point of a place, or for one of its micro-watersheds: boundaries can be megabytes.
    `latitude=${EXAMPLE_POINT.latitude}`,
    `mws_id=${EXAMPLE_UID}`,
    `uid=${EXAMPLE_UID}`,
    // Nor for labels that lie on a layer of its own.
    'compute_validate',
    ...(layers.length > 0 && table === undefined ? [`name=${EXAMPLE_TABLE}`] : []),
    ...(table === undefined ? ['getTehsilData'] : []),
    ...(hasLayer('mws') ? [] : ['getMwsGeometries']),
    ...(hasLayer('villages') && villages ? [] : ['getVillageGeometries']),
  ];
}

type Values = readonly (readonly [string, string])[];

const LEVELS = ['state', 'district', 'block'] as const;
const [ACCOUNT = ''] = Object.keys(eoAccountField);

function placeValues({ slugs, ids }: FoundTehsil): Values {
  return [
    ...LEVELS.map((level, at) => [`${level}=${EXAMPLE_PLACE[level]}`, slugs[at] ?? ''] as const),
    [`tehsil=${EXAMPLE_NAMES.tehsil}`, slugs[2] ?? ''],
    ['state_id=1', String(ids[0])],
    ['district_id=1', String(ids[1])],
  ];
}

/** Years that a run computed: scenes of them are there. */
function yearsOf({ params }: Run): Readonly<Record<string, number>> {
  const years = Object.keys(yearFields).flatMap((field) => {
    const value: unknown = Reflect.get(Object(params), field);
    return typeof value === 'number' ? [[wireName(field), value] as const] : [];
  });
  return Object.fromEntries(years);
}

async function layerValues(
  layers: readonly LayerRecord[],
  { slugs }: FoundTehsil,
  catalog: ServiceDeps['stores']['catalog'],
): Promise<Values> {
  const raster = layers.findLast(({ layerType }) => layerType === 'raster');
  const vector = layers.findLast(({ layerType }) => layerType === 'vector');
  const shown = raster ?? vector;
  const item = shown === undefined ? undefined : await catalog.item(slugs.join('/'), shown.itemId);
  const [run, token] = (shown?.assetKey ?? '').split('/');
  return [
    ...(run === undefined || token === undefined
      ? []
      : ([
          [`run=${EXAMPLE_RUN}`, run],
          [`token=${EXAMPLE_FILES.token}`, token],
        ] as const)),
    ...(item === undefined || shown === undefined
      ? []
      : ([
          [`item=${EXAMPLE_ITEM}`, shown.itemId],
          ['asset=cog', assetOf(item.item, shown)],
        ] as const)),
    ...namesOf(raster, 'raster', 'CoverageId'),
    ...namesOf(vector, 'vector', 'typeName'),
  ];
}

function namesOf(layer: LayerRecord | undefined, kind: 'raster' | 'vector', parameter: string): Values {
  if (layer === undefined) return [];
  const { workspace, name } = EXAMPLE_LAYERS[kind];
  return [
    [`workspace=${workspace}`, layer.workspace],
    [`layer_name=${name}`, layer.layerName],
    [`${parameter}=${workspace}:${name}`, `${layer.workspace}:${layer.layerName}`],
    [`name=${EXAMPLE_FILES[kind]}`, layer.assetKey.slice(layer.assetKey.lastIndexOf('/') + 1)],
  ];
}

/** Key of the Item's asset that is the layer's file. */
function assetOf(item: Readonly<Record<string, unknown>>, { assetKey }: LayerRecord): string {
  const assets = Object.entries(Object(item['assets']) as object);
  const found = assets.find(([, asset]) => String(Reflect.get(Object(asset), 'href')).endsWith(assetKey));
  return found?.[0] ?? 'data';
}

/** The tehsil of these slugs, level by level; undefined where one is unknown. */
export async function alongPath(places: Places, slugs: readonly string[]): Promise<FoundTehsil | undefined> {
  const [stateSlug = '', districtSlug = '', tehsilSlug = ''] = slugs;
  const state = await places.findState(stateSlug);
  const district = state === undefined ? undefined : await places.findDistrict(state.id, districtSlug);
  const tehsil = district === undefined ? undefined : await places.findTehsil(district.id, tehsilSlug);
  if (state === undefined || district === undefined || tehsil === undefined) return undefined;
  return { slugs, names: [state.name, district.name, tehsil.name], ids: [state.id, district.id, tehsil.id] };
}
