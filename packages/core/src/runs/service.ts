import { z } from 'zod';
import type { UserPrincipal } from '../auth/types.ts';
import { DEFAULT_REMEDIES } from '../pipelines/default-remedies.ts';
import type { ResolvePorts } from '../pipelines/pipeline.ts';
import type { Remedies } from '../ports/remedies.ts';
import type { Run, RunStore } from '../ports/runs.ts';
import type { Stores } from '../ports/stores.ts';
import type { Clock } from '../ports/system.ts';
import { createFollower } from './follow.ts';
import { readLog } from './log.ts';
import { isRunId, newRunId, unknownRun } from './run-id.ts';
import { observedRunStore, type RunSignals } from './signals.ts';
import { systemTimers, type Timers } from './timers.ts';
import type { AnyPipeline, RunService } from './types.ts';

/** What the run service stands on. */
export interface RunServiceDeps {
  readonly stores: Pick<Stores, 'runs' | 'places' | 'eoAccounts'>;
  /** Shared with the worker of the same process. */
  readonly signals: RunSignals;
  readonly clock: Clock;
  readonly remedies?: Remedies;
  readonly timers?: Timers;
  /** Pause between two looks at a followed run that another process may be working on; default 1,000 ms. */
  readonly followMs?: number;
}

/** Builds the service that owners of runs talk to. */
export function createRunService(deps: RunServiceDeps): RunService {
  const { clock, signals, timers = systemTimers, followMs = 1000 } = deps;
  const runs = observedRunStore(deps.stores.runs, signals);
  const follower = createFollower({ runs, signals, timers, followMs });
  const { remedies = DEFAULT_REMEDIES } = deps;
  const ports: ResolvePorts = { ...pick(deps.stores), remedies, now: () => clock.now() };
  return {
    start: (principal, pipeline, request) => startRun({ runs, ports }, { principal, pipeline, request }),
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

async function startRun(
  { runs, ports }: { readonly runs: RunStore; readonly ports: ResolvePorts },
  asked: { readonly principal: UserPrincipal; readonly pipeline: AnyPipeline; readonly request: unknown },
): Promise<{ readonly run: Run; readonly joined: boolean }> {
  const { principal, pipeline, request } = asked;
  const params = await pipeline.resolve(request, ports);
  return runs.enqueue({
    id: newRunId(ports.now()),
    pipeline: pipeline.name,
    params: storedParams(pipeline, params),
    // The owner is part of it: joining somebody else's run would hand out an id that its asker may not see.
    fingerprint: `${pipeline.name}:${principal.user.id}:${pipeline.fingerprint(params)}`,
    ownerId: principal.user.id,
  });
}

const jsonObject = z.record(z.string(), z.unknown());

/** Parameters as a run's row keeps them: a JSON object. Throws when the pipeline's schema does not survive the round trip. */
function storedParams(pipeline: AnyPipeline, params: unknown): Readonly<Record<string, unknown>> {
  const stored = jsonObject.parse(JSON.parse(JSON.stringify(params)));
  // Read back now: a run that no worker could read must not be stored.
  pipeline.params.parse(stored);
  return stored;
}

async function visibleRun(runs: RunStore, { user }: UserPrincipal, runId: string): Promise<Run> {
  const run = isRunId(runId) ? await runs.get(runId) : undefined;
  if (run === undefined || (run.ownerId !== user.id && !user.isSuperuser)) throw unknownRun(runId);
  return run;
}
