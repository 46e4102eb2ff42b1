import type { Clock, Logger, Remedies, RunWorker, WorkerSettings } from '@headwater/core';
import { createPublishedLayers } from '@headwater/core/pipelines';
import { createRunWorker, type PipelineRegistry, type RunSignals } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';
import { validateItem } from '@headwater/stac';
import type { ComputeParts } from '../headwater-options.ts';
import { storedAddresses } from '../wire/addresses.ts';

/** Parts that a worker needs, in the service or in a separate process. */
export interface WorkerParts {
  readonly registry: PipelineRegistry;
  readonly stores: Stores;
  readonly compute: ComputeParts;
  readonly signals: RunSignals;
  readonly settings: Partial<WorkerSettings>;
  readonly remedies: Remedies;
  readonly version: string;
  readonly mapServerUrl?: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates a worker that publishes the results of its runs. The worker is idle before `start`. */
export function makeWorker(parts: WorkerParts): RunWorker {
  const { registry, stores, compute, remedies, version, signals, settings, clock, logger } = parts;
  const { sceneEngines, ...ports } = compute;
  const published = createPublishedLayers(stores, compute.assets);
  // Stored Items contain a placeholder instead of the public address, which may change.
  const addresses = storedAddresses(parts.mapServerUrl);
  const { places, runs } = stores;
  const now = (): Date => clock.now();
  return createRunWorker({
    runs,
    pipelines: registry,
    sceneEngines,
    ports: { ...ports, places, published, addresses, remedies, version, now },
    checkItem: (item) => validateItem(item, 'headwater'),
    signals,
    clock,
    logger,
    settings,
  });
}
