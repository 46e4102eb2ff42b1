import { z } from 'zod';
import { DEFAULT_REMEDIES } from '../pipelines/needs.ts';
import { outlineDigest } from '../geo/outline-digest.ts';
import type { Outline } from '../geo/outlines.ts';
import { BOUNDARY } from '../pipelines/item-properties.ts';
import { type LayerNeed, nameOfNeed, versionsOfNeeds, type Need } from '../pipelines/needs.ts';
import { collectionOf, type PlaceSlugs } from '../places/place-slugs.ts';
import type { Pipeline, PipelinePorts } from '../pipelines/pipeline.ts';
import { createPublishedLayers } from '../pipelines/published.ts';
import { createMemoryAssets, type MemoryAssets } from '../memory/assets.ts';
import { createMemoryDomainStores } from '../memory/stores.ts';
import type { ElevationSource } from '../ports/earth-observation.ts';
import type { PublishedLayers } from '../ports/published.ts';
import type { Deliverable, Run, RunStore } from '../ports/runs.ts';
import type { DomainStores } from '../ports/stores.ts';
import { noAddresses, noPixels, principal } from './bench.fixture.ts';
import { orderPipeline } from './order.ts';
import { createPipelineRegistry } from './registry.ts';
import { createRunService, type StartableRunService } from './service.ts';
import { createRunSignals } from './signals.ts';
import type { AnyPipeline, PipelineRegistry, RunPrincipal, RunWorker } from './types.ts';
import { createRunWorker } from './worker.ts';

const params = z.object({ tehsilId: z.int(), year: z.int() });
type Params = z.infer<typeof params>;
/** A pipeline of `NeedsWorld`. */
export type WorldPipeline = Pipeline<Params, Params>;

/**
 * A run service with pipelines for a land cover map, a table from the map, and a report from the table and elevations.
 */
export interface NeedsWorld {
  readonly stores: DomainStores;
  readonly assets: MemoryAssets;
  readonly service: StartableRunService;
  readonly pipelines: PipelineRegistry;
  readonly published: PublishedLayers;
  readonly owner: RunPrincipal;
  readonly worker: (runs?: RunStore) => RunWorker;
  /** Present boundary of the tehsil; if `clip` is empty, the Items of the map have no boundary digest. */
  readonly land: { clip: readonly Outline[] };
  /** Years for which the map was computed, in the order of the computations. */
  readonly made: string[];
  readonly close: () => Promise<void>;
}

/** Builds a pipeline with these members; without `execute` it publishes nothing. */
export function pipelineOf(name: string, rest: Partial<WorldPipeline> = {}): WorldPipeline {
  return {
    name,
    route: `generate_${name}`,
    aliases: [],
    summary: name,
    examples: [{ name: 'first', request: { tehsilId: 1, year: 2020 } }],
    messages: { initiated: `${name} initiated`, finished: `${name} finished` },
    request: params,
    resolve: async (request) => request,
    params,
    steps: [{ name: 'work', weight: 1 }],
    fingerprint: ({ tehsilId, year }) => `${tehsilId}:${year}`,
    execute: async () => ({ items: [], layers: [], timings: {} }),
    ...rest,
  };
}

/** Returns the need for the map that `lulc` computes for a year. */
export function mapNeed({ tehsilId, year }: Params): LayerNeed {
  const request = { tehsilId, year };
  return {
    kind: 'layer',
    workspace: 'lulc',
    layerName: `map_${tehsilId}_${year}`,
    tehsilId,
    pipeline: 'lulc',
    request,
  };
}

function tableNeed({ tehsilId, year }: Params): Need {
  return { kind: 'table', name: `areas_${year}`, tehsilId, pipeline: 'areas', request: { tehsilId, year } };
}

const names = { state: 's', district: 'd', block: 'b' };
const SLUGS: PlaceSlugs = { ...names, layer: 'd_b', formerLayer: 's_d_b', former: names };

