import { DomainError } from '../errors.ts';
import { DEFAULT_REMEDIES } from '../pipelines/needs.ts';
import type { ResolvePorts, RegionRequest } from '../pipelines/pipeline.ts';
import { createPublishedReads } from '../pipelines/published.ts';
import { regionKm2 } from '../places/region.ts';
import type { EarthObservation, ElevationSource } from '../ports/earth-observation.ts';
import type { CallerAccounts } from '../ports/eo-accounts.ts';
import type { Remedies, Clock, Logger } from '../ports/host.ts';
import type { PixelEngine } from '../ports/pixels.ts';
import type { SceneEngines } from '../ports/scene-engines.ts';
import type { Run, RunBackend, RunStore, RunEvent } from '../ports/runs.ts';
import type { DomainStores } from '../ports/stores.ts';
import { systemTimers, type Timers } from '../timing/timers.ts';
import { callbackFingerprint } from './callbacks.ts';
import { withCall } from './calls.ts';
import { createEstimates } from './estimate.ts';
import { createFollower } from './follow.ts';
import { newRun } from './new-run.ts';
import { createYearSearch } from './newest-year.ts';
import { startOrder } from './order.ts';
import { missingLayer, missingNeeds } from './plan-runs.ts';
import { type CoordinatorDeps, createScopeCoordinator, type ScopeCoordinator } from './scope-coordinator.ts';
import { isScopeRun, retryScope, startScope } from './scope-run.ts';
import { isRunId, unknownRun } from './run-id.ts';
import { observedRunStore, type RunSignals } from './signals.ts';
import { enqueue, previewRun, type StartDeps, startRun } from './start.ts';
import { storedResult } from './stored-result.ts';
import { isUnowned } from './transitions.ts';
import type {
  PipelineRegistry,
  RunPrincipal,
  RunService,
  RunLogLine,
  AnyPipeline,
  RegionRunOptions,
  StartedRun,
} from './types.ts';

interface RegionStart {
  readonly pipeline: AnyPipeline;
  readonly request: RegionRequest;
  readonly options: RegionRunOptions;
}

/** Returns a stored result with equal inputs, an identical unfinished run, or a new run without owner. */
async function startRegionRun(deps: StartDeps, { pipeline, request, options }: RegionStart): Promise<StartedRun> {
  const { regions } = pipeline;
  if (regions === undefined) throw new DomainError('internal', `Pipeline ${pipeline.name} computes no regions.`);
  const params = regions.resolve(request, deps.ports);
  const { requestId, mostOpen, mostOfAddress, from = null } = options;
  // The run is always local. If the caller is a task of the orchestrator, it occupies a worker, and a run at the
  // orchestrator could wait for this worker.
  const plain = newRun({ pipeline, params, ownerId: null, now: deps.ports.now(), backend: 'local', requestId });
  const run = { ...plain, params: withCall(plain.params, { from, km2: regionKm2(request.region) }) };
  const missing = await missingNeeds(deps, { pipeline, params, behind: [] });
  if (missing.length > 0) throw missingLayer(deps, missing);
  const stored = options.overwrite === true ? undefined : await storedResult(deps, pipeline, { params, run });
  if (stored !== undefined) return { run: stored, joined: true, reused: true };
  return {
    ...(await enqueue({ ...deps, mostOpen, mostOfAddress }, run, { key: undefined, dependencies: [] })),
    reused: false,
  };
}

/** Returns a run without owner, or a run that a callback of the orchestrator started; otherwise undefined. */
async function unownedRun(runs: Pick<RunStore, 'get'>, runId: string): Promise<Run | undefined> {
  const run = isRunId(runId) ? await runs.get(runId) : undefined;
  return run !== undefined && (isUnowned(run) || isOfCallback(run)) ? run : undefined;
}

const isOfCallback = ({ parentId, fingerprint }: Run): boolean =>
  parentId !== null && fingerprint === callbackFingerprint(parentId);

const PAGE = 500;

