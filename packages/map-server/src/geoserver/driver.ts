import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@headwater/core/errors';
import type { MapLayer, MapReply, MapRequest, MapServer, MapServerDrift, MapServerParts } from '@headwater/core/ports';
import { createKeyedLimiter } from '@headwater/core/timing';
import { createEmbeddedMapServer } from '../embedded.ts';
import { encodeFeatures } from '../encodings/index.ts';
import { createFeatureTables, type FeatureTables } from '../features/feature-table.ts';
import { exceptionReply } from '../protocol/exception-report.ts';
import { forward, type ForwardParts } from './forward.ts';
import {
  ensureWorkspace,
  type LayerUpload,
  layerNames,
  publishedVersion,
  publishLayer,
  unpublishLayer,
  versionKeyword,
} from './publish-layer.ts';
import { asArray, type GeoServerSettings, member, RestClient, type RestTools } from './rest-client.ts';

/** Parts of the GeoServer driver. */
export interface GeoServerParts extends MapServerParts {
  readonly settings: GeoServerSettings;
  /** Functions that tests replace. Default: the functions of the platform. */
  readonly tools?: Partial<RestTools>;
}

/** Oldest version (major, minor) without a known security hole that the checks of this driver cannot close. */
const SAFE = [2, 28] as const;
/** Number of publications at the same time. A GeoServer locks its catalogue during each publication. */
const CONCURRENCY = 2;
const MOST_WAITING = 100_000;

/**
 * Creates the driver of a GeoServer 2 or 3. The driver uploads layers by REST. It checks read requests, builds them again from their parsed
 * parameters, and forwards them without credentials.
 */
export function createGeoServer(parts: GeoServerParts): MapServer {
  const { settings, layers, tools = {} } = parts;
  const tables = createFeatureTables(parts);
  const embedded = createEmbeddedMapServer(parts);
  const fetch = tools.fetch ?? globalThis.fetch;
  const client = new RestClient(settings, {
    fetch,
    sleep: tools.sleep ?? ((ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal })),
    random: tools.random ?? Math.random,
  });
  const forwarding: ForwardParts = { root: client.root, fetch, layers, url: parts.url };
  const refuse = (): DomainError =>
    new DomainError('unavailable', 'too many layers wait for the map server; try again in a minute');
  const ofLayer = createKeyedLimiter({ concurrency: 1, maxWaiting: MOST_WAITING, refuse });
  const ofServer = createKeyedLimiter({ concurrency: CONCURRENCY, maxWaiting: MOST_WAITING, refuse });
  // Publications of one layer run one after the other, so the last one publishes the newest version.
  const inTurn = async (workspace: string, name: string, work: () => Promise<void>): Promise<void> =>
    await ofLayer.run(`${workspace}:${name}`, () => ofServer.run('', work));
  const publish = async (workspace: string, name: string): Promise<void> => {
    const layer = await layers.find(workspace, name);
    if (layer === undefined) return await unpublishLayer(client, workspace, name);
    if ((await publishedVersion(client, layer)) === versionKeyword(layer.version)) return;
    await publishLayer(client, {
      layer,
      data: await dataOf({ ...parts, tables }, layer),
      sld: await textOf(parts, layer.sldKey),
    });
  };
  return {
    kind: 'geoserver',
    capabilities: embedded.capabilities,
    answer: async (request) => {
      if (request.segments[0] === 'web') return await readyReply(client);
      if (!isForwarded(request)) return await embedded.answer(request);
      try {
        return await forward(forwarding, request);
      } catch (error) {
        const reply = exceptionReply(error, request);
        if (reply === undefined) throw error;
        return reply;
      }
    },
    publish: async (workspace, name) => await inTurn(workspace, name, () => publish(workspace, name)),
    unpublish: async (workspace, name) => await inTurn(workspace, name, () => unpublishLayer(client, workspace, name)),
    check: () => drift(client, layers),
    repair: async ({ workspace, layer }) =>
      layer === null
        ? await ensureWorkspace(client, workspace)
        : await inTurn(workspace, layer, () => publish(workspace, layer)),
    probe: async () => {
      if (!(await client.isReady()))
        throw new DomainError('unavailable', 'the map server is not ready; wait, or look into its log');
      const version = await versionOf(client);
      return `GeoServer ${version}${isOld(version) ? ', a version with known security holes: use 2.28, 3.0 or newer' : ''}`;
    },
    close: async () => await embedded.close(),
  };
}

