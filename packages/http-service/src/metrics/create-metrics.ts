import type { Metrics, MetricsOptions } from '../seam/metrics.ts';
import { createDatabaseFigures, type FiguresParts } from './database-figures.ts';
import { createProcessFigures } from './process-figures.ts';
import { createRegistry, METRICS_TYPE, type Family, type Sample } from './registry.ts';

/** Figures that a service counts in its own process. */
export interface ServiceFigures {
  readonly inProgress: number;
  readonly eventStreams: number;
  readonly sentBytes: number;
}

/** Inputs of the metrics. */
export interface MetricsParts extends FiguresParts {
  readonly version: string;
  readonly options: MetricsOptions;
  /** Figures of the service; absent in a worker process, which has no service. */
  readonly service?: (() => ServiceFigures) | undefined;
  readonly freeBytes?: (() => Promise<number>) | undefined;
  /** Number of layers that wait for their publication at the map server. */
  readonly pendingLayers?: (() => number) | undefined;
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const RUN_SECONDS = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400];

/** Creates the metrics of a process, and starts to measure the delay of its event loop. */
export function createMetrics(parts: MetricsParts): Metrics {
  const registry = createRegistry();
  const ofProcess = createProcessFigures();
  const ofDatabase = createDatabaseFigures(parts);
  const requests = registry.counter('headwater_http_requests_total', 'Requests by operation and status.');
  const seconds = registry.histogram(
    'headwater_http_request_duration_seconds',
    'Time until a response begins.',
    REQUEST_SECONDS,
  );
  const runs = registry.histogram(
    'headwater_run_duration_seconds',
    'Time of each attempt of this process to compute a run.',
    RUN_SECONDS,
  );
  const plans = registry.histogram(
    'headwater_plan_duration_seconds',
    'Time of the pixel computations in this process.',
    RUN_SECONDS,
  );
  const pixels = registry.counter('headwater_pixels_read_total', 'Pixels that this process decoded from scenes.');
  pixels.add({}, 0);
  return {
    type: METRICS_TYPE,
    observe: ({ name, value, labels }) => {
      const { operation = 'none', status = 'none', pipeline = 'other', outcome = 'failed' } = labels;
      if (name === 'http.server.request.duration') {
        requests.add({ operation, status });
        seconds.observe({ operation }, value);
      } else if (name === 'headwater.run.duration') {
        runs.observe({ pipeline, outcome }, value);
      } else if (name === 'headwater.plan.duration') plans.observe({ outcome }, value);
      else pixels.add({}, value);
    },
    text: async () => {
      const [database, disk] = await Promise.all([ofDatabase(), diskOf(parts)]);
      const info: Family = {
        name: 'headwater_info',
        type: 'gauge',
        help: 'Version of the software; the value is always 1.',
        samples: [{ labels: { version: parts.version }, value: 1 }],
      };
      return registry.text([
        info,
        ...ofProcess.families(),
        ...serviceOf(parts),
        ...poolsOf(parts),
        ...sceneCacheOf(parts),
        ...disk,
        ...database,
      ]);
    },
    close: () => ofProcess.close(),
  };
}

function serviceOf({ service, pendingLayers }: MetricsParts): readonly Family[] {
  const { inProgress = [], eventStreams = [], sentBytes = [] } = samplesOf(service?.());
  const pending = pendingLayers === undefined ? [] : [{ value: pendingLayers() }];
  return [
    family('headwater_http_requests_in_progress', 'Requests whose response is not complete.', inProgress),
    family('headwater_event_streams_open', 'Open event streams.', eventStreams),
    {
      name: 'headwater_http_sent_bytes_total',
      type: 'counter',
      help: 'Bytes of the bodies of responses.',
      samples: sentBytes,
    },
    family('headwater_map_server_pending_layers', 'Layers that the map server does not have yet.', pending),
  ];
}

function samplesOf(figures: ServiceFigures | undefined): Partial<Record<keyof ServiceFigures, readonly Sample[]>> {
  if (figures === undefined) return {};
  const { inProgress, eventStreams, sentBytes } = figures;
  return {
    inProgress: [{ value: inProgress }],
    eventStreams: [{ value: eventStreams }],
    sentBytes: [{ value: sentBytes }],
  };
}

function family(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, type: 'gauge', help, samples };
}

function poolsOf({ options: { pools } }: MetricsParts): readonly Family[] {
  const all = pools?.() ?? [];
  return [
    family(
      'headwater_database_pool_connections',
      'Connections to the database.',
      all.flatMap(({ name: pool, idle, busy }) => [
        { labels: { pool, state: 'idle' }, value: idle },
        { labels: { pool, state: 'busy' }, value: busy },
      ]),
    ),
    family(
      'headwater_database_pool_waiting',
      'Statements that wait for a connection.',
      all.map(({ name: pool, waiting: value }) => ({ labels: { pool }, value })),
    ),
    family(
      'headwater_database_pool_limit',
      'Maximum number of connections.',
      all.map(({ name: pool, limit: value }) => ({ labels: { pool }, value })),
    ),
  ];
}

function sceneCacheOf({ options: { sceneCache } }: MetricsParts): readonly Family[] {
  const { hits, misses, hitBytes, missBytes } = sceneCache?.() ?? {};
  const samples = (hit: number | undefined, miss: number | undefined): readonly Sample[] =>
    hit === undefined || miss === undefined
      ? []
      : [
          { labels: { outcome: 'hit' }, value: hit },
          { labels: { outcome: 'miss' }, value: miss },
        ];
  const counter = { type: 'counter' } as const;
  return [
    {
      ...counter,
      name: 'headwater_scene_cache_blocks_total',
      help: 'Blocks of remote scenes that this process read.',
      samples: samples(hits, misses),
    },
    {
      ...counter,
      name: 'headwater_scene_cache_bytes_total',
      help: 'Bytes of the blocks of remote scenes that this process read.',
      samples: samples(hitBytes, missBytes),
    },
  ];
}

async function diskOf({ freeBytes }: MetricsParts): Promise<readonly Family[]> {
  // If the disk cannot be read, the metric has no value; the health report contains the failure.
  const free = await freeBytes?.().catch(() => undefined);
  const samples = free === undefined ? [] : [{ value: free }];
  return [family('headwater_disk_free_bytes', 'Free space on the disk of results.', samples)];
}
