import { DomainError } from '@headwater/core/errors';
import type { MapLayer } from '@headwater/core/ports';
import { checkName } from '../protocol/names.ts';
import {
  type LayerId,
  type OwnServer,
  ownerOfStore,
  ownKeywords,
  remove,
  removeMark,
  removeStore,
  RESOURCES,
  setMark,
  storePathOf,
} from './ownership.ts';
import { ownerOfStyle, refuseForeignStyle, writeStyle } from './own-styles.ts';
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

/** A layer with its upload. */
export interface LayerUpload {
  readonly layer: Pick<MapLayer, 'workspace' | 'name' | 'title' | 'abstract' | 'kind' | 'version'>;
  /** GeoTIFF of a raster, or zipped Shapefile of a vector layer. */
  readonly data: UploadFile;
  /** SLD of the default style; null: default style of the server. */
  readonly sld: string | null;
  /** True if the style is not uploaded because it is unsafe; `sld` is then null. */
  readonly isStyleRefused: boolean;
}

/** Creates a workspace; returns false if it existed. Simultaneous calls succeed. */
export async function ensureWorkspace(client: RestClient, name: string): Promise<boolean> {
  checkName('workspace', name);
  if ((await client.resource(['workspaces', name])) !== undefined) return false;
  const call: RestCall = { method: 'POST', path: ['workspaces'], json: { workspace: { name } }, isRepeatable: true };
  const answer = await client.call(call);
  if (answer.status !== 201 && !alreadyExists(answer)) throw failed(call, answer);
  if ((await client.resource(['workspaces', name])) === undefined) throw failed(call, answer);
  return answer.status === 201;
}

/**
 * Publishes or replaces a layer. The upload overwrites the store, so that the layer stays available. A layer of the
 * other kind is removed first, because a name can have only one layer. Throws `conflict` for a store or style of
 * another program or installation.
 */
export async function publishLayer(server: OwnServer, upload: LayerUpload): Promise<void> {
  const { client } = server;
  const { layer } = upload;
  checkName('workspace', layer.workspace);
  checkName('layer', layer.name);
  await ensureWorkspace(client, layer.workspace);
  await refuseForeignStore(server, layer);
  if (upload.sld !== null) await refuseForeignStyle(server, layer);
  await uploadData(server, upload);
  await styleLayer(server, upload);
  // The version is written last, so that an interrupted publication is repeated.
  await describe(server, upload);
  await removeMark(server, layer);
}

/**
 * Writes the style of a layer. Call after the upload, because a style with new columns would draw nothing of the old
 * data.
 */
export async function styleLayer(server: OwnServer, { layer, sld }: Pick<LayerUpload, 'layer' | 'sld'>): Promise<void> {
  if (sld === null) return;
  await writeStyle(server, layer, sld);
  await assignStyle(server, layer);
}

/**
 * Throws if another program or installation owns the store or the data of this name. Removes our layer of the other
 * kind.
 */
async function refuseForeignStore(server: OwnServer, layer: LayerId): Promise<void> {
  const { workspace, name, kind } = layer;
  const refusal = (store: string): DomainError =>
    new DomainError(
      'conflict',
      `${workspace}:${name}: the map server has other data of this name in the store "${store}", which this installation did not publish; remove or rename that store`,
    );
  if ((await ownerOfStore(server, layer, { isPublished: true })) === 'foreign') throw refusal(name);
  const href = member(await server.client.resource(['layers', `${workspace}:${name}`]), 'layer', 'resource', 'href');
  if (typeof href !== 'string') return;
  const [, found, store] = /\/(coveragestores|datastores)\/([^/]+)\//.exec(href) ?? [];
  if (store === undefined || (store === name && found === RESOURCES[kind].stores)) return;
  const other: LayerId = { workspace, name, kind: kind === 'raster' ? 'vector' : 'raster' };
  if (store !== name || (await ownerOfStore(server, other, { isPublished: true })) !== 'own') throw refusal(store);
  await removeStore(server.client, other);
  await removeMark(server, other);
}