async function publishMap(
  { tehsilId, year }: Params,
  text: string,
  { ports, run, clip }: { readonly ports: PipelinePorts; readonly run: Run; readonly clip: readonly Outline[] },
): Promise<Deliverable> {
  await ports.assets.begin(run.id, run.token);
  const file = await ports.assets.write(run.id, run.token, 'map.tif', text);
  const need = mapNeed({ tehsilId, year });
  const { layerName } = need;
  const boundary = clip.length === 0 ? {} : { properties: { [BOUNDARY]: outlineDigest(clip) } };
  const item = { id: layerName, collectionPath: collectionOf(SLUGS), item: { id: layerName, text, ...boundary } };
  const names = { workspace: 'lulc', layerName, datasetName: 'LULC', tehsilId, itemId: layerName };
  const layer = { ...names, layerType: 'raster', assetKey: file.key, styleKey: null } as const;
  return { items: [item], layers: [layer], timings: {}, inputs: `scenes of ${year}` };
}

/** Builds a `NeedsWorld`; `more` are further pipelines. */
export function needsWorld(more: readonly AnyPipeline[] = [], elevation?: ElevationSource): NeedsWorld {
  const stores = createMemoryDomainStores();
  const assets = createMemoryAssets();
  const signals = createRunSignals();
  const clock = { now: () => new Date() };
  const made: string[] = [];
  const land: NeedsWorld['land'] = { clip: [] };
  const lulc = pipelineOf('lulc', {
    execute: async (params, ports, { run }) => {
      made.push(String(params.year));
      return publishMap(params, `map ${made.length} of ${params.year}`, { ports, run, clip: land.clip });
    },
  });
  const areas = pipelineOf('areas', {
    dependsOn: ['lulc'],
    needs: (params) => [{ ...mapNeed(params), place: { clip: land.clip, slugs: SLUGS } }],
    inputs: (params, { published }) => versionsOfNeeds([mapNeed(params)], { published }),
    execute: async ({ tehsilId, year }, { published }) => {
      const inputs = await versionsOfNeeds([mapNeed({ tehsilId, year })], { published });
      const { file, path, item } = await published.layerFile('lulc', `map_${tehsilId}_${year}`);
      const text = await new Response(file.stream(0, file.bytes - 1)).text();
      const columns = ['uid', 'text', 'path', 'item'].map(
        (name) => ({ name, type: 'text', description: name }) as const,
      );
      const rows = [{ uid: '1', text, path, item: JSON.stringify(item?.item) }];
      return {
        items: [],
        layers: [],
        tables: [{ name: `areas_${year}`, tehsilId, key: 'uid', columns, rows }],
        timings: {},
        inputs,
      };
    },
  });
  const report = pipelineOf('report', {
    dependsOn: ['areas'],
    needs: async (params) => [
      { kind: 'dem', box: [70, 20, 71, 21] },
      tableNeed(params),
      tableNeed({ ...params, year: params.year + 1 }),
    ],
  });
  const pipelines = createPipelineRegistry([lulc, areas, report, orderPipeline, ...more]);
  const earthObservation = { search: async () => ({ scenes: [], rejected: [] }) };
  const shared = { ...(elevation === undefined ? {} : { elevation }), earthObservation };
  const service = createRunService({ stores, signals, clock, pipelines, ...shared, openRunsPerUser: 3, followMs: 20 });
  const published = createPublishedLayers(stores, assets);
  const workers: RunWorker[] = [];
  const worker = (runs = stores.runs): RunWorker => {
    const { places } = stores;
    const rest = {
      remedies: DEFAULT_REMEDIES,
      version: '0',
      now: () => clock.now(),
      addresses: noAddresses,
      pixels: noPixels,
    };
    const ports: PipelinePorts = { ...shared, ...rest, places, assets, published };
    const logger = { debug: () => {}, info: () => {}, error: () => {} };
    const settings = { idleMs: 60_000, concurrency: 2 };
    const added = createRunWorker({ runs, pipelines, ports, checkItem: () => [], signals, clock, logger, settings });
    workers.push(added);
    return added;
  };
  return {
    stores,
    assets,
    service,
    pipelines,
    published,
    owner: principal(1),
    worker,
    land,
    made,
    close: async () => void (await Promise.all(workers.map((each) => each.stop({ graceMs: 1000 })))),
  };
}

/** Returns the names in the details of a `missing_layer` error. */
export function missingOf(error: unknown): unknown {
  const details: unknown = Reflect.get(Object(error), 'details');
  return Reflect.get(Object(details), 'missing');
}

/** Returns the name of the need for a map. */
export const mapName = (year: number): string => nameOfNeed(mapNeed({ tehsilId: 1, year }));
