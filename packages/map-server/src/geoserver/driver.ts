import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@headwater/core/errors';
import type {
  MapLayer,
  MapReply,
  MapRequest,
  MapServer,
  MapServerDrift,
  MapServerParts,
  MapServerScope,
} from '@headwater/core/ports';
import { createKeyedLimiter } from '@headwater/core/timing';
import { createEmbeddedMapServer } from '../embedded.ts';
import { createFeatureTables, type FeatureTables } from '../features/feature-table.ts';
import { exceptionReply } from '../protocol/exception-report.ts';
import { WCS_VERSIONS } from '../wcs/coverage.ts';
import { WMS_VERSIONS } from '../wms/map-request.ts';
import { forward, type ForwardParts } from './forward.ts';
import { foundLayer, installationOf, ownKinds, type OwnServer, versionKeyword } from './ownership.ts';
import { styleDrift, writeStyle } from './own-styles.ts';
import {
  describe,
  ensureWorkspace,
  hasOwnStyle,
  type LayerUpload,
  layerNames,
  publishLayer,
  styleLayer,
  unpublishLayer,
  workspaceNames,
} from './publish-layer.ts';
import { asArray, type GeoServerSettings, member, RestClient, type RestTools } from './rest-client.ts';
import { isSafeStyle } from './safe-style.ts';
import { renamedLine, shapefileUpload, withCutNames } from './shapefile-upload.ts';

/** Dependencies of the GeoServer driver. */
export interface GeoServerParts extends MapServerParts {
  readonly settings: GeoServerSettings;
  /** Functions that tests replace. Default: the functions of the platform. */
  readonly tools?: Partial<RestTools>;
}

/** Oldest safe version (major, minor). Older versions have known security holes. */
const SAFE = [2, 28] as const;
/** Maximum number of simultaneous publications; a GeoServer locks its catalogue during each. */
const CONCURRENCY = 2;
const MOST_WAITING = 100_000;
/** Maximum numbers of simultaneous forwarded reads, and of waiting reads. */
const READS = 32;
const MOST_READS = 500;

/**
 * Creates the driver of a GeoServer 2 or 3. Layers are uploaded by REST. Reads are rebuilt from checked parameters and
 * forwarded without the client's credentials.
 */
export function createGeoServer(parts: GeoServerParts): MapServer {
  const { settings, layers, commonStyles: styles = [], openFile, tools = {} } = parts;
  const tables = createFeatureTables(parts);
  const embedded = createEmbeddedMapServer(parts);
  const fetch = tools.fetch ?? globalThis.fetch;
  const client = new RestClient(settings, {
    fetch,
    sleep: tools.sleep ?? ((ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal })),
    random: tools.random ?? Math.random,
  });
  const forwarding: ForwardParts = { root: client.root, fetch, layers, url: parts.url, timeoutMs: settings.timeoutMs };
  const refuse = (): DomainError =>
    new DomainError('unavailable', 'too many layers wait for the map server; try again in a minute');
  const ofLayer = createKeyedLimiter({ concurrency: 1, maxWaiting: MOST_WAITING, refuse });
  const ofServer = createKeyedLimiter({ concurrency: CONCURRENCY, maxWaiting: MOST_WAITING, refuse });
  const ofReads = createKeyedLimiter({
    concurrency: READS,
    maxWaiting: MOST_READS,
    refuse: () => new DomainError('unavailable', 'the map server has too many requests; try again in a minute'),
  });
  // Publications of a layer are sequential, because an older version must not replace a newer one.
  const inTurn = async (workspace: string, name: string, work: () => Promise<void>): Promise<void> =>
    await ofLayer.run(`${workspace}:${name}`, () => ofServer.run('', work));
  const server: OwnServer = { client, installation: installationOf(parts.url) };
  const foreign = new Set<string>();
  const unpublish = async (workspace: string, name: string): Promise<void> =>
    await unpublishLayer(server, { workspace, name }, await ownKinds(server, workspace, name));
  const publish = async (workspace: string, name: string): Promise<void> => {
    const layer = await layers.find(workspace, name);
    if (layer === undefined) return await unpublish(workspace, name);
    const problem = (await problemOf({ server, openFile }, layer))?.problem;
    if (problem === undefined) return;
    const upload = await uploadOf({ ...parts, tables }, layer);
    if (problem === 'style') {
      await styleLayer(server, upload);
      if (upload.isStyleRefused) await describe(server, upload);
      return;
    }
    foreign.delete(`${workspace}:${name}`);
    await publishLayer(server, upload);
  };
  return {
    kind: 'geoserver',
    // The GeoServer reads the pixels, so it offers WMS and WCS 2.0.1 also if this process has no pixel engine.
    capabilities: {
      ...embedded.capabilities,
      wms: WMS_VERSIONS,
      wcs: parts.pixels === undefined ? ['2.0.1'] : WCS_VERSIONS,
    },
    answer: async (request) => {
      if (request.segments[0] === 'web') return await readyReply(client);
      if (!isForwarded(request)) return await embedded.answer(request);
      try {
        return await ofReads.run('', () => forward(forwarding, request));
      } catch (error) {
        const reply = exceptionReply(error, request);
        if (reply === undefined) throw error;
        return reply;
      }
    },
    publish: async (workspace, name) => await inTurn(workspace, name, () => publish(workspace, name)),
    unpublish: async (workspace, name) => await inTurn(workspace, name, () => unpublish(workspace, name)),
    check: async function* (of, signal) {
      yield* drift({ server, layers, openFile, foreign, signal }, of);
      if (of?.layer !== undefined) return;
      const checked = styles.filter(({ workspace }) => of === undefined || workspace === of.workspace);
      yield* styleDrift(server, checked, signal);
    },
    repair: async ({ workspace, layer, style }) => {
      if (layer !== null) return await inTurn(workspace, layer, () => publish(workspace, layer));
      await ensureWorkspace(client, workspace);
      const own = styles.find((each) => each.workspace === workspace && each.name === style);
      if (own !== undefined) await writeStyle(server, own, own.sld);
    },
    layersIn: async (workspace) =>
      (await workspaceNames(client)).includes(workspace) ? (await layerNames(client, workspace)).toSorted() : undefined,
    createWorkspace: async (name) => await ensureWorkspace(client, name),
    probe: () => probeClient(client),
    close: async () => await embedded.close(),
  };
}

