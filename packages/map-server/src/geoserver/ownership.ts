import { hash } from 'node:crypto';
import type { MapLayer } from '@headwater/core/ports';
import { alreadyExists, asArray, failed, member, type RestCall, type RestClient } from './rest-client.ts';

/** A GeoServer, and the installation that publishes its layers there. Other programs and installations may use the same GeoServer. */
export interface OwnServer {
  readonly client: RestClient;
  /** Id of this installation; see `installationOf`. */
  readonly installation: string;
}

/** Names and kind of a layer. */
export type LayerId = Pick<MapLayer, 'workspace' | 'name' | 'kind'>;

/** Id of an installation: a hash of its public address. */
export const installationOf = (url: string): string => hash('sha256', url).slice(0, 16);

/** Names of the REST resources and members of a layer. These names depend on the kind of the layer. */
interface Resources {
  readonly stores: 'coveragestores' | 'datastores';
  readonly resource: 'coverages' | 'featuretypes';
  readonly member: 'coverage' | 'featureType';
  readonly store: 'coverageStore' | 'dataStore';
  readonly list: 'coverages' | 'featureTypes';
  /** Types of the stores that uploads of this driver create, as GeoServer names these types. */
  readonly types: RegExp;
}

export const RESOURCES: Readonly<Record<MapLayer['kind'], Resources>> = {
  raster: {
    stores: 'coveragestores',
    resource: 'coverages',
    member: 'coverage',
    store: 'coverageStore',
    list: 'coverages',
    types: /^GeoTIFF$/,
  },
  vector: {
    stores: 'datastores',
    resource: 'featuretypes',
    member: 'featureType',
    store: 'dataStore',
    list: 'featureTypes',
    types: /shapefile/i,
  },
};

/** Path of a layer's store. */
export const storePathOf = ({ workspace, name, kind }: LayerId): readonly string[] => [
  'workspaces',
  workspace,
  RESOURCES[kind].stores,
  name,
];

const [VERSION, INSTALLATION, STYLE_REFUSED] = [
  'headwater-version=',
  'headwater-installation=',
  'headwater-style=refused',
];

/** Keyword of a version. Characters that are not allowed in keywords of GeoServer are replaced. */
export const versionKeyword = (version: string): string => `${VERSION}${version.replace(/[^\w.:-]/g, '_')}`;

/** Keywords of a layer that this installation publishes. */
export const ownKeywords = (
  { installation }: OwnServer,
  { version, isStyleRefused }: { readonly version: string; readonly isStyleRefused: boolean },
): readonly string[] => [
  versionKeyword(version),
  `${INSTALLATION}${installation}`,
  ...(isStyleRefused ? [STYLE_REFUSED] : []),
];

/** A layer on the GeoServer. */
export interface FoundLayer {
  /**
   * `own`: published by this installation. `older`: published by this or another installation with an earlier release, which did not
   * store the id of the installation. `other`: published by another installation. `unknown`: published by another program, or left by
   * an interrupted upload.
   */
  readonly owner: 'own' | 'older' | 'other' | 'unknown';
  readonly version: string | undefined;
  /** True if the style of this version may not be uploaded. */
  readonly isStyleRefused: boolean;
}

/** Reads the layer that a GeoServer has under a name; undefined if there is no such layer of this kind. */
export async function foundLayer({ client, installation }: OwnServer, layer: LayerId): Promise<FoundLayer | undefined> {
  const { resource, member: root } = RESOURCES[layer.kind];
  const found = await client.resource([...storePathOf(layer), resource, layer.name]);
  if (found === undefined) return undefined;
  const keywords = asArray(member(found, root, 'keywords', 'string')).filter((each) => typeof each === 'string');
  const version = keywords.find((each) => each.startsWith(VERSION));
  const ids = keywords.filter((each) => each.startsWith(INSTALLATION));
  const ofIds = ids.every((each) => each === `${INSTALLATION}${installation}`) ? 'own' : 'other';
  const owner = ids.length > 0 ? ofIds : version === undefined ? 'unknown' : 'older';
  return { owner, version, isStyleRefused: keywords.includes(STYLE_REFUSED) };
}