async function readLog(
  runs: Pick<RunStore, 'events'>,
  runId: string,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<readonly RunLogLine[]> {
  const lines: RunLogLine[] = [];
  let after = afterSeq;
  while (lines.length < limit) {
    const events = await runs.events(runId, after, PAGE);
    for (const event of events) {
      const message = logMessage(event);
      if (message !== undefined) lines.push({ seq: event.seq, at: event.at, message });
    }
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) break;
    after = last.seq;
  }
  return lines.slice(0, limit);
}

function logMessage({ kind, data }: RunEvent): string | undefined {
  if (kind === 'log') return String(data['message']);
  return kind === 'state' ? stateMessage(data) : undefined;
}

function stateMessage(data: RunEvent['data']): string {
  const attempt = data['state'] === 'running' ? ` (attempt ${String(data['attempt'])})` : '';
  const error = data['error'];
  const reason = typeof error === 'object' && error !== null && 'message' in error ? `: ${String(error.message)}` : '';
  return `state ${String(data['state'])}${attempt}${reason}`;
}

/** Dependencies of the run service. */
export interface RunServiceDeps {
  readonly stores: Pick<DomainStores, 'runs' | 'places' | 'eoAccounts' | 'catalog' | 'data'>;
  readonly pipelines?: PipelineRegistry;
  /** Signals about runs. Pass the same object to the worker of this process. */
  readonly signals: RunSignals;
  readonly clock: Clock;
  readonly remedies?: Remedies;
  /** Scene catalogue. Without it, no stored result is reused. */
  readonly earthObservation?: EarthObservation;
  readonly elevation?: ElevationSource;
  /** Scene engines of platforms; default: all runs read the scenes of the service's own sources. */
  readonly sceneEngines?: SceneEngines | undefined;
  /** Pixel engine for estimates; without it, `RunEstimate.reads` is undefined. */
  readonly pixels?: Pick<PixelEngine, 'estimate' | 'estimateFiles'>;
  readonly timers?: Timers;
  readonly logger?: Logger;
  readonly backend?: RunBackend;
  /** Maximum number of unfinished runs of one account, without runs that have a parent. Default: no maximum. */
  readonly openRunsPerUser?: number;
  /** Returns the accounts that a user may name. Default: all accounts of the store. */
  readonly accountsOf?: (user: RunPrincipal['user']) => CallerAccounts;
  /** Poll interval for a followed run of another process; default 1,000 ms. */
  readonly followMs?: number;
  readonly coordinator?: Pick<CoordinatorDeps, 'leaseMs' | 'idleMs'>;
}

const NO_LOG: Logger = { debug: () => {}, info: () => {}, error: () => {} };

const NO_PIPELINES: PipelineRegistry = { list: [], get: () => undefined };

/** The run service with the coordinator of runs over districts and states, which is idle before its start. */
export interface StartableRunService extends RunService {
  readonly coordinator: ScopeCoordinator;
}

