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
      'Parameters of the workflow; where it is absent or null the body itself is taken. Region, years and scheme are checked.',
    ),
});

const schema = z.unknown().transform((body, context): Conf => {
  if (isObject(body)) {
    const { conf = null, ...rest } = body;
    if (conf === null) return rest;
    if (isObject(conf)) return conf;
    context.addIssue({ code: 'custom', path: ['conf'], message: sentences.notObject });
    return z.NEVER;
  }
  context.addIssue({ code: 'custom', path: [], message: sentences.notAnObject('nothing') });
  return z.NEVER;
});

/** Body of `dag/run`. */
export const workflowConf: FieldsBody<Conf> = { ...fieldsBody(schema), documented };

/** Query of `dag/status`. Ids end in `+00:00` where the orchestrator minted them, and a plus sign that is not escaped arrives as a blank, which no id has. */
export const WorkflowRunQuery = z.object({
  run_id: z
    .string()
    .min(1, sentences.blank)
    .max(250, sentences.tooLong(250))
    .transform((id) => id.replaceAll(' ', '+'))
    .describe('As `dag/run` answered.'),
});

const State = z.enum(['queued', 'running', 'success', 'failed']);

/** A run of the workflow that was started. */
export const WorkflowRunStarted = z.object({ dag_run_id: z.string(), state: State }).meta({ id: 'WorkflowRunStarted' });

/** How it gets on. */
export const WorkflowRunStatus = z
  .object({
    dag_run_id: z.string(),
    state: State,
    done: z.boolean(),
    success: z.boolean(),
    error: z.string().exactOptional().describe('Why a run failed that `dag/run` started.'),
    details: z
      .object({ task: z.string().nullable(), excerpt: z.string() })
      .exactOptional()
      .describe('Beside `error`: the task that failed, and lines of its log.'),
  })
  .meta({ id: 'WorkflowRunStatus' });

/** A run of the workflow on the wire. */
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
