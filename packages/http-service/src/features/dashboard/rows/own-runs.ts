import { isScopeRun } from '@headwater/core/runs';
import { checkMayCompute, type SessionPrincipal } from '@headwater/identity';
import type { ServiceDeps } from '../../../deps.ts';
import { prefixOf } from '../../../pages/layout.ts';
import { BODY_ERRORS, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_RUN } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { REFUSED_PAGE, SCREEN_ROW, seeOther, TO_ANOTHER_PAGE } from '../../../screens/replies.ts';
import { beforeForm, callerOf, forUserForm } from '../../../screens/signed-in.ts';
import type { Reply } from '../../../seam/reply.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { requestOfRun, startComputation } from '../../runs/handlers/start-computation.ts';
import { RunParams } from '../../runs/schemas/runs.ts';
import { refusedFormPage } from '../../sign-in/page/sign-in-page.ts';
import { ConfirmForm } from '../../sign-in/schemas.ts';

const RUN_FORM = {
  ...SCREEN_ROW,
  method: 'POST',
  params: RunParams,
  body: { kind: 'fields', schema: ConfirmForm, accepts: ['form', 'json'] },
  // The path is `/dashboard/runs/:id/...`.
  beforeBody: beforeForm({ back: (path) => pageOf(path.split('/')[3] ?? ''), refused: refusedFormPage }),
  examples: [{ name: 'of a program without a session', params: { id: EXAMPLE_RUN }, body: {}, status: 403 }],
} as const;

const pageOf = (id: string): string => fill(paths.run, { id });

const cancelOwnRun = operation({
  ...RUN_FORM,
  id: 'cancelRunByForm',
  path: paths.dashboardRunCancel,
  summary: 'Cancels a run of the signed-in user; superusers can cancel a run of any user',
  responses: { 303: TO_ANOTHER_PAGE, 403: REFUSED_PAGE },
  errors: [...BODY_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  handler: (input, deps) => {
    const { id } = input.params;
    const act = async (principal: SessionPrincipal): Promise<Reply> => {
      await deps.runs.cancel(callerOf(principal), id);
      return seeOther(prefixOf(deps.baseUrl) + pageOf(id));
    };
    return forUserForm(input, deps, { token: input.body.token, back: pageOf(id), refused: refusedFormPage, act });
  },
});

/**
 * Computes a failed run again and returns the id of the run that computes it. Undefined if the run cannot be started
 * again.
 */
async function startAgain(
  principal: SessionPrincipal,
  { id, requestId }: { readonly id: string; readonly requestId: string },
  deps: ServiceDeps,
): Promise<string | undefined> {
  const caller = callerOf(principal);
  const run = await deps.runs.get(caller, id);
  if (isScopeRun(run)) {
    checkMayCompute(caller.user);
    return (await deps.runs.retryFailed(caller, id, { requestId })).id;
  }
  const found = run.state === 'failed' ? await requestOfRun(run, deps) : undefined;
  if (found === undefined) return undefined;
  const options = { requestId, withDependencies: run.after.length > 0 };
  return (await startComputation(deps, { principal: caller, ...found, options })).run.id;
}

const retryOwnRun = operation({
  ...RUN_FORM,
  id: 'retryRunByForm',
  path: paths.dashboardRunRetry,
  summary: 'Starts the computation of a failed run again',
  description:
    'A run of one tehsil is computed as a new run of the signed-in user. Of a run over a district or a state, only the failed tehsils are computed, for the owner of that run.',
  responses: { 303: TO_ANOTHER_PAGE, 403: REFUSED_PAGE },
  errors: [
    ...BODY_ERRORS,
    ...PARAMETER_ERRORS,
    'computing_not_allowed',
    'conflict',
    'missing_layer',
    'not_found',
    'throttled',
    'unavailable',
  ],
  handler: (input, deps) => {
    const { id } = input.params;
    const act = async (principal: SessionPrincipal): Promise<Reply> => {
      const started = await startAgain(principal, { id, requestId: input.requestId }, deps);
      return seeOther(prefixOf(deps.baseUrl) + pageOf(started ?? id));
    };
    return forUserForm(input, deps, { token: input.body.token, back: pageOf(id), refused: refusedFormPage, act });
  },
});

const pauseForm = (path: string, isPaused: boolean): Operation =>
  operation({
    ...RUN_FORM,
    id: isPaused ? 'pauseRunByForm' : 'resumeRunByForm',
    path,
    summary: isPaused
      ? 'Pauses a run of the signed-in user that computes a district or a state'
      : 'Continues a paused run of the signed-in user that computes a district or a state',
    responses: { 303: TO_ANOTHER_PAGE, 403: REFUSED_PAGE },
    errors: [...BODY_ERRORS, ...PARAMETER_ERRORS, 'not_found', 'conflict'],
    handler: (input, deps) => {
      const { id } = input.params;
      const act = async (principal: SessionPrincipal): Promise<Reply> => {
        await deps.runs.pause(callerOf(principal), id, isPaused);
        return seeOther(prefixOf(deps.baseUrl) + pageOf(id));
      };
      return forUserForm(input, deps, { token: input.body.token, back: pageOf(id), refused: refusedFormPage, act });
    },
  });

/** Operations of the forms on the page of a run. */
export const ownRunOperations = [
  cancelOwnRun,
  retryOwnRun,
  pauseForm(paths.dashboardRunPause, true),
  pauseForm(paths.dashboardRunResume, false),
] satisfies readonly Operation[];
