import { isObject } from '@headwater/core/values';
import type { WorkflowFailure, WorkflowRun } from '@headwater/core/runs';
import { z } from 'zod';
import { type FieldsBody, fieldsBody } from '../../../seam/row-body.ts';
import { sentences } from '../../../wire/sentences.ts';

type Conf = Readonly<Record<string, unknown>>;

const documented = z.looseObject({
  conf: z
    .looseObject({})
    .nullish()
    .describe(
      'Parameters of the workflow; if absent, null or empty, the body itself has the parameters. Region, years and scheme are checked.',
    ),
});

const schema = z.unknown().transform((body, context): Conf => {
  if (isObject(body)) {
    const { conf = null, ...rest } = body;
    if (conf === null) return rest;
    // A client that sends the parameters in the body may add an empty conf, which is ignored.
    if (isObject(conf)) return Object.keys(conf).length === 0 ? rest : conf;
    context.addIssue({ code: 'custom', path: ['conf'], message: sentences.notObject });
    return z.NEVER;
  }
  context.addIssue({ code: 'custom', path: [], message: sentences.notAnObject('nothing') });
  return z.NEVER;
});

/** Body of `dag/run`. */
export const workflowConf: FieldsBody<Conf> = { ...fieldsBody(schema), documented };

/** Query of `dag/status`. A space in an id counts as a plus that was not encoded. */
export const WorkflowRunQuery = z.object({
  run_id: z
    .string()
    .min(1, sentences.blank)
    .max(250, sentences.tooLong(250))
    .transform((id) => id.replaceAll(' ', '+'))
    .describe('Id of the run, from the response of `dag/run`.'),
});

const State = z.enum(['queued', 'running', 'success', 'failed']);

/** A started run of the workflow. */
export const WorkflowRunStarted = z.object({ dag_run_id: z.string(), state: State }).meta({ id: 'WorkflowRunStarted' });

/** State of a run of the workflow. */
export const WorkflowRunStatus = z
  .object({
    dag_run_id: z.string(),
    state: State,
    done: z.boolean(),
    success: z.boolean(),
    error: z.string().exactOptional().describe('Reason of the failure, for a run that `dag/run` started.'),
    details: z
      .object({ task: z.string().nullable(), excerpt: z.string() })
      .exactOptional()
      .describe('With `error`: the task that failed, and lines of its log.'),
  })
  .meta({ id: 'WorkflowRunStatus' });

/** Converts a run of the workflow to its wire form. */
export function workflowRunStatus(
  { dagRunId, state }: WorkflowRun,
  failure: WorkflowFailure | undefined,
): z.infer<typeof WorkflowRunStatus> {
  const success = state === 'success';
  const status = { dag_run_id: dagRunId, state, done: success || state === 'failed', success };
  if (failure === undefined) return status;
  const { task, reason, excerpt } = failure;
  const error = task === null ? reason : `Task ${task}: ${reason}`;
  return { ...status, error, details: { task, excerpt } };
}
