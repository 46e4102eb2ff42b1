import type { RunLogLine } from '@headwater/core/runs';
import { z } from 'zod';
import { checked } from '../../../wire/checked.ts';
import { StacItem } from '../../stac-api/schemas/stac.ts';
import { SceneUsage } from './scene-usage.ts';
import { RunTable } from '../../public-data/schemas/tables.ts';
import { integerText } from '../../../wire/text.ts';
import { CodeMember } from '../../../wire/wordings/problem.ts';

/** Run id in the form of a UUID: hexadecimal digits with hyphens. */
export const RunId = z
  .string()
  .regex(/^[0-9a-fA-F-]{36}$/, 'Not the id of a run; copy the 36 characters from the response of the POST.');

/** Path parameter of a run. */
export const RunParams = z.object({
  id: RunId.describe('Id of the run, from the response of the POST that started it.'),
});

const State = z.enum(['queued', 'running', 'success', 'failed']).meta({ id: 'RunState' });

/** Query of the run list. */
export const RunListQuery = z.object({
  limit: integerText(1, 100).optional().describe('Runs per page, 1-100; default 50.'),
  offset: integerText(0).optional().describe('Number of runs to skip; default 0.'),
  state: State.optional().describe('Only runs in this state; default: all.'),
  parent: z
    .string()
    .regex(/^(any|[0-9a-fA-F-]{36})$/, 'Must be the id of a run, or any.')
    .optional()
    .describe(
      'Id of a run: only the runs that it requested, such as the tehsils of a run over a district. `any`: all runs. Default: only runs that a client requested.',
    ),
  format: z
    .enum(['html', 'json'], 'Must be html or json.')
    .optional()
    .describe('Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`.'),
});

/** Query of a run's log. */
export const RunLogQuery = z.object({
  format: z
    .enum(['text', 'json'], 'Must be text or json.')
    .optional()
    .describe('Default: according to Accept, otherwise text.'),
});

/** Query of a run's events. */
export const RunEventsQuery = z.object({
  last_event_id: integerText(0)
    .optional()
    .describe('Number of the last event that the client has; only later events are sent.'),
});

/** Number of the client's last event, from the header `Last-Event-ID`. Throws `validation` if it is not a number. */
export function lastEventId(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  return checked(z.object({ 'Last-Event-ID': integerText(0) }), { 'Last-Event-ID': header })['Last-Event-ID'];
}

/** An Item that the run published and that a later run has replaced. */
export const ReplacedItem = z.object({
  id: z.string(),
  latest: z.string().nullable().describe('Address of the newest version; null if only the id is known.'),
});

/** A run in wire form. */
export const RunBody = z
  .object({
    run_id: z.string(),
    task_id: z.string().describe('Same as run_id, under the name that existing clients read.'),
    parent_run_id: z.string().nullable().describe('Id of the run that started this run.'),
    after: z.array(z.string()).describe('Ids of the runs that must succeed before this run begins.'),
    pipeline: z.string(),
    params: z.record(z.string(), z.unknown()),
    state: State,
    done: z.boolean(),
    status: State.describe('Same as state, under the name that workflow callbacks read.'),
    item_ids: z.array(z.string()),
    progress: z.number().min(0).max(1),
    step: z.string().nullable(),
    attempt: z.int(),
    backend: z
      .enum(['local', 'orchestrator'])
      .describe('`local`: a worker of this service computes the run. `orchestrator`: a workflow computes it.'),
    queue: z.string(),
    dag_id: z.string().nullable().describe('Id of the workflow (DAG) that computes this run at the orchestrator.'),
    dag_run_id: z
      .string()
      .nullable()
      .describe('Id of the run at the orchestrator; null until the orchestrator reports it.'),
    cancel_requested: z.boolean(),
    error: z
      .object({
        code: CodeMember,
        message: z.string(),
        fields: z.record(z.string(), z.array(z.string())).optional(),
        details: z
          .object({ task: z.string().nullable(), excerpt: z.string() })
          .optional()
          .describe('The task that failed at the orchestrator, and lines of its log.'),
      })
      .nullable(),
    timings: z.record(z.string(), z.number()).describe('Seconds per step and other measured numbers.'),
    created_at: z.string(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
    execution_time: z
      .number()
      .nullable()
      .describe('Seconds from start to end; null before the end, and for a run that never started.'),
    links: z.object({
      self: z.string(),
      log: z.string(),
      events: z.string(),
      cancel: z.string(),
      tehsils: z.string().optional().describe('Report of a run over a district or a state.'),
    }),
    stac_items: z
      .array(StacItem)
      .describe(
        'Items in the version that this run published; replaced versions are `deprecated` and link to the newest.',
      ),
    tables: z.array(RunTable).describe('Tables that the run published and that no later run has replaced.'),
    replaced_items: z.array(ReplacedItem).describe('Items of this run that later runs have replaced.'),
    scene_usage: SceneUsage.nullable().describe(
      "Scenes that the run read from a platform with its Earth-observation account. Null if it read no scenes there, for example because it read them from the service's own sources.",
    ),
  })
  .meta({ id: 'Run' });

/** A run in lists, without its publications and scenes. */
export const RunSummary = RunBody.omit({
  stac_items: true,
  tables: true,
  replaced_items: true,
  scene_usage: true,
}).meta({
  id: 'RunSummary',
});

/** A page of runs. */
export const RunPage = z
  .object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(RunSummary),
  })
  .meta({ id: 'RunPage' });

/** Log of a run as JSON. */
export const RunLog = z
  .object({ run_id: z.string(), lines: z.array(z.object({ seq: z.int(), at: z.string(), message: z.string() })) })
  .meta({ id: 'RunLog' });

/** Converts a run's log into its wire form. */
export function runLogBody(id: string, lines: readonly RunLogLine[]): z.infer<typeof RunLog> {
  return { run_id: id, lines: [...lines] };
}
