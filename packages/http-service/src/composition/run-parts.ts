import {
  type AnyPipeline,
  createPipelineRegistry,
  type RunService,
  type RunWorker,
  systemTimers,
} from '@headwater/core';
import {
  type BackendParts,
  type Callbacks,
  type ComputeBackend,
  createCallbacks,
  createRunService,
  localBackend,
  observedRunStore,
  orderPipeline,
  publishingIn,
  type RunServiceDeps,
} from '@headwater/core/runs';
import type { ItemForm } from '@headwater/core/ports';
import { validateItem } from '@headwater/stac';
import type { ComputeParts, HeadwaterOptions } from '../headwater-options.ts';
import { makeWorker, type WorkerParts } from './make-worker.ts';
import { storedAddresses } from '../wire/addresses.ts';
import { wireNames } from '../wire/names.ts';

/** What runs go through: asked for, computed here or elsewhere, and called back for. */
export interface RunParts {
  readonly runs: RunService;
  /** Undefined where nothing is computed in this process. */
  readonly worker: RunWorker | undefined;
  readonly backend: ComputeBackend;
  readonly callbacks: Callbacks;
}

/** What they are made with. */
export interface RunPartsDeps extends Pick<
  WorkerParts,
  'stores' | 'signals' | 'clock' | 'logger' | 'version' | 'remedies'
> {
  readonly pipelines: readonly AnyPipeline[];
  /** In which the texts of Items are written as they are published. */
  readonly form: ItemForm;
  /** Runs that one account may have open; runs without owner that compute at a time. */
  readonly openRuns: number;
  readonly mostUnowned: number;
  /** As `BackendParts.statusOf`. */
  readonly statusOf: BackendParts['statusOf'];
}

type Made = Omit<RunPartsDeps, 'form'> & Pick<WorkerParts, 'registry'>;

/** Wires the service of runs, the worker of this process and the backend of the composition. */
export function runParts(options: HeadwaterOptions, { form, stores: given, ...deps }: RunPartsDeps): RunParts {
  const { signals, clock, remedies } = deps;
  const stores = { ...given, runs: publishingIn(form, given.runs) };
  const registry = createPipelineRegistry([...deps.pipelines, orderPipeline]);
  const made = { ...deps, stores, registry };
  const worker = workerOf(options, made);
  const backend = backendOf(options, { ...made, worker });
  const runs = createRunService({
    stores,
    backend: backend.name,
    signals,
    clock,
    remedies,
    openRunsPerUser: deps.openRuns,
    pipelines: registry,
    ...sourcesOf(options.compute),
  });
  const observed = observedRunStore(stores.runs, signals);
  const callbacks = createCallbacks({ runs: observed, waitFor: runs.waitFor, now: () => clock.now() });
  return { runs, worker, backend, callbacks };
}

/** What tells a pipeline's needs and inputs, where something is computed here. */
function sourcesOf(compute: ComputeParts | undefined): Pick<RunServiceDeps, 'earthObservation' | 'elevation'> {
  if (compute === undefined) return {};
  const { earthObservation, elevation } = compute;
  return { earthObservation, ...(elevation === undefined ? {} : { elevation }) };
}

function workerOf(
  { compute, worker: settings = {}, mapServerUrl }: HeadwaterOptions,
  { mostUnowned, ...made }: Made,
): RunWorker | undefined {
  if (compute === undefined || settings === false) return undefined;
  const map = mapServerUrl === undefined ? {} : { mapServerUrl };
  return makeWorker({ ...made, ...map, compute, settings: { mostUnowned, ...settings } });
}

/** Where new runs compute: here, unless the composition chose another backend. */
function backendOf(
  { backend }: HeadwaterOptions,
  { registry, stores, signals, statusOf, clock, logger, version, worker }: Made & Pick<RunParts, 'worker'>,
): ComputeBackend {
  if (backend === undefined) return localBackend(worker);
  return backend({
    runs: observedRunStore(stores.runs, signals),
    signals,
    pipelines: registry,
    places: stores.places,
    checkItem: (item) => validateItem(item, 'headwater'),
    addresses: storedAddresses(),
    statusOf,
    clock,
    timers: systemTimers,
    logger,
    version,
    wireNames,
  });
}
