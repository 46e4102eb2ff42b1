import { DomainError } from '@headwater/core';
import { hasEnded } from '@headwater/core/runs';
import { checkMayCompute } from '@headwater/identity';
import { BEARER_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_RUN } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { scopeReport } from '../handlers/scope-report.ts';
import { runView } from '../schemas/run-view.ts';
import { RunParams, RunSummary } from '../schemas/runs.ts';
import { ScopeReport } from '../schemas/scope-report.ts';

const absent = { name: 'unknown', params: { id: '0190a000-0000-7000-8000-00000000dead' }, status: 404 };

const SCOPE_ROW = {
  auth: 'bearer',
  tag: 'runs',
  params: RunParams,
  noStore: true,
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS, 'not_found', 'conflict'],
} as const;

const ofOneTehsil = { name: 'of one tehsil', params: { id: EXAMPLE_RUN }, status: 409 };

const getTehsils = operation({
  ...SCOPE_ROW,
  id: 'getRunTehsils',
  method: 'GET',
  path: paths.runTehsils,
  summary:
    'Returns the report of a run over a district or a state: its tehsils, their failures, and the time until the end',
  responses: { 200: ok('The report', ScopeReport) },
  examples: [ofOneTehsil, absent],
  async handler({ principal, params }, deps) {
    const run = await deps.runs.get(principal, params.id);
    const report = await scopeReport(run, principal, deps);
    if (report !== undefined) return json(200, report);
    throw new DomainError(
      'conflict',
      `Run ${run.id} is not a run over a district or a state, so it has no list of tehsils; GET ${fill(paths.run, { id: run.id })} returns its state.`,
    );
  },
});

const pauseRun = operation({
  ...SCOPE_ROW,
  id: 'pauseRun',
  method: 'POST',
  path: paths.runPause,
  summary:
    'Pauses a run over a district or a state: tehsils that are queued or running end as usual, and no further tehsil starts',
  responses: { 200: ok('The run', RunSummary) },
  examples: [ofOneTehsil, absent],
  async handler({ principal, params }, deps) {
    return json(200, runView(await deps.runs.pause(principal, params.id, true), deps.baseUrl));
  },
});

const resumeRun = operation({
  ...SCOPE_ROW,
  id: 'resumeRun',
  method: 'POST',
  path: paths.runResume,
  summary: 'Continues a paused run over a district or a state',
  responses: { 200: ok('The run', RunSummary) },
  examples: [ofOneTehsil, absent],
  async handler({ principal, params }, deps) {
    return json(200, runView(await deps.runs.pause(principal, params.id, false), deps.baseUrl));
  },
});

const retryRun = operation({
  ...SCOPE_ROW,
  id: 'retryRun',
  method: 'POST',
  path: paths.runRetry,
  summary: 'Computes the failed tehsils of a run over a district or a state again',
  description:
    'A run that has not ended continues with these tehsils (200). If the run has ended, a new run is started (202). The new run also has the results of the other tehsils.',
  responses: { 200: ok('The same run', RunSummary), 202: ok('A new run; Location is its address', RunSummary) },
  errors: [...SCOPE_ROW.errors, 'computing_not_allowed', 'throttled', 'unavailable'],
  examples: [ofOneTehsil, absent],
  async handler({ principal, params, requestId }, deps) {
    checkMayCompute(principal.user);
    const run = await deps.runs.retryFailed(principal, params.id, { requestId });
    const view = runView(run, deps.baseUrl);
    const isSame = run.id === params.id && !hasEnded(run);
    return isSame ? json(200, view) : json(202, view, { location: view.links.self });
  },
});

/** Operations of runs over districts and states. */
export const scopeRunOperations = [getTehsils, pauseRun, resumeRun, retryRun] satisfies readonly Operation[];