const SERVICES: ReadonlySet<string> = new Set(['wfs', 'wcs', 'wms']);
/** Parameters with filters. They are answered here, so that no text of a client is evaluated by the GeoServer. */
const FILTERS = ['cql_filter', 'filter', 'featureid', 'resourceid'];

/**
 * True for a request that the GeoServer answers. Everything else is answered from the stored layers: filters, WCS 1.0 (GeoServer 3 no longer has
 * it), versions that this service published earlier, the interfaces of the OGC API, tiles and styles.
 */
function isForwarded({ segments, query }: MapRequest): boolean {
  const last = segments.at(-1) ?? '';
  const service = (last === 'ows' ? (query['service'] ?? '') : last).toLowerCase();
  if (!SERVICES.has(service) || segments.length > 2 || query['run'] !== undefined) return false;
  if (FILTERS.some((name) => query[name] !== undefined)) return false;
  return service !== 'wcs' || query['version'] === '2.0.1';
}

async function readyReply(client: RestClient): Promise<MapReply> {
  if (!(await client.isReady()))
    throw new DomainError('unavailable', 'the map server is not ready; wait, or look into its log');
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'The map server is ready.\n' };
}

/** Yields the layers that the server does not have, has in another version, or has although they are no longer published. */
async function* drift(client: RestClient, layers: MapServerParts['layers']): AsyncGenerator<MapServerDrift> {
  for (const workspace of await layers.workspaces()) {
    if ((await client.resource(['workspaces', workspace])) === undefined)
      yield { workspace, layer: null, problem: 'missing', message: `the workspace ${workspace} does not exist` };
    const there = new Set(await layerNames(client, workspace));
    for await (const layer of layers.list(workspace)) {
      there.delete(layer.name);
      const version = await publishedVersion(client, layer);
      if (version === versionKeyword(layer.version)) continue;
      const isMissing = version === undefined;
      yield {
        workspace,
        layer: layer.name,
        problem: isMissing ? 'missing' : 'outdated',
        message: isMissing
          ? `${workspace}:${layer.name} is not on the map server`
          : `${workspace}:${layer.name} is on the map server in another version`,
      };
    }
    for (const name of there) {
      // Layers of other programs in the same workspace are not ours to remove.
      if (!(await isOwn(client, workspace, name))) continue;
      yield {
        workspace,
        layer: name,
        problem: 'unknown',
        message: `${workspace}:${name} is on the map server and no longer published`,
      };
    }
  }
}

async function isOwn(client: RestClient, workspace: string, name: string): Promise<boolean> {
  for (const kind of ['raster', 'vector'] as const) {
    const version = await publishedVersion(client, { workspace, name, kind });
    if (version !== undefined) return version !== null;
  }
  return false;
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

/** The COG of a raster, or the features of a vector layer as a zipped Shapefile, whose column names have at most 10 bytes. */
async function dataOf(parts: DataParts, layer: MapLayer): Promise<LayerUpload['data']> {
  if (layer.kind === 'vector') return await shapefileOf(parts, layer);
  const file = await parts.openFile(layer.assetKey);
  if (file === undefined)
    throw new DomainError('unavailable', `${layer.name}: its stored file is missing; compute it again`);
  const { bytes: length } = file;
  return length === 0 ? new Uint8Array() : { length, stream: () => file.stream(0, length - 1) };
}

async function shapefileOf({ tables, url }: DataParts, layer: MapLayer): Promise<Uint8Array<ArrayBuffer>> {
  const table = await tables.of(layer);
  const { features, columns } = table;
  const { body } = encodeFeatures('shapefile', {
    layer,
    table,
    features,
    columns,
    version: '1.0.0',
    srs: 'EPSG:4326',
    axis: 'xy',
    numberMatched: features.length,
    timeStamp: new Date(),
    url,
  });
  const bytes = await new Response(
    typeof body === 'string' || body instanceof ReadableStream ? body : new Uint8Array(body),
  ).arrayBuffer();
  return new Uint8Array(bytes);
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