/** Services that the GeoServer answers. */
const SERVICES: ReadonlySet<string> = new Set(['wcs', 'wms']);
/**
 * Parameters with a filter. This process answers requests that have one of them, because the GeoServer must not
 * evaluate text of a client.
 */
const FILTERS = ['cql_filter', 'filter', 'featureid'];

/**
 * True for WMS except GetFeatureInfo, and for WCS 2.0.1, if the request has no `run` and no filter. All other requests
 * are answered from the stored layers: the Shapefiles on the GeoServer have cut column names, and GeoServer 3 has no
 * WCS 1.0.
 */
function isForwarded({ segments, query }: MapRequest): boolean {
  const last = segments.at(-1) ?? '';
  const service = (last === 'ows' ? (query['service'] ?? '') : last).toLowerCase();
  if (!SERVICES.has(service) || segments.length > 2 || query['run'] !== undefined) return false;
  if (FILTERS.some((name) => query[name] !== undefined)) return false;
  return service === 'wcs' ? query['version'] === '2.0.1' : query['request']?.toLowerCase() !== 'getfeatureinfo';
}

async function readyReply(client: RestClient): Promise<MapReply> {
  if (!(await client.isReady()))
    throw new DomainError('unavailable', 'the map server is not ready; wait, or look into its log');
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'The map server is ready.\n' };
}

