import { hash } from 'node:crypto';
import type { MapLayer } from '@headwater/core/ports';
import { alreadyExists, asArray, failed, member, type RestCall, type RestClient } from './rest-client.ts';

/** A GeoServer and the installation that publishes there. Other programs may use the same GeoServer. */
export interface OwnServer {
  readonly client: RestClient;
  /** Id of this installation (`installationOf`). */
  readonly installation: string;
}

/** Names and kind of a layer. */
export type LayerId = Pick<MapLayer, 'workspace' | 'name' | 'kind'>;

/** Id of an installation: hash of its public address. */
export const installationOf = (url: string): string => hash('sha256', url).slice(0, 16);

/** REST names of a layer, by its kind. */
interface Resources {
  readonly stores: 'coveragestores' | 'datastores';
  readonly resource: 'coverages' | 'featuretypes';
  readonly member: 'coverage' | 'featureType';
  readonly store: 'coverageStore' | 'dataStore';
  readonly list: 'coverages' | 'featureTypes';
  /** Types of stores that uploads create. */
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

/** Keyword of a version; disallowed characters are replaced. */
export const versionKeyword = (version: string): string => `${VERSION}${version.replace(/[^\w.:-]/g, '_')}`;

/** Keywords of a layer of this installation. */
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
   * `own`: this installation. `older`: an earlier release without installation ids. `other`: another installation.
   * `unknown`: another program, or an interrupted upload.
   */
  readonly owner: 'own' | 'older' | 'other' | 'unknown';
  /** Result of `versionKeyword` at publication; undefined without such a keyword. */
  readonly version: string | undefined;
  /** True if the style was not uploaded because it is unsafe. */
  readonly isStyleRefused: boolean;
}

/** Reads the layer with this name and kind; undefined if there is none. */
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
 * Path of the mark of an upload. The mark is a style without a document. Until the layer has its keywords, only the
 * mark shows that this installation created the store. If the process is killed, the mark remains.
 */
const markPath = ({ installation }: OwnServer, { workspace, name, kind }: LayerId): readonly [...string[], string] => [
  'workspaces',
  workspace,
  'styles',
  `headwater_${installation}_${kind}_${name}`,
];

const hasMark = async (server: OwnServer, layer: LayerId): Promise<boolean> =>
  (await server.client.resource(markPath(server, layer))) !== undefined;

/** Marks the store of a layer as created by this installation. Call before the upload. */
export async function setMark(server: OwnServer, layer: LayerId): Promise<void> {
  const path = markPath(server, layer);
  const name = path.at(-1);
  const json = { style: { name, filename: `${name}.sld` } };
  const call: RestCall = { method: 'POST', path: path.slice(0, -1), json, isRepeatable: true };
  const answer = await server.client.call(call);
  if (answer.status !== 201 && !alreadyExists(answer)) throw failed(call, answer);
}

/** Removes the mark of an upload, if any. */
export const removeMark = async (server: OwnServer, layer: LayerId): Promise<void> =>
  await remove(server.client, markPath(server, layer), { recurse: 'true' });

/**
 * Owner of the store with a layer's name. `own`: the store has the type of our uploads, no other layer, and our keyword
 * or mark. `isPublished`: this installation publishes a layer of this name, so an `older` layer is also `own`.
 */
export async function ownerOfStore(
  server: OwnServer,
  layer: LayerId,
  { isPublished }: { readonly isPublished: boolean },
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
  return owner === 'own' || (owner === 'older' && isPublished) ? 'own' : 'foreign';
}

/**
 * Kinds (raster, vector) of the layers with this name that this installation stored. Layers with the owner `older` are
 * not included.
 */
export async function ownKinds(
  server: OwnServer,
  workspace: string,
  name: string,
): Promise<readonly MapLayer['kind'][]> {
  const kinds: MapLayer['kind'][] = [];
  for (const kind of ['raster', 'vector'] as const)
    if ((await ownerOfStore(server, { workspace, name, kind }, { isPublished: false })) === 'own') kinds.push(kind);
  return kinds;
}

/** Removes a store of this installation with its layer and files. */
export const removeStore = async (client: RestClient, layer: LayerId): Promise<void> =>
  await remove(client, storePathOf(layer), { recurse: 'true', purge: 'all' });

/** Sends a DELETE. Also succeeds if the resource does not exist. */
export async function remove(
  client: RestClient,
  path: readonly string[],
  query: Readonly<Record<string, string>>,
): Promise<void> {
  const call: RestCall = { method: 'DELETE', path, query };
  const answer = await client.call(call);
  if (answer.status !== 200 && answer.status !== 404) throw failed(call, answer);
}
