import { DomainError } from '@headwater/core';
import type { DatedLayer, MapServer, MapServerDrift, MapServerScope } from '@headwater/core/ports';
import type { Ports } from '../../../deps.ts';
import { fewAtOnce } from '../../../items/few-at-once.ts';
import type { LayerStatus } from '../schemas/operators.ts';

/** The map server. Throws `unavailable` if the service has none. */
export function neededMapServer({ mapServer }: Ports<'mapServer'>): MapServer {
  if (mapServer !== undefined) return mapServer;
  throw new DomainError(
    'unavailable',
    'This service has no map server. Files of layers are served at the addresses of their Items; to serve maps, start the service with a map server.',
  );
}

const MOST_DIFFERENCES = 1000;

/** The first 1,000 differences between the published layers and the map server's layers. */
export async function differencesOf(
  server: MapServer,
  of: MapServerScope,
  signal: AbortSignal,
): Promise<readonly MapServerDrift[]> {
  const found: MapServerDrift[] = [];
  for await (const drift of server.check(of, signal)) {
    found.push(drift);
    if (found.length === MOST_DIFFERENCES) break;
  }
  return found;
}

/** True for a difference that keeps the map server from serving the layer. */
export const isMissing = ({ problem }: MapServerDrift): boolean => problem === 'missing';

/** Statuses of a tehsil's layers by display name: published layers, then datasets without a layer. */
export async function layerStatuses(
  deps: Ports<'mapServer' | 'stores'>,
  tehsilId: number,
  signal: AbortSignal,
): Promise<Readonly<Record<string, LayerStatus>>> {
  const server = neededMapServer(deps);
  const [layers, datasets] = await Promise.all([deps.stores.catalog.layersOf(tehsilId), deps.stores.places.datasets()]);
  const counts = new Map<string, number>();
  for (const { datasetName } of layers) counts.set(datasetName, (counts.get(datasetName) ?? 0) + 1);
  const served = await fewAtOnce(layers, async (layer) => {
    const { datasetName: name, layerName } = layer;
    const title = counts.get(name) === 1 ? name : `${name} (${layerName})`;
    return [title, await statusOf(server, layer, signal)] as const;
  });
  const lacking = datasets.filter(({ name, workspace }) => !counts.has(name) && workspace !== '');
  return Object.fromEntries([
    ...served,
    ...lacking.map(({ name, workspace }) => [name, { ...ABSENT, workspace, layer_name: '' }] as const),
  ]);
}

const ABSENT = { status_code: 400, totalFeature: 0, startDate: null, endDate: null } as const;

async function statusOf(
  server: MapServer,
  { workspace, layerName, layerType, start, end }: DatedLayer,
  signal: AbortSignal,
): Promise<LayerStatus> {
  const named = { workspace, layer_name: layerName, startDate: start, endDate: end };
  const problems = await differencesOf(server, { workspace, layer: layerName }, signal);
  if (problems.some(isMissing)) return { ...ABSENT, ...named };
  if (layerType === 'raster') return { ...named, status_code: 200, totalFeature: 0 };
  const totalFeature = await countOf(server, `${workspace}:${layerName}`, signal);
  return { ...named, status_code: totalFeature > 0 ? 200 : 400, totalFeature };
}

async function countOf(server: MapServer, typename: string, signal: AbortSignal): Promise<number> {
  const [workspace = ''] = typename.split(':');
  const query = { service: 'WFS', version: '1.1.0', request: 'GetFeature', typename, resulttype: 'hits' };
  const { body } = await server.answer({ method: 'GET', segments: [workspace, 'ows'], query, headers: {}, signal });
  const text = typeof body === 'string' ? body : '';
  return Number(/ numberOfFeatures="(\d+)"/.exec(text)?.[1] ?? 0);
}