interface Comparison extends Pick<MapServerParts, 'layers' | 'openFile'> {
  readonly server: OwnServer;
  /** Layers of other programs (`workspace:name`), which are read only once. */
  readonly foreign: Set<string>;
  /** Aborts the comparison before the next layer. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Yields the differences between the published layers and the server. `of` limits the comparison to a workspace or
 * layer.
 */
async function* drift(comparison: Comparison, of?: MapServerScope): AsyncGenerator<MapServerDrift> {
  const { server, layers, signal } = comparison;
  signal?.throwIfAborted();
  if (of?.layer !== undefined) {
    yield* driftOfLayer(comparison, { workspace: of.workspace, name: of.layer });
    return;
  }
  const existing = new Set(await workspaceNames(server.client));
  const all = of === undefined ? [...(await layers.workspaces()), ...existing] : [of.workspace];
  for (const workspace of new Set(all))
    yield* driftOfWorkspace(comparison, { workspace, exists: existing.has(workspace) });
}

async function* driftOfLayer(
  { server, layers, openFile }: Comparison,
  { workspace, name }: Pick<MapLayer, 'workspace' | 'name'>,
): AsyncGenerator<MapServerDrift> {
  const layer = await layers.find(workspace, name);
  const problem = layer && (await problemOf({ server, openFile }, layer));
  if (problem !== undefined) yield { workspace, layer: name, ...problem };
}

async function* driftOfWorkspace(
  { server, layers, openFile, foreign, signal }: Comparison,
  { workspace, exists }: { readonly workspace: string; readonly exists: boolean },
): AsyncGenerator<MapServerDrift> {
  if (!exists)
    yield { workspace, layer: null, problem: 'missing', message: `the workspace ${workspace} does not exist` };
  const there = new Set(exists ? await layerNames(server.client, workspace) : []);
  for await (const layer of layers.list(workspace)) {
    signal?.throwIfAborted();
    there.delete(layer.name);
    const problem = await problemOf({ server, openFile }, layer);
    if (problem !== undefined) yield { workspace, layer: layer.name, ...problem };
  }
  for (const name of there) {
    signal?.throwIfAborted();
    const key = `${workspace}:${name}`;
    if (foreign.has(key)) continue;
    // Layers of other programs must not be removed.
    if ((await ownKinds(server, workspace, name)).length === 0) foreign.add(key);
    else
      yield {
        workspace,
        layer: name,
        problem: 'unknown',
        message: `${key} is on the map server but is no longer published`,
      };
  }
}

async function problemOf(
  { server, openFile }: Pick<Comparison, 'server' | 'openFile'>,
  layer: MapLayer,
): Promise<Pick<MapServerDrift, 'problem' | 'message'> | undefined> {
  const key = `${layer.workspace}:${layer.name}`;
  const found = await foundLayer(server, layer);
  if (found === undefined) return { problem: 'missing', message: `${key} is not on the map server` };
  if (found.owner === 'other' || found.owner === 'unknown')
    return {
      problem: 'missing',
      message: `${key} on the map server is a layer that this installation did not publish`,
    };
  if (found.version !== versionKeyword(layer.version))
    return { problem: 'outdated', message: `${key} is on the map server in another version than the published one` };
  if (found.owner === 'older')
    return {
      problem: 'outdated',
      message: `${key} is on the map server, but an older version of this service published it without the id of the installation`,
    };
  if (layer.sldKey === null || found.isStyleRefused || (await hasOwnStyle(server, layer))) return undefined;
  // A style without its file cannot be repaired. The layer has the default style, as in the embedded map server.
  if ((await openFile(layer.sldKey)) === undefined) return undefined;
  return { problem: 'style', message: `${key} has another style on the map server than the published one` };
}

/** Checks a GeoServer with one attempt per request; see `MapServer.probe`. */
export const probeGeoServer = (settings: GeoServerSettings): Promise<string> =>
  probeClient(new RestClient({ ...settings, attempts: 1 }, { fetch: globalThis.fetch, sleep, random: Math.random }));

async function probeClient(client: RestClient): Promise<string> {
  if (!(await client.isReady()))
    throw new DomainError('unavailable', 'the map server is not ready; wait, or look into its log');
  const version = await versionOf(client);
  return `GeoServer ${version}${isOld(version) ? ', a version with known security holes: use 2.28, 3.0 or newer' : ''}`;
}

async function versionOf(client: RestClient): Promise<string> {
  const about = await client.resource(['about', 'version']);
  const own = asArray(member(about, 'about', 'resource')).find((each) => member(each, '@name') === 'GeoServer');
  const version = member(own, 'Version');
  return typeof version === 'string' || typeof version === 'number' ? String(version) : 'of an unknown version';
}

function isOld(version: string): boolean {
  const [major = Number.NaN, minor = Number.NaN] = version.split('.').map(Number);
  return major < SAFE[0] || (major === SAFE[0] && minor < SAFE[1]);
}

type DataParts = Pick<GeoServerParts, 'openFile' | 'url'> & { readonly tables: FeatureTables };

/** Data and style to upload. The data are the COG of a raster, or a zipped Shapefile of a vector layer. */
async function uploadOf(parts: DataParts, layer: MapLayer): Promise<LayerUpload> {
  const table = layer.kind === 'vector' ? await parts.tables.of(layer) : undefined;
  const style = await textOf(parts, layer.sldKey);
  const columns = new Set([layer.geometryName, ...(table?.columns ?? []).map(({ name }) => name)]);
  // An unsafe style is not uploaded; the layer gets the default style of the GeoServer.
  const isStyleRefused = style !== null && !isSafeStyle(style, columns);
  const sld = isStyleRefused ? null : style;
  if (table !== undefined) {
    const { data, renamed } = await shapefileUpload(layer, table, parts.url);
    const abstract = layer.abstract + renamedLine(renamed);
    return {
      layer: { ...layer, abstract },
      data,
      sld: sld === null ? null : withCutNames(sld, renamed),
      isStyleRefused,
    };
  }
  const file = await parts.openFile(layer.assetKey);
  if (file === undefined)
    throw new DomainError(
      'unavailable',
      `${layer.name}: the stored file of this layer is missing; compute or import the layer again`,
    );
  const { bytes: length } = file;
  const stream = (): ReadableStream<Uint8Array> => (length === 0 ? new Blob([]).stream() : file.stream(0, length - 1));
  return { layer, data: { length, stream }, sld, isStyleRefused };
}

async function textOf(parts: Pick<MapServerParts, 'openFile'>, key: string | null): Promise<string | null> {
  const bytes = key === null ? undefined : await bytesOf(parts, key);
  return bytes === undefined ? null : new TextDecoder().decode(bytes);
}

async function bytesOf({ openFile }: Pick<MapServerParts, 'openFile'>, key: string): Promise<Uint8Array | undefined> {
  const file = await openFile(key);
  if (file === undefined) return undefined;
  return file.bytes === 0 ? new Uint8Array() : await new Response(file.stream(0, file.bytes - 1)).bytes();
}
