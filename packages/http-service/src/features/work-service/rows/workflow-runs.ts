import type { Auth } from '@headwater/identity';
import { DomainError, isDomainError } from '@headwater/core';
import type { Workflow, WorkflowFailure } from '@headwater/core/runs';
import type { Ports } from '../../../deps.ts';
import { checkConf } from '../handlers/export-asset.ts';
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
import { runInItsPlace, seenEnded } from '../workflow-places.ts';
import { BODY_ERRORS, COMPUTING_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';

/**
 * Who may run the workflow of the orchestrator by itself: everybody, accounts that may compute (`bearer`), or whoever is signed in
 * (`session`). Both of the latter send the access token of signing in, whose session has to last.
 */
export type WorkflowAccess = 'public' | 'bearer' | 'session';

const POLICIES = { public: 'public', bearer: 'computing', session: 'bearer' } as const satisfies Record<
  WorkflowAccess,
  Auth
>;

const UPSTREAM = ['unavailable', 'upstream_failed', 'upstream_timeout', 'not_found', 'internal'] as const;

/** The orchestrator's one workflow, for pages that may call this service only. */
export function workflowOperations(access: WorkflowAccess): readonly Operation[] {
  const auth = POLICIES[access];
  return [runWorkflow(auth), workflowStatus(auth)];
}

function runWorkflow(auth: Auth): Operation {
  return operation({
    id: 'runWorkflow',
    method: 'POST',
    path: paths.workflowRun,
    auth,
    tag: 'work service',
    summary: 'Runs the one workflow of the orchestrator that this service is set to',
    description:
      'What is known of `conf` is checked as export-asset does, where it is there (region, years, scheme); everything is passed on as it came, but for `api_base`, which is this service’s. Nothing of such a run is stored here: ' +
      'its id is the orchestrator’s. Some runs of all callers together may be unfinished; one more is refused with 429 until one of them ends.',
    body: workflowConf,
    responses: { 200: ok('The run as the orchestrator began it', WorkflowRunStarted) },
    errors: [...COMPUTING_ERRORS, ...BODY_ERRORS, ...UPSTREAM, 'throttled'],
    errorFormat: 'compute',
    noStore: true,
    examples: [
      { name: 'no orchestrator', body: { conf: { region: [85, 24, 85.02, 24.02], year: 2021 } }, status: 503 },
      { name: 'bad year', body: { conf: { year: 'soon' } }, status: 400 },
      { name: 'off the map', body: { conf: { region: [999, 0, 1000, 1] } }, status: 400 },
      { name: 'no object', body: { conf: [] }, status: 400 },
    ],
    async handler({ body: conf }, deps) {
      checkConf(conf, deps);
      await refuseOwnJob(conf['job_id'], deps);
      const { dagRunId, state } = await runInItsPlace(workflowOf(deps), conf, deps);
      return json(200, { dag_run_id: dagRunId, state });
    },
  });
}

/** A run of ours is found at the orchestrator by this member: nobody else may start one that is taken for it. */
async function refuseOwnJob(jobId: unknown, { stores }: Ports<'stores'>): Promise<void> {
  if (typeof jobId !== 'string') return;
  if ((await stores.runs.get(jobId)) !== undefined) throw badMember('job_id', sentences.ownJob);
}

function workflowStatus(auth: Auth): Operation {
  return operation({
    id: 'workflowStatus',
    method: 'GET',
    path: paths.workflowStatus,
    auth,
    tag: 'work service',
    summary: 'How a run of the workflow gets on; ask every 3 to 5 seconds until it is done',
    description:
      'A run that failed tells why: the task, its reason and lines of its log. That of a run which this service started for a stored one is told by the stored run, to its owner.',
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
      if (status.done) await seenEnded(query.run_id, deps);
      return json(200, status);
    },
  });
}

/** Why it failed; that nobody can tell is no reason not to tell that it did. */
async function failureOf(workflow: Workflow, runId: string, signal: AbortSignal): Promise<WorkflowFailure | undefined> {
  try {
    return await workflow.failure(runId, signal);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { task: null, reason: `Why is not known: ${error.message}`, excerpt: '' };
  }
}

function workflowOf({ backend, remedies }: Ports<'backend' | 'remedies'>): Workflow {
  if (backend.workflow !== undefined) return backend.workflow;
  throw new DomainError('unavailable', `This service has no orchestrator. ${remedies.orchestrator}`);
}
