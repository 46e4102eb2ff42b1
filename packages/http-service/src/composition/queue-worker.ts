import { createPipelineRegistry, type RunWorker, SILENT, systemTimers, type WorkerSettings } from '@headwater/core';
import { createRunSignals, orderPipeline, withItemForm, relayChanges } from '@headwater/core/runs';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import type { Stores } from '@headwater/identity';
import { runInStages } from './closer.ts';
import type { ComputeParts, HeadwaterOptions } from '../headwater-options.ts';
import { itemForm, type ItemFormOptions } from '../items/item-form.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import type { Metrics } from '../seam/metrics.ts';
import { makeWorker } from './make-worker.ts';
import { createTelemetry, withReceiver } from './telemetry.ts';
import { workService } from '../features/work-service/settings.ts';

/** Options of a worker in its own process. For options that `createHeadwater` also has, see `HeadwaterOptions`. */
export interface QueueWorkerOptions extends Pick<
  HeadwaterOptions,
  | 'pipelines'
  | 'mapServerUrl'
  | 'publication'
  | 'remedies'
  | 'version'
  | 'workService'
  | 'clock'
  | 'logger'
  | 'telemetry'
  | 'metrics'
  | 'freeBytes'
> {
  /** The stores of the service. The run store is the queue. The worker closes the stores. */
  readonly stores: Stores;
  /** Engine, sources and file store. The service must serve the files of this store. */
  readonly compute: ComputeParts;
  readonly settings?: Partial<WorkerSettings>;
  readonly baseUrl?: string;
  /** Map server. Stored Items link to its maps. Default: no links to maps. */
  readonly mapServer?: ItemFormOptions['mapServer'];
}

/** A worker in its own process. */
export interface QueueWorker {
  readonly worker: RunWorker;
  readonly metrics: Metrics | undefined;
  /** Stops the worker and closes the stores. Runs that are unfinished after `graceMs` return to the queue. */
  close(graceMs: number): Promise<void>;
}

/**
 * Creates a worker without a service, for the runs in the queue of the stores. The worker is idle before
 * `worker.start()`.
 */
export function createQueueWorker(options: QueueWorkerOptions): QueueWorker {
  const { settings = {}, version = '0.0.0', logger = SILENT, freeBytes } = options;
  const { clock = { now: () => new Date() } } = options;
  const work = workService(options.workService ?? {});
  const signals = createRunSignals();
  const metrics =
    options.metrics &&
    createMetrics({
      stores: options.stores,
      options: options.metrics,
      pipelines: new Set(options.pipelines?.map(({ name }) => name)),
      version,
      clock,
      timers: systemTimers,
      freeBytes,
    });
  const given = { pipelines: options.pipelines ?? [], compute: options.compute, stores: options.stores };
  const telemetry = createTelemetry(withReceiver(options.telemetry, metrics?.observe), { version, logger });
  const { pipelines, compute = options.compute, stores } = telemetry?.parts(given) ?? given;
  const worker = makeWorker({
    registry: createPipelineRegistry([...pipelines, orderPipeline]),
    remedies: { ...DEFAULT_REMEDIES, ...options.remedies },
    ...(options.mapServerUrl === undefined ? {} : { mapServerUrl: options.mapServerUrl }),
    stores: { ...stores, runs: withItemForm(itemForm(options), stores.runs) },
    compute,
    signals,
    settings: { mostUnowned: work.atOnce, keepRegionsMs: work.keepRegionsMs, ...settings },
    version,
    clock,
    logger,
  });
  const endRelay = relayChanges(stores.changes, signals);
  let closed: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    await runInStages([
      [() => worker.stop({ graceMs })],
      [() => compute.pixels.close()],
      [endRelay, () => metrics?.close()],
      [() => stores.close()],
    ]);
  };
  return { worker, metrics, close: (graceMs) => (closed ??= close(graceMs)) };
}
