import {
  type Callbacks,
  type ComputeBackend,
  createCallbacks,
  createPipelineRegistry,
  createRunService,
  createRunSignals,
  DEFAULT_REMEDIES,
  localBackend,
  observedRunStore,
  orderPipeline,
  type Remedies,
  type RunService,
  type RunServiceDeps,
  type RunSignals,
  type RunWorker,
  systemTimers,
} from '@headwater/core';
import { validateItem } from '@headwater/stac';
import type { ComputeParts, HeadwaterOptions } from './headwater-options.ts';
import { makeWorker, type WorkerParts } from './make-worker.ts';
import { wireNames } from './wire/names.ts';

/** What runs stand on beside what the composition gives. */
interface RunSurroundings extends Pick<WorkerParts, 'stores' | 'clock' | 'logger' | 'version'> {
  readonly openRunsPerUser: number;
  /** Runs without owner that compute at a time. */
  readonly mostUnowned: number;
}

/** Everything that stores, computes and completes runs. */
export interface RunParts {
  readonly signals: RunSignals;
  readonly remedies: Remedies;
  /** Undefined where nothing is computed in this process. */
  readonly worker: RunWorker | undefined;
  /** Where new runs compute. */
  readonly backend: ComputeBackend;
  readonly runs: RunService;
  /** What an orchestrator's workers call back for. */
  readonly callbacks: Callbacks;
}

/** Wires the run machine; nothing is claimed before the worker and the backend are started. */
export function runParts(options: HeadwaterOptions, surroundings: RunSurroundings): RunParts {
  const { stores, clock, logger, version, openRunsPerUser, mostUnowned } = surroundings;
  const signals = createRunSignals();
  const remedies = { ...DEFAULT_REMEDIES, ...options.remedies };
  const registry = createPipelineRegistry([...(options.pipelines ?? []), orderPipeline]);
  const parts = { registry, stores, signals, clock, logger };
  const worker = workerOf({ ...options, version, remedies, mostUnowned }, parts);
  const backend = backendOf(options, { ...parts, version, worker });
  const runs = createRunService({
    stores,
    backend: backend.name,
    signals,
    clock,
    remedies,
    openRunsPerUser,
    pipelines: registry,
    ...sourcesOf(options.compute),
  });
  const callbacks = createCallbacks({
    runs: observedRunStore(stores.runs, signals),
    waitFor: runs.waitFor,
    now: () => clock.now(),
  });
  return { signals, remedies, worker, backend, runs, callbacks };
}

/** What tells a pipeline's needs and inputs, where something is computed here. */
function sourcesOf(compute: ComputeParts | undefined): Pick<RunServiceDeps, 'earthObservation' | 'elevation'> {
  if (compute === undefined) return {};
  const { earthObservation, elevation } = compute;
  return { earthObservation, ...(elevation === undefined ? {} : { elevation }) };
}

type BackendParts = Pick<WorkerParts, 'registry' | 'stores' | 'signals' | 'clock' | 'logger'>;
type WorkerOptions = Pick<HeadwaterOptions, 'compute' | 'worker' | 'mapServerUrl'> &
  Pick<WorkerParts, 'version' | 'remedies'> & { readonly mostUnowned: number };

/** Where new runs compute: here, unless the composition chose another backend. */
function backendOf(
  { backend }: HeadwaterOptions,
  parts: BackendParts & { readonly version: string; readonly worker: RunWorker | undefined },
): ComputeBackend {
  const { registry: pipelines, stores, signals, worker, ...rest } = parts;
  if (backend === undefined) return localBackend(worker);
  return backend({
    ...rest,
    runs: observedRunStore(stores.runs, signals),
    signals,
    pipelines,
    places: stores.places,
    checkItem: validateItem,
    timers: systemTimers,
    wireNames,
  });
}

function workerOf(
  { compute, worker: settings = {}, mostUnowned, ...options }: WorkerOptions,
  parts: BackendParts,
): RunWorker | undefined {
  return compute === undefined || settings === false
    ? undefined
    : makeWorker({ ...options, ...parts, compute, settings: { mostUnowned, ...settings } });
}
