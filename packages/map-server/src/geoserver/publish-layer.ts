import { DomainError } from '@headwater/core/errors';
import type { MapLayer } from '@headwater/core/ports';
import {
  alreadyExists,
  asArray,
  failed,
  member,
  type RestAnswer,
  type RestCall,
  type RestClient,
  type UploadFile,
} from './rest-client.ts';

/** A layer with the files that are uploaded. */
export interface LayerUpload {
  readonly layer: Pick<MapLayer, 'workspace' | 'name' | 'title' | 'abstract' | 'kind' | 'version'>;
  /** GeoTIFF of a raster, or zipped Shapefile of a vector layer. */
  readonly data: UploadFile;
  /** SLD of the default style; null: the server's default. */
  readonly sld: string | null;
}

/** Names that GeoServer accepts in paths, XML names and file names alike. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
/** Prefix of the keyword that holds the published version. */
const VERSION_KEYWORD = 'headwater-version=';

/** Keyword of a version. Characters that are not allowed in keywords of GeoServer are replaced. */
export const versionKeyword = (version: string): string => `${VERSION_KEYWORD}${version.replace(/[^\w.:-]/g, '_')}`;

/** Names of the REST resources and members of a layer. They depend on the type of the layer. */
interface Resources {
  readonly stores: 'coveragestores' | 'datastores';
  readonly resource: 'coverages' | 'featuretypes';
  readonly member: 'coverage' | 'featureType';
  readonly store: 'coverageStore' | 'dataStore';
  readonly list: 'coverages' | 'featureTypes';
  /** Types of stores that our uploads make, as GeoServer names them. */
  readonly types: RegExp;
}