/**
 * Path of the mark of an upload. The mark is a style without a document, which no layer uses. Until the uploaded layer gets its
 * keywords, only this mark shows that this installation created the store. If this process is killed, the next process still finds
 * the mark.
 */
const markPath = ({ installation }: OwnServer, { workspace, name, kind }: LayerId): readonly [...string[], string] => [
  'workspaces',
  workspace,
  'styles',
  `headwater_${installation}_${kind}_${name}`,
];

const hasMark = async (server: OwnServer, layer: LayerId): Promise<boolean> =>
  (await server.client.resource(markPath(server, layer))) !== undefined;

/** Marks the store of a layer as created by this installation. Must be called before the first byte of an upload is sent. */
export async function setMark(server: OwnServer, layer: LayerId): Promise<void> {
  const path = markPath(server, layer);
  const name = path.at(-1);
  const json = { style: { name, filename: `${name}.sld` } };
  const call: RestCall = { method: 'POST', path: path.slice(0, -1), json, isRepeatable: true };
  const answer = await server.client.call(call);
  if (answer.status !== 201 && !alreadyExists(answer)) throw failed(call, answer);
}

/** Removes the mark of an upload. Succeeds if there is no mark. */
export const removeMark = async (server: OwnServer, layer: LayerId): Promise<void> =>
  await remove(server.client, markPath(server, layer), { recurse: 'true' });

/**
 * Owner of the store with a layer's name. The store is `own` if it has the type of uploads of this driver and contains no other
 * layer. In addition, the layer must have the keyword of this installation, or the upload must be marked. `isStored`: true if a layer
 * of this name is published by this installation. Then an `older` layer also counts as `own`.
 */
export async function ownerOfStore(
  server: OwnServer,
  layer: LayerId,
  { isStored }: { readonly isStored: boolean },
): Promise<'absent' | 'own' | 'foreign'> {
  const { client } = server;
  const { resource, list, store: root, member: each, types } = RESOURCES[layer.kind];
  const path = storePathOf(layer);
  const store = await client.resource(path);
  if (store === undefined) return 'absent';
  const type = member(store, root, 'type');
  if (typeof type === 'string' && !types.test(type)) return 'foreign';
  const inStore = asArray(member(await client.resource([...path, resource]), list, each));
  if (inStore.some((one) => member(one, 'name') !== layer.name)) return 'foreign';
  const owner = (await foundLayer(server, layer))?.owner ?? 'unknown';
  if (owner === 'unknown') return (await hasMark(server, layer)) ? 'own' : 'foreign';
  return owner === 'own' || (owner === 'older' && isStored) ? 'own' : 'foreign';
}

/**
 * Kinds (raster, vector) for which the server has a store of this installation under this name. Layers without the id of an
 * installation (`older`) are not included.
 */
export async function ownKinds(
  server: OwnServer,
  workspace: string,
  name: string,
): Promise<readonly MapLayer['kind'][]> {
  const kinds: MapLayer['kind'][] = [];
  for (const kind of ['raster', 'vector'] as const)
    if ((await ownerOfStore(server, { workspace, name, kind }, { isStored: false })) === 'own') kinds.push(kind);
  return kinds;
}

/** Removes a store of this installation with the layer and files of the store. */
export const removeStore = async (client: RestClient, layer: LayerId): Promise<void> =>
  await remove(client, storePathOf(layer), { recurse: 'true', purge: 'all' });

/** Sends a DELETE. Succeeds if there is nothing to delete. */
export async function remove(
  client: RestClient,
  path: readonly string[],
  query: Readonly<Record<string, string>>,
): Promise<void> {
  const call: RestCall = { method: 'DELETE', path, query };
  const answer = await client.call(call);
  if (answer.status !== 200 && answer.status !== 404) throw failed(call, answer);
}
