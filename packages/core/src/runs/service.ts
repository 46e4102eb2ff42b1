import { DEFAULT_REMEDIES } from '../pipelines/default-remedies.ts';
import type { ResolvePorts } from '../pipelines/pipeline.ts';
import type { EarthObservation } from '../ports/earth-observation.ts';
import type { ElevationSource } from '../ports/elevation.ts';
import type { Remedies } from '../ports/remedies.ts';
import type { Run, RunBackend, RunStore } from '../ports/runs.ts';
import type { DomainStores } from '../ports/stores.ts';
import type { Clock } from '../ports/system.ts';
import { createPublishedReads } from '../pipelines/published.ts';
import { createFollower } from './follow.ts';
import { readLog } from './log.ts';
import { startOrder } from './order.ts';
import { startRegionRun, unownedRun } from './region-runs.ts';
import { isRunId, unknownRun } from './run-id.ts';
import { observedRunStore, type RunSignals } from './signals.ts';
import { startRun } from './start.ts';
import { systemTimers, type Timers } from '../timing/timers.ts';
import type { PipelineRegistry, RunPrincipal, RunService } from './types.ts';

/** What the run service stands on. */
export interface RunServiceDeps {
  readonly stores: Pick<DomainStores, 'runs' | 'places' | 'eoAccounts' | 'catalog' | 'data'>;
  /** Pipelines that may make what others need; default: none. */
  readonly pipelines?: Pick<PipelineRegistry, 'get'>;
  /** Shared with the worker of the same process. */
  readonly signals: RunSignals;
  readonly clock: Clock;
  readonly remedies?: Remedies;
  /** Where scenes are found; without it no stored result answers a request, because it cannot be compared with them. */
  readonly earthObservation?: EarthObservation;
  readonly elevation?: ElevationSource;
  readonly timers?: Timers;
  /** Where new runs compute; default `local`. */
  readonly backend?: RunBackend;
  /** How many runs of one account may be queued or running, those with a parent not counted; default: any number. */
  readonly openRunsPerUser?: number;
  /** Pause between two looks at a followed run that another process may be working on; default 1,000 ms. */
  readonly followMs?: number;
}

const NO_PIPELINES: Pick<PipelineRegistry, 'get'> = { get: () => undefined };

/** Builds the service that owners of runs talk to. */
export function createRunService(deps: RunServiceDeps): RunService {
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
  const startDeps = { runs, ports, inputPorts, timers, mostOpen, pipelines, backend };
  return {
    start: (...[principal, pipeline, request, options = {}]) =>
      startRun(startDeps, { principal, pipeline, request, options }),
    startRegion: (pipeline, request, options = {}) => startRegionRun(startDeps, { pipeline, request, options }),
    getUnowned: (runId) => unownedRun(runs, runId),
    startOrder: (principal, order) => startOrder(startDeps, principal, order),
    get: (principal, runId) => visibleRun(runs, principal, runId),
    list: (principal, { state, limit, offset }) => {
      const owner = principal.user.isSuperuser ? {} : { ownerId: principal.user.id };
      return runs.list({ ...owner, ...(state === undefined ? {} : { state }), limit, offset });
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
