import { messageOf } from '@headwater/core/errors';
import type {
  MapLayer,
  MapReply,
  MapRequest,
  MapServer,
  MapServerCapabilities,
  MapServerDrift,
  MapServerParts,
  MapServerScope,
} from '@headwater/core/ports';
import { openLayer } from './drawing/drawing.ts';
import { createFeatureTables } from './features/feature-table.ts';
import { featuresApi } from './features-api/index.ts';
import type { EmbeddedParts, Protocol } from './parts.ts';
import { exceptionReply } from './protocol/exception-report.ts';
import { ogcAbsent, ogcError } from './protocol/ogc-error.ts';
import { checkName } from './protocol/names.ts';
import { createTurns } from './protocol/turns.ts';
import { createLayerStyles } from './styles/layer-styles.ts';
import { styleFile } from './wms/style-file.ts';
import { ogcTiles } from './tiles/ogc-tiles.ts';
import { xyzTiles } from './tiles/xyz.ts';
import { WCS_VERSIONS } from './wcs/coverage.ts';
import { wcs } from './wcs/wcs.ts';
import { WFS_VERSIONS } from './wfs/wfs-request.ts';
import { wfs } from './wfs/wfs.ts';
import { WMS_VERSIONS } from './wms/map-request.ts';
import { wms } from './wms/wms.ts';

/** Protocols by the last segment of the path; for `ows`, by the parameter `service`. */
const SERVICES: Readonly<Record<string, Protocol | undefined>> = { wfs, wcs, wms };

/** Protocols with paths of their own, by the first segments. */
const PATHS: Readonly<Record<string, Protocol | undefined>> = {
  web: ready,
  styles: styleFile,
  'ogc/features/v1': featuresApi,
  tiles: xyzTiles,
  'ogc/tiles/v1': ogcTiles,
};

/** Service names in a path. At `ows`, the parameter `service` selects the service. */
const SERVICE_NAMES: ReadonlySet<string> = new Set(['ows', 'wfs', 'wcs', 'wms']);

/** Capability flags of the embedded map server, with or without access to pixels. */
export function embeddedCapabilities(hasPixels: boolean): MapServerCapabilities {
  return {
    wfs: WFS_VERSIONS,
    wcs: hasPixels ? WCS_VERSIONS : [],
    wms: hasPixels ? WMS_VERSIONS : [],
    features: true,
    tiles: true,
    cqlFilter: true,
    styles: ['sld', 'qml'],
  };
}

/** Creates the map server that reads the published layers; it stores nothing. */
export function createEmbeddedMapServer(parts: MapServerParts): MapServer {
  const own: EmbeddedParts = {
    ...parts,
    tables: createFeatureTables(parts),
    styles: createLayerStyles(parts),
    turns: createTurns(),
  };
  return {
    kind: 'embedded',
    capabilities: embeddedCapabilities(parts.pixels !== undefined),
    answer: async (request) => {
      try {
        return await (
          await protocolOf(own, request)
        )(own, request);
      } catch (error) {
        const reply = exceptionReply(error, request);
        if (reply === undefined) throw error;
        return reply;
      }
    },
    // Every request reads the catalogue, so a published layer is served at once.
    publish: async () => {},
    unpublish: async () => {},
    check: (of, signal) => faults(own, of, signal),
    layersIn: async (workspace) => {
      if (!(await own.layers.workspaces()).includes(workspace)) return undefined;
      const names: string[] = [];
      for await (const { name } of own.layers.list(workspace)) names.push(name);
      return names.toSorted();
    },
    // Creates nothing: a workspace exists as soon as it has a published layer.
    createWorkspace: async (name) => {
      checkName('workspace', name);
      return !(await own.layers.workspaces()).includes(name);
    },
    // Does nothing, because only a new run can make the files of a layer again.
    repair: async () => {},
    probe: async () => 'embedded',
    close: async () => await parts.pixels?.close(),
  };
}

/** Yields the layers whose file or style cannot be served. */
async function* faults(
  parts: EmbeddedParts,
  of?: MapServerScope,
  signal?: AbortSignal,
): AsyncGenerator<MapServerDrift> {
  for await (const layer of layersOf(parts, of)) {
    signal?.throwIfAborted();
    const { workspace, name } = layer;
    const tried = [
      ['missing', async () => await fileProblem(parts, layer)],
      ['style', async () => void (await parts.styles.of(layer))],
    ] as const;
    for (const [problem, work] of tried) {
      const reason = await work().catch((error: unknown) => messageOf(error));
      if (reason === undefined) continue;
      const named = reason.startsWith(`${name}: `) ? reason : `${name}: ${reason}`;
      yield { workspace, layer: name, problem, message: `${workspace}:${named}` };
      break;
    }
  }
}

/** Published layers of the scope; all without a scope. */
async function* layersOf({ layers }: Pick<MapServerParts, 'layers'>, of?: MapServerScope): AsyncGenerator<MapLayer> {
  if (of?.layer === undefined) {
    yield* layers.list(of?.workspace);
    return;
  }
  const layer = await layers.find(of.workspace, of.layer);
  if (layer !== undefined) yield layer;
}

async function fileProblem(parts: EmbeddedParts, layer: MapLayer): Promise<string | undefined> {
  if ((await parts.openFile(layer.assetKey)) === undefined)
    return `${layer.name}: the stored file of this layer is missing; compute or import the layer again`;
  if (layer.kind === 'vector') await parts.tables.of(layer);
  else if (parts.pixels !== undefined) await openLayer(parts, layer);
  return undefined;
}

async function ready(): Promise<MapReply> {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'The map server is ready.\n' };
}

async function protocolOf({ layers }: EmbeddedParts, { segments, query }: MapRequest): Promise<Protocol> {
  const path = named(PATHS, segments.slice(0, 3).join('/')) ?? named(PATHS, segments[0] ?? '');
  if (path !== undefined) return path;
  const [workspace, name = workspace] = segments;
  if (name === undefined || segments.length > 2 || !SERVICE_NAMES.has(name))
    throw ogcAbsent('NotFound', 'path', `path: nothing is at "${segments.join('/')}"; use ows, wfs, wcs or wms`);
  if (segments.length === 2 && !(await layers.workspaces()).includes(workspace ?? ''))
    throw ogcAbsent(
      'InvalidParameterValue',
      'workspace',
      `workspace: "${workspace?.slice(0, 100)}" is unknown; use the workspace in the href of an asset of a STAC Item`,
    );
  const service = name === 'ows' ? query['service']?.toLowerCase() : name;
  if (service === undefined)
    throw ogcError('MissingParameterValue', 'service', 'service: missing; send service=WFS, WCS or WMS');
  const protocol = named(SERVICES, service);
  if (protocol === undefined)
    throw ogcError('InvalidParameterValue', 'service', `service: "${service}" is not offered; send WFS, WCS or WMS`);
  return protocol;
}

/** Protocol of a name. Only own members of the object count, so that `toString` is not a protocol. */
function named(protocols: Readonly<Record<string, Protocol | undefined>>, name: string): Protocol | undefined {
  return Object.hasOwn(protocols, name) ? protocols[name] : undefined;
}
