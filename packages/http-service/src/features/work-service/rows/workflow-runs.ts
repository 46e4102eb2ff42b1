import type { Policy } from '@headwater/identity';
import { DomainError, isDomainError } from '@headwater/core';
import type { Workflow, WorkflowFailure } from '@headwater/core/runs';
import type { Ports } from '../../../deps.ts';
import type { WorkCaller } from '../callers.ts';
import { checkConf, limitedTo, refuseUnlisted } from '../handlers/export-asset.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { badMember } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import {
  workflowConf,
  WorkflowRunQuery,
  WorkflowRunStarted,
  workflowRunStatus,
  WorkflowRunStatus,
} from '../schemas/workflow-runs.ts';
import { runInSlot, freeSlot } from '../workflow-slots.ts';
import { BODY_ERRORS, COMPUTING_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';

const UPSTREAM = ['unavailable', 'upstream_failed', 'upstream_timeout', 'not_found', 'internal'] as const;

/** Operations of the orchestrator's workflow, for pages that can reach only this service. */
export function workflowOperations(auth: Policy<WorkCaller>): readonly Operation[] {
  return [runWorkflow(auth), workflowStatus(auth)];
}

function runWorkflow(auth: Policy<WorkCaller>): Operation {
  return operation({
    id: 'runWorkflow',
    method: 'POST',
    path: paths.workflowRun,
    auth,
    tag: 'work service',
    summary: 'Runs the configured workflow at the orchestrator',
    description:
      'Known members of `conf` (region, years, scheme) are checked like those of export-asset. All members are passed on unchanged, except `api_base`, which is set to this service. The run is not stored in this service: ' +
      'its id is that of the orchestrator. The number of unfinished runs of all callers, and of one address, is limited; further runs are refused with 429 until one ends.',
    body: workflowConf,
    responses: { 200: ok('The run that the orchestrator started', WorkflowRunStarted) },
    errors: [...COMPUTING_ERRORS, ...BODY_ERRORS, ...UPSTREAM, 'throttled'],
    errorFormat: 'compute',
    noStore: true,
    examples: [
      { name: 'no orchestrator', body: { conf: { region: [85, 24, 85.02, 24.02], year: 2021 } }, status: 503 },
      { name: 'bad year', body: { conf: { year: 'soon' } }, status: 400 },
      { name: 'a region outside of the earth', body: { conf: { region: [999, 0, 1000, 1] } }, status: 400 },
      { name: 'no object', body: { conf: [] }, status: 400 },
    ],
    async handler({ body: conf, principal: caller }, deps) {
      refuseUnlisted(conf, deps.workService);
      checkConf(conf, limitedTo(caller, deps));
      await refuseOwnJob(conf['job_id'], deps);
      const { dagRunId, state } = await runInSlot({ workflow: workflowOf(deps), conf, caller }, deps);
      return json(200, { dag_run_id: dagRunId, state });
    },
  });
}

/** Throws if `job_id` is the id of a run of this service, because the workflow of the run already has this id. */
async function refuseOwnJob(jobId: unknown, { stores }: Ports<'stores'>): Promise<void> {
  if (typeof jobId !== 'string') return;
  if ((await stores.runs.get(jobId)) !== undefined) throw badMember('job_id', sentences.ownJob);
}

function workflowStatus(auth: Policy<WorkCaller>): Operation {
  return operation({
    id: 'workflowStatus',
    method: 'GET',
    path: paths.workflowStatus,
    auth,
    tag: 'work service',
    summary: 'Returns the state of a run of the workflow; request it every 3 to 5 seconds until `done` is true',
    description:
      'For a failed run of the workflow: the task, the reason and lines of its log. If the workflow computes a stored run of this service, these details are left out: the owner of the stored run, and superusers, find them in the member `error` of the stored run.',
    query: WorkflowRunQuery,
    responses: { 200: ok('The run', WorkflowRunStatus) },
    errors: [...COMPUTING_ERRORS, ...PARAMETER_ERRORS, ...UPSTREAM],
    errorFormat: 'compute',
    noStore: true,
    examples: [
      { name: 'no orchestrator', query: { run_id: 'manual__2026-01-01T00:00:00+00:00' }, status: 503 },
      { name: 'no run', status: 400 },
    ],
    async handler({ query, signal }, deps) {
      const workflow = workflowOf(deps);
      const run = await workflow.status(query.run_id, signal);
      const failure = run.state === 'failed' ? await failureOf(workflow, query.run_id, signal) : undefined;
      const status = workflowRunStatus(run, failure);
      if (status.done) await freeSlot(query.run_id, deps);
      return json(200, status);
    },
  });
}

/** Reads the reason of a failure. If it cannot be read, the state is still reported. */
async function failureOf(workflow: Workflow, runId: string, signal: AbortSignal): Promise<WorkflowFailure | undefined> {
  try {
    return await workflow.failure(runId, signal);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { task: null, reason: `The reason is unknown: ${error.message}`, excerpt: '' };
  }
}

function workflowOf({ backend, remedies }: Ports<'backend' | 'remedies'>): Workflow {
  if (backend.workflow !== undefined) return backend.workflow;
  throw new DomainError('unavailable', `This service has no orchestrator. ${remedies.orchestrator}`);
}