const RESOURCES: Readonly<Record<MapLayer['kind'], Resources>> = {
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

/** Creates the workspace if it does not exist. Two callers at the same time both succeed. */
export async function ensureWorkspace(client: RestClient, name: string): Promise<void> {
  checkName('workspace', name);
  if ((await client.resource(['workspaces', name])) !== undefined) return;
  const call: RestCall = { method: 'POST', path: ['workspaces'], json: { workspace: { name } }, isRepeatable: true };
  const answer = await client.call(call);
  if (answer.status !== 201 && !alreadyExists(answer)) throw failed(call, answer);
  if ((await client.resource(['workspaces', name])) === undefined) throw failed(call, answer);
}

/**
 * Publishes or replaces a layer. The data is uploaded over the existing store, which is never deleted first: the public layer exists at all
 * times. Only if a raster replaces a vector layer, or the other way round, the old layer is removed before the upload, because a GeoServer has one
 * layer of a name. A store of another program with this name is adopted if it has the type of our uploads.
 */
export async function publishLayer(client: RestClient, upload: LayerUpload): Promise<void> {
  const { layer } = upload;
  checkName('workspace', layer.workspace);
  checkName('layer', layer.name);
  await ensureWorkspace(client, layer.workspace);
  await refuseForeignStore(client, layer);
  await uploadData(client, upload);
  await styleLayer(client, upload);
  // The version is written last: a publication that was interrupted is found as outdated and repeated.
  await describe(client, layer);
}

/** Writes the style after the data: a style that names new columns would draw nothing of the old data. */
export async function styleLayer(
  client: RestClient,
  { layer, sld }: Pick<LayerUpload, 'layer' | 'sld'>,
): Promise<void> {
  if (sld === null) return;
  await ensureStyle(client, layer, sld);
  await assignStyle(client, layer);
}

/**
 * Throws if a layer of this name takes its data from a store that we cannot replace: one with another name, such as a database with many tables, or
 * one of another type. Removes our own layer of the other kind.
 */
async function refuseForeignStore(client: RestClient, layer: LayerUpload['layer']): Promise<void> {
  const { workspace, name, kind } = layer;
  const refusal = (store: string): DomainError =>
    new DomainError(
      'conflict',
      `${workspace}:${name}: the map server has a layer of this name in the store "${store}"; remove or rename that layer`,
    );
  const other = kind === 'raster' ? 'vector' : 'raster';
  const { stores, store: root, types } = RESOURCES[kind];
  const type = member(await client.resource(['workspaces', workspace, stores, name]), root, 'type');
  if (typeof type === 'string' && !types.test(type)) throw refusal(name);
  const href = member(await client.resource(['layers', `${workspace}:${name}`]), 'layer', 'resource', 'href');
  if (typeof href !== 'string') return;
  const [, found, store] = /\/(coveragestores|datastores)\/([^/]+)\//.exec(href) ?? [];
  if (store === undefined || (store === name && found === stores)) return;
  if (store !== name || typeof (await publishedVersion(client, { workspace, name, kind: other })) !== 'string')
    throw refusal(store);
  await removeStore(client, ['workspaces', workspace, RESOURCES[other].stores, name]);
}

async function uploadData(client: RestClient, { layer, data }: LayerUpload): Promise<void> {
  const { workspace, name, kind } = layer;
  const { stores, store } = RESOURCES[kind];
  const storePath = ['workspaces', workspace, stores, name];
  const isNew = (await publishedVersion(client, layer)) === undefined;
  // A broken store of an earlier attempt shows no layer, so it is removed before the new file arrives.
  if (isNew) await removeIfEmpty(client, layer);
  const call: RestCall =
    kind === 'raster'
      ? {
          method: 'PUT',
          path: [...storePath, 'file.geotiff'],
          accept: 'application/json',
          body: { type: 'image/tiff', bytes: data },
        }
      : {
          method: 'PUT',
          path: [...storePath, 'file.shp'],
          query: { filename: name, update: 'overwrite' },
          body: { type: 'application/zip', bytes: data },
        };
  const answer = await client.call(call);
  const landed = kind === 'raster' ? workspaceOf(answer) : workspace;
  if (answer.status >= 200 && answer.status < 300 && (landed === undefined || landed === workspace)) {
    const found = await client.resource(storePath);
    if (member(found, store, 'name') !== undefined) return;
  }
  // A refused file leaves a broken store; if the workspace was removed meanwhile, the store is in the default workspace.
  if (landed !== undefined && landed !== workspace)
    await removeStore(client, ['workspaces', landed, stores, name]).catch(() => undefined);
  else if (isNew) await removeIfEmpty(client, layer).catch(() => undefined);
  throw failed(call, answer);
}

/** Removes the store of a layer if it has no layer. */
async function removeIfEmpty(
  client: RestClient,
  { workspace, name, kind }: Pick<MapLayer, 'workspace' | 'name' | 'kind'>,
): Promise<void> {
  const { stores, resource, list, member: root } = RESOURCES[kind];
  const path = ['workspaces', workspace, stores, name];
  if ((await client.resource(path)) === undefined) return;
  const found = await client.resource([...path, resource]);
  if (asArray(member(found, list, root)).length === 0) await removeStore(client, path);
}

function workspaceOf({ text }: RestAnswer): string | undefined {
  try {
    const name = member(JSON.parse(text), 'coverageStore', 'workspace', 'name');
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Name of a layer's style in its workspace. */
const styleOf = ({ name }: Pick<MapLayer, 'name'>): string => name;

/** Creates or replaces the style in the layer's workspace: first the entry, then its document. */
async function ensureStyle(
  client: RestClient,
  layer: Pick<MapLayer, 'workspace' | 'name'>,
  sld: string,
): Promise<void> {
  const [name, styles] = [styleOf(layer), ['workspaces', layer.workspace, 'styles']];
  if ((await client.resource([...styles, name])) === undefined) {
    const create: RestCall = {
      method: 'POST',
      path: styles,
      json: { style: { name, filename: `${name}.sld` } },
      isRepeatable: true,
    };
    const created = await client.call(create);
    if (created.status !== 201 && !alreadyExists(created)) throw failed(create, created);
  }
  const put: RestCall = {
    method: 'PUT',
    path: [...styles, name],
    body: { type: 'application/vnd.ogc.sld+xml', bytes: sld },
  };
  const answer = await client.call(put);
  if (answer.status !== 200) throw failed(put, answer);
}

/** Makes the style the layer's default. GeoServer ignores an unknown style with status 200, so the layer is read again. */
async function assignStyle(client: RestClient, layer: Pick<MapLayer, 'workspace' | 'name'>): Promise<void> {
  const path = ['layers', `${layer.workspace}:${layer.name}`];
  const style = styleOf(layer);
  const put: RestCall = {
    method: 'PUT',
    path,
    json: { layer: { defaultStyle: { name: style, workspace: layer.workspace } } },
  };
  const answer = await client.call(put);
  if (answer.status !== 200) throw failed(put, answer);
  if (!(await hasOwnStyle(client, layer)))
    throw new DomainError(
      'unavailable',
      `the map server did not take the style of ${layer.workspace}:${layer.name}; look into its log`,
    );
}

/** Writes title, abstract and version of the layer; for vectors also computes the box again. */
async function describe(client: RestClient, layer: LayerUpload['layer']): Promise<void> {
  const { stores, resource, member: root } = RESOURCES[layer.kind];
  const call: RestCall = {
    method: 'PUT',
    path: ['workspaces', layer.workspace, stores, layer.name, resource, layer.name],
    query: { recalculate: 'nativebbox,latlonbbox' },
    json: {
      [root]: {
        title: layer.title,
        abstract: layer.abstract,
        enabled: true,
        keywords: { string: [layer.name, versionKeyword(layer.version)] },
      },
    },
  };
  const answer = await client.call(call);
  if (answer.status !== 200) throw failed(call, answer);
}

/** Version that this program published under the name; null for a layer of another program, undefined if there is no layer. */
export async function publishedVersion(
  client: RestClient,
  { workspace, name, kind }: Pick<MapLayer, 'workspace' | 'name' | 'kind'>,
): Promise<string | null | undefined> {
  const { stores, resource, member: root } = RESOURCES[kind];
  const found = await client.resource(['workspaces', workspace, stores, name, resource, name]);
  if (found === undefined) return undefined;
  const keywords = asArray(member(found, root, 'keywords', 'string'));
  return keywords.find((each): each is string => typeof each === 'string' && each.startsWith(VERSION_KEYWORD)) ?? null;
}

/** Kinds under which this program published a layer of this name; a layer of another program is not ours to remove. */
export async function ownKinds(
  client: RestClient,
  workspace: string,
  name: string,
): Promise<readonly MapLayer['kind'][]> {
  const kinds: MapLayer['kind'][] = [];
  for (const kind of ['raster', 'vector'] as const)
    if (typeof (await publishedVersion(client, { workspace, name, kind })) === 'string') kinds.push(kind);
  return kinds;
}

/** Removes our layer with its store, files and style. Succeeds if they do not exist. */
export async function unpublishLayer(
  client: RestClient,
  { workspace, name }: Pick<MapLayer, 'workspace' | 'name'>,
  kinds: readonly MapLayer['kind'][],
): Promise<void> {
  for (const kind of kinds) await removeStore(client, ['workspaces', workspace, RESOURCES[kind].stores, name]);
  if (kinds.length === 0) return;
  await remove(client, ['workspaces', workspace, 'styles', name], { purge: 'true', recurse: 'true' });
}

const removeStore = async (client: RestClient, path: readonly string[]): Promise<void> =>
  await remove(client, path, { recurse: 'true', purge: 'all' });

async function remove(
  client: RestClient,
  path: readonly string[],
  query: Readonly<Record<string, string>>,
): Promise<void> {
  const call: RestCall = { method: 'DELETE', path, query };
  const answer = await client.call(call);
  if (answer.status !== 200 && answer.status !== 404) throw failed(call, answer);
}

/** True if the layer is drawn in the style that this program wrote. */
export async function hasOwnStyle(
  client: RestClient,
  { workspace, name }: Pick<MapLayer, 'workspace' | 'name'>,
): Promise<boolean> {
  const style = styleOf({ name });
  const assigned = member(await client.resource(['layers', `${workspace}:${name}`]), 'layer', 'defaultStyle', 'name');
  // A style of a workspace is shown with its prefix.
  return assigned === style || assigned === `${workspace}:${style}`;
}

/** Names of all workspaces of the server. */
export async function workspaceNames(client: RestClient): Promise<readonly string[]> {
  return namesIn(await client.resource(['workspaces']), 'workspaces', 'workspace');
}

/** Names of the layers of a workspace. */
export async function layerNames(client: RestClient, workspace: string): Promise<readonly string[]> {
  return namesIn(await client.resource(['workspaces', workspace, 'layers']), 'layers', 'layer');
}

const namesIn = (found: unknown, ...path: readonly string[]): readonly string[] =>
  asArray(member(found, ...path)).flatMap((each) => {
    const name = member(each, 'name');
    return typeof name === 'string' ? [name] : [];
  });

function checkName(field: string, name: string): void {
  if (NAME.test(name) && name.length <= 200) return;
  throw new DomainError(
    'validation',
    `${field}: "${name.slice(0, 100)}" is no name for a GeoServer; use letters, digits, "_", "." and "-", and begin with a letter, a digit or "_"`,
  );
}