/** Builds the service through which owners start and read runs. */
export function createRunService(deps: RunServiceDeps): StartableRunService {
  const { clock, signals, timers = systemTimers, followMs = 1000 } = deps;
  const runs = observedRunStore(deps.stores.runs, signals);
  const follower = createFollower({ runs, signals, timers, followMs });
  const { remedies = DEFAULT_REMEDIES, earthObservation } = deps;
  const { places } = deps.stores;
  const published = createPublishedReads(deps.stores);
  const shared = { remedies, published, ...(deps.elevation === undefined ? {} : { elevation: deps.elevation }) };
  const inputPorts = earthObservation === undefined ? undefined : { ...shared, places, earthObservation };
  const ports: ResolvePorts = { ...shared, ...pick(deps.stores), now: () => clock.now() };
  const { pipelines = NO_PIPELINES, openRunsPerUser: mostOpen, backend = 'local' } = deps;
  const { sceneEngines } = deps;
  const startDeps = { runs, ports, inputPorts, sceneEngines, timers, mostOpen, pipelines, backend };
  const depsOf = ({ user }: RunPrincipal): StartDeps =>
    deps.accountsOf === undefined
      ? startDeps
      : { ...startDeps, ports: { ...ports, eoAccounts: deps.accountsOf(user) } };
  return {
    start: (...[principal, pipeline, request, options = {}]) =>
      startRun(depsOf(principal), { principal, pipeline, request, options }),
    preview: (principal, pipeline, request) => previewRun(depsOf(principal), { principal, pipeline, request }),
    estimate: createEstimates((principal) => ({ start: depsOf(principal), pixels: deps.pixels })),
    startRegion: (pipeline, request, options = {}) => startRegionRun(startDeps, { pipeline, request, options }),
    newestYear: createYearSearch({ inputPorts, timers, now: ports.now }),
    getUnowned: (runId) => unownedRun(runs, runId),
    ...scopeMethods(startDeps, depsOf),
    startOrder: (principal, order) => startOrder(depsOf(principal), principal, order),
    get: (principal, runId) => visibleRun(runs, principal, runId),
    list: (principal, { state, parent, limit, offset }) => {
      const owner = principal.user.isSuperuser ? {} : { ownerId: principal.user.id };
      const above = parent === 'any' ? {} : { parentId: parent ?? null };
      return runs.list({ ...owner, ...above, ...(state === undefined ? {} : { state }), limit, offset });
    },
    cancel: async (principal, runId) => {
      await visibleRun(runs, principal, runId);
      const run = await runs.requestCancel(runId);
      if (run === undefined) throw unknownRun(runId);
      return run;
    },
    log: async (principal, runId, page) => {
      await visibleRun(runs, principal, runId);
      return readLog(runs, runId, page);
    },
    events: async (principal, runId, { afterSeq, limit }) => {
      await visibleRun(runs, principal, runId);
      return runs.events(runId, afterSeq, limit);
    },
    waitFor: follower.waitFor,
    subscribe: follower.subscribe,
    coordinator: createScopeCoordinator({
      start: startDeps,
      startOf: depsOf,
      computes: pipelines.list.map(({ name }) => name),
      signals,
      logger: deps.logger ?? NO_LOG,
      ...deps.coordinator,
    }),
  };
}

function scopeMethods(
  deps: StartDeps,
  depsOf: (principal: RunPrincipal) => StartDeps,
): Pick<RunService, 'startScope' | 'parts' | 'pause' | 'retryFailed'> {
  const { runs } = deps;
  const scopeRun = async (principal: RunPrincipal, runId: string): Promise<Run> => {
    const run = await visibleRun(runs, principal, runId);
    if (isScopeRun(run)) return run;
    throw new DomainError(
      'conflict',
      `Run ${runId} is not over a district or a state; only runs over a district or a state can be paused or retried in parts.`,
    );
  };
  return {
    startScope: (principal, start) => startScope(depsOf(principal), { ...start, principal }),
    parts: async (principal, runId) => runs.parts((await visibleRun(runs, principal, runId)).id),
    pause: async (principal, runId, isPaused) => {
      const { id } = await scopeRun(principal, runId);
      if (await runs.pauseParts(id, isPaused)) return await scopeRun(principal, runId);
      throw new DomainError('conflict', `Run ${id} has ended, so it cannot be paused or resumed.`);
    },
    retryFailed: async (principal, runId, { requestId } = {}) => {
      const run = await scopeRun(principal, runId);
      // A retry by a superuser must use only the accounts of the run's owner.
      const owner = { user: { id: run.ownerId ?? 0, isSuperuser: false } };
      const again = await retryScope(depsOf(owner), run, { requestId });
      if (again !== undefined) return again;
      throw new DomainError('conflict', `No tehsil of run ${runId} has failed, so there is nothing to retry.`);
    },
  };
}

function pick({ places, eoAccounts }: RunServiceDeps['stores']): Pick<ResolvePorts, 'places' | 'eoAccounts'> {
  return { places, eoAccounts };
}

async function visibleRun(runs: RunStore, { user }: RunPrincipal, runId: string): Promise<Run> {
  const run = isRunId(runId) ? await runs.get(runId) : undefined;
  if (run === undefined || (run.ownerId !== user.id && !user.isSuperuser)) throw unknownRun(runId);
  return run;
}