/** Uploads the file of a layer. The store must be absent or belong to this installation. */
async function uploadData(server: OwnServer, { layer, data }: LayerUpload): Promise<void> {
  const { client } = server;
  const { workspace, name, kind } = layer;
  const { store } = RESOURCES[kind];
  const storePath = storePathOf(layer);
  await setMark(server, layer);
  // An earlier attempt may have left a broken store without a layer, which is removed first.
  const isNew = await removeIfEmpty(client, layer);
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
  // If the workspace is missing, GeoServer uploads to its default workspace. The store there is not removed, because it
  // may belong to another program.
  if (landed !== undefined && landed !== workspace)
    throw new DomainError(
      'unavailable',
      `${workspace}:${name}: its workspace was removed during the upload, so the map server stored it as ${landed}:${name}; remove that layer unless another program published it`,
    );
  if (answer.status >= 200 && answer.status < 300) {
    const found = await client.resource(storePath);
    if (member(found, store, 'name') !== undefined) return;
  }
  // A refused file leaves a broken store, which is removed.
  if (isNew && (await removeIfEmpty(client, layer).catch(() => false)))
    await removeMark(server, layer).catch(() => undefined);
  throw failed(call, answer);
}

/** Removes a store without layers. Returns true if there is no store afterwards. */
async function removeIfEmpty(client: RestClient, layer: LayerId): Promise<boolean> {
  const { resource, list, member: root } = RESOURCES[layer.kind];
  const path = storePathOf(layer);
  if ((await client.resource(path)) === undefined) return true;
  const found = await client.resource([...path, resource]);
  if (asArray(member(found, list, root)).length > 0) return false;
  await removeStore(client, layer);
  return true;
}

function workspaceOf({ text }: RestAnswer): string | undefined {
  try {
    const name = member(JSON.parse(text), 'coverageStore', 'workspace', 'name');
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes the written style the default style of the layer. GeoServer ignores an unknown style with status 200, so the
 * layer is read again.
 */
async function assignStyle(server: OwnServer, layer: Pick<MapLayer, 'workspace' | 'name'>): Promise<void> {
  const path = ['layers', `${layer.workspace}:${layer.name}`];
  const put: RestCall = {
    method: 'PUT',
    path,
    json: { layer: { defaultStyle: { name: layer.name, workspace: layer.workspace } } },
  };
  const answer = await server.client.call(put);
  if (answer.status !== 200) throw failed(put, answer);
  if (!(await hasOwnStyle(server, layer)))
    throw new DomainError(
      'unavailable',
      `the map server did not take the style of ${layer.workspace}:${layer.name}; look into its log`,
    );
}

/** Writes title, abstract, version and owner. GeoServer also computes the box. */
export async function describe(server: OwnServer, { layer, isStyleRefused }: Omit<LayerUpload, 'data'>): Promise<void> {
  const { resource, member: root } = RESOURCES[layer.kind];
  const call: RestCall = {
    method: 'PUT',
    path: [...storePathOf(layer), resource, layer.name],
    query: { recalculate: 'nativebbox,latlonbbox' },
    json: {
      [root]: {
        title: layer.title,
        abstract: layer.abstract,
        enabled: true,
        keywords: { string: [layer.name, ...ownKeywords(server, { version: layer.version, isStyleRefused })] },
      },
    },
  };
  const answer = await server.client.call(call);
  if (answer.status !== 200) throw failed(call, answer);
}

/** Removes layers of these kinds with their stores, files and style, if they exist. */
export async function unpublishLayer(
  server: OwnServer,
  layer: Pick<MapLayer, 'workspace' | 'name'>,
  kinds: readonly MapLayer['kind'][],
): Promise<void> {
  const { workspace, name } = layer;
  // The style is removed first, because it is found only by its layer. In the reverse order, a crash after the
  // first removal would leave the style forever.
  if (kinds.length > 0 && (await hasOwnStyle(server, layer)))
    await remove(server.client, ['workspaces', workspace, 'styles', name], { purge: 'true', recurse: 'true' });
  for (const kind of kinds) {
    await removeStore(server.client, { workspace, name, kind });
    await removeMark(server, { workspace, name, kind });
  }
}

/** True if the layer has the style that this installation wrote. */
export async function hasOwnStyle(server: OwnServer, layer: Pick<MapLayer, 'workspace' | 'name'>): Promise<boolean> {
  const { workspace, name } = layer;
  const found = await server.client.resource(['layers', `${workspace}:${name}`]);
  const assigned = member(found, 'layer', 'defaultStyle', 'name');
  // GeoServer may prefix the style name with the workspace.
  if (assigned !== name && assigned !== `${workspace}:${name}`) return false;
  return (await ownerOfStyle(server, layer)) === 'own';
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
