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
  type ScopeCoordinator,
  orderPipeline,
  withItemForm,
  type RunServiceDeps,
} from '@headwater/core/runs';
import type { ItemForm } from '@headwater/core/ports';
import { validateItem } from '@headwater/stac';
import type { ComputeParts, SettledOptions } from '../headwater-options.ts';
import { makeWorker, type WorkerParts } from './make-worker.ts';
import { storedAddresses } from '../wire/addresses.ts';
import { wireNames } from '../wire/names.ts';

/** Parts that handle runs. */
export interface RunParts {
  readonly runs: RunService;
  /** Worker of this process; undefined if nothing is computed here. */
  readonly worker: RunWorker | undefined;
  readonly backend: ComputeBackend;
  readonly callbacks: Callbacks;
  readonly coordinator: ScopeCoordinator;
}

/** Dependencies of `runParts`. */
export interface RunPartsDeps extends Pick<
  WorkerParts,
  'stores' | 'signals' | 'clock' | 'logger' | 'version' | 'remedies'
> {
  readonly pipelines: readonly AnyPipeline[];
  readonly accountsOf: RunServiceDeps['accountsOf'] & {};
  readonly form: ItemForm;
  /** `openRuns`: limit of an account's unfinished runs. `mostUnowned`: limit of running runs without account. */
  readonly openRuns: number;
  readonly mostUnowned: number;
  /** See `WorkerSettings.keepRegionsMs`. */
  readonly keepRegionsMs: number;
  /** See `BackendParts.statusOf`. */
  readonly statusOf: BackendParts['statusOf'];
}

type RunPartsInput = Omit<RunPartsDeps, 'form'> & Pick<WorkerParts, 'registry'>;

/** Creates and connects the run service, the worker of this process and the backend of new runs. */
export function runParts(options: SettledOptions, { form, stores: plainStores, ...deps }: RunPartsDeps): RunParts {
  const { signals, clock, remedies } = deps;
  const stores = { ...plainStores, runs: withItemForm(form, plainStores.runs) };
  const registry = createPipelineRegistry([...deps.pipelines, orderPipeline]);
  const input = { ...deps, stores, registry };
  const worker = workerOf(options, input);
  const backend = backendOf(options, { ...input, worker });
  const { coordinator, ...runs } = createRunService({
    stores,
    backend: backend.name,
    signals,
    clock,
    remedies,
    openRunsPerUser: deps.openRuns,
    accountsOf: deps.accountsOf,
    pipelines: registry,
    logger: deps.logger,
    coordinator: leaseOf(options),
    ...sourcesOf(options.compute),
  });
  const observed = observedRunStore(stores.runs, signals);
  const callbacks = createCallbacks({ runs: observed, waitFor: runs.waitFor, now: () => clock.now() });
  return { runs, worker, backend, callbacks, coordinator };
}

function leaseOf({ leaseMs, worker }: SettledOptions): RunServiceDeps['coordinator'] & {} {
  const lease = leaseMs ?? (worker === false ? undefined : worker?.leaseMs);
  return lease === undefined ? {} : { leaseMs: lease };
}

function sourcesOf(
  compute: ComputeParts | undefined,
): Pick<RunServiceDeps, 'earthObservation' | 'elevation' | 'pixels' | 'sceneEngines'> {
  if (compute === undefined) return {};
  const { earthObservation, elevation, pixels, sceneEngines } = compute;
  return { earthObservation, pixels, sceneEngines, ...(elevation === undefined ? {} : { elevation }) };
}

function workerOf(
  { compute, worker: settings = {}, mapServerUrl }: SettledOptions,
  { mostUnowned, keepRegionsMs, ...input }: RunPartsInput,
): RunWorker | undefined {
  if (compute === undefined || settings === false) return undefined;
  const map = mapServerUrl === undefined ? {} : { mapServerUrl };
  return makeWorker({ ...input, ...map, compute, settings: { mostUnowned, keepRegionsMs, ...settings } });
}

function backendOf(
  { backend, traceOf }: SettledOptions,
  { registry, stores, signals, statusOf, clock, logger, version, worker }: RunPartsInput & Pick<RunParts, 'worker'>,
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
    ...(traceOf === undefined ? {} : { traceOf }),
  });
}
