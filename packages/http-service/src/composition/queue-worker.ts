import { createPipelineRegistry, type RunWorker, SILENT, type WorkerSettings } from '@headwater/core';
import { createRunSignals, orderPipeline, publishingIn, relayChanges } from '@headwater/core/runs';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import type { Stores } from '@headwater/identity';
import { endInTurn } from './closer.ts';
import type { ComputeParts, HeadwaterOptions } from '../headwater-options.ts';
import { itemForm } from '../items/item-form.ts';
import { makeWorker } from './make-worker.ts';
import { workService } from '../features/work-service/settings.ts';

/** What a worker in a process of its own takes; what it shares with the service means the same here. */
export interface QueueWorkerOptions extends Pick<
  HeadwaterOptions,
  'pipelines' | 'mapServerUrl' | 'publication' | 'remedies' | 'version' | 'workService' | 'clock' | 'logger'
> {
  /** Those of the service: the runs are the queue. Closed with the worker. */
  readonly stores: Stores;
  /** Files go where the service serves them from. */
  readonly compute: ComputeParts;
  readonly settings?: Partial<WorkerSettings>;
  /** Public address of the service: what it is in Items in full becomes the stand-in for it, as the service does it. */
  readonly baseUrl?: string;
}

/** A worker in a process of its own. */
export interface QueueWorker {
  readonly worker: RunWorker;
  /** Puts running work back in the queue after `graceMs`, and closes pixels and stores. Safe to call twice. */
  close(graceMs: number): Promise<void>;
}

/**
 * The worker of `createHeadwater` without its service, for a process that only computes what services on the same stores have queued. It hears
 * of new runs and of cancels as they are written, and what it writes is heard there. Nothing is claimed before `worker.start()`.
 */
export function createQueueWorker(options: QueueWorkerOptions): QueueWorker {
  const { stores, compute, settings = {}, version = '0.0.0', logger = SILENT } = options;
  const { clock = { now: () => new Date() } } = options;
  const signals = createRunSignals();
  const worker = makeWorker({
    registry: createPipelineRegistry([...(options.pipelines ?? []), orderPipeline]),
    remedies: { ...DEFAULT_REMEDIES, ...options.remedies },
    ...(options.mapServerUrl === undefined ? {} : { mapServerUrl: options.mapServerUrl }),
    stores: { ...stores, runs: publishingIn(itemForm(options), stores.runs) },
    compute,
    signals,
    settings: { mostUnowned: workService(options.workService ?? {}).atOnce, ...settings },
    version,
    clock,
    logger,
  });
  const endRelay = relayChanges(stores.changes, signals);
  let closed: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    await endInTurn([
      [() => worker.stop({ graceMs })],
      [() => compute.pixels.close()],
      [endRelay],
      [() => stores.close()],
    ]);
  };
  return { worker, close: (graceMs) => (closed ??= close(graceMs)) };
}
