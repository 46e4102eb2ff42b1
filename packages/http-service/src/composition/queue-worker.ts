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

/**
 * Options of a worker in its own process. Options with the same names as options of `createHeadwater` have the same meaning here.
 */
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
  /** The stores of the service. The run store is the queue. The stores are closed together with the worker. */
  readonly stores: Stores;
  /** Engine, sources and file store. The service must serve the files of the same file store. */
  readonly compute: ComputeParts;
  readonly settings?: Partial<WorkerSettings>;
  /** Public address of the service. Stored Items contain a placeholder instead of this address, as in the service. */
  readonly baseUrl?: string;
  /** Map server of the services. The stored texts of Items contain addresses of this map server. Default: none. */
  readonly mapServer?: ItemFormOptions['mapServer'];
}

/** A worker in its own process. */
export interface QueueWorker {
  readonly worker: RunWorker;
  /** Metrics of this process; undefined without the option for metrics. */
  readonly metrics: Metrics | undefined;
  /**
   * Stops the worker: puts runs that are still running after `graceMs` back in the queue, then closes the pixel
   * engine and the stores. May be called twice.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Creates only the worker of `createHeadwater`, without a service. The process of the worker computes the runs that services with
 * the same stores have queued. The stores notify the worker of new and cancelled runs, and notify the services of changes of the
 * worker's runs. The worker claims nothing before `worker.start()`.
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
