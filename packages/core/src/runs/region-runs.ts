import { DomainError } from '../errors.ts';
import type { RegionRequest } from '../pipelines/pipeline.ts';
import type { Run, RunStore } from '../ports/runs.ts';
import { callbackFingerprint } from './callbacks.ts';
import { newRun } from './new-run.ts';
import { missingLayer, missingNeeds } from './plan-runs.ts';
import { isRunId } from './run-id.ts';
import { enqueue, type StartDeps } from './start.ts';
import { storedResult } from './stored-result.ts';
import { isUnowned } from './transitions.ts';
import type { AnyPipeline, RegionRunOptions, StartedRun } from './types.ts';

/** A request for a region, which nobody in particular asks. */
export interface AskedRegion {
  readonly pipeline: AnyPipeline;
  readonly request: RegionRequest;
  readonly options: RegionRunOptions;
}

/** Answers by a stored result with equal inputs, by the run in flight, or by a new one that has no owner. */
export async function startRegionRun(
  deps: StartDeps,
  { pipeline, request, options }: AskedRegion,
): Promise<StartedRun> {
  const { regions } = pipeline;
  if (regions === undefined) throw new DomainError('internal', `Pipeline ${pipeline.name} computes no regions.`);
  const params = regions.resolve(request, deps.ports);
  const { requestId, mostOpen } = options;
  // Here, whatever the backend: the orchestrator's own worker may be who asks, and would wait for itself.
  const run = newRun({ pipeline, params, ownerId: null, now: deps.ports.now(), backend: 'local', requestId });
  const missing = await missingNeeds(deps, { pipeline, params, behind: [] });
  if (missing.length > 0) throw missingLayer(deps, missing);
  const stored = options.overwrite === true ? undefined : await storedResult(deps, pipeline, { params, run });
  if (stored !== undefined) return { run: stored, joined: true, reused: true };
  return { ...(await enqueue({ ...deps, mostOpen }, run, { key: undefined, dependencies: [] })), reused: false };
}

/**
 * The run of this id that a call of the work service was told: one without owner, or one that a callback began, whoever owns that. Undefined for
 * any other, as for one that is not there.
 */
export async function unownedRun(runs: Pick<RunStore, 'get'>, runId: string): Promise<Run | undefined> {
  const run = isRunId(runId) ? await runs.get(runId) : undefined;
  return run !== undefined && (isUnowned(run) || isOfCallback(run)) ? run : undefined;
}

const isOfCallback = ({ parentId, fingerprint }: Run): boolean =>
  parentId !== null && fingerprint === callbackFingerprint(parentId);
