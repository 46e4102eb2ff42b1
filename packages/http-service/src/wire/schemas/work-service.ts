import { hasEnded, type Run } from '@headwater/core';
import { z } from 'zod';
import { booleanOf } from '../work-service/texts.ts';
import { sentences } from '../sentences.ts';
import type { RunView } from './run-view.ts';
import { StacItem } from './stac.ts';

const yesOrNo = z
  .string()
  .refine((text) => booleanOf(text) !== undefined, sentences.notBoolean)
  .transform((text) => booleanOf(text) ?? false);

/** Query of `export-asset`. */
export const ExportQuery = z.object({
  wait: yesOrNo.optional().describe('false: answer at once, with `task_id`. Also accepted in the body; default true.'),
  overwrite: yesOrNo
    .optional()
    .describe('false: a stored result with equal inputs answers. Also accepted in the body.'),
});

/** Query of `export-status`. */
export const ExportStatusQuery = z.object({
  task_id: z.string().min(1, sentences.blank).max(200, sentences.tooLong(200)).describe('As `export-asset` answered.'),
});

const State = z.enum(['queued', 'running', 'success', 'failed']);

const task = {
  task_id: z.string().describe('By which `export-status` tells of it; nobody can guess it.'),
  state: State,
  done: z.boolean(),
  asset_id: z.string().describe('Id of the first Item, or "" until it exists.'),
  asset_ids: z.array(z.string()),
  version: z.string().describe('Version of the asset, from "1"; "" until it exists.'),
  hosting_platform: z.string(),
  stac_items: z.array(StacItem),
  stac_spec: StacItem.nullable().describe('The first Item; null until it exists.'),
};

const call = {
  execution_id: z.string().describe("The caller's own, or that of the task."),
  joined: z.boolean().describe('True when an identical call is computing already, or a stored result answers.'),
};

/** 202 with `wait=false`. */
export const ExportTask = z.object({ status: z.literal('submitted'), ...task, ...call }).meta({ id: 'ExportTask' });

/** 200: the superset that every reader of the live system's branches understands (wire-contract 6.3). */
export const ExportDone = z
  .object({
    status: z.literal('success'),
    ...task,
    ...call,
    reused: z.boolean().describe('True when a stored result answers, because its inputs are the same.'),
    execution_time: z.number().describe('Seconds.'),
  })
  .meta({ id: 'ExportDone' });

/** What `export-status` answers. */
export const ExportStatus = z
  .object({
    status: State,
    success: z.boolean(),
    ...task,
    error: z.string().nullable().describe('Why it failed.'),
    progress: z.number().describe('0 to 1.'),
    step: z.string().nullable(),
    execution_time: z.number().nullable(),
  })
  .meta({ id: 'ExportStatus' });

/** What a run published, as it is told; of one that published nothing yet: nothing. */
export interface Exported {
  readonly items: readonly z.infer<typeof StacItem>[];
  readonly version: number | undefined;
  readonly hostingPlatform: string;
}

/** How a call came to its run. */
export interface Called {
  readonly executionId: string | undefined;
  readonly joined: boolean;
  readonly reused: boolean;
}

/** Body of a call that waits for nothing. */
export function taskBody(run: Run, called: Called, made: Exported): z.infer<typeof ExportTask> {
  return { status: 'submitted', ...taskMembers(run, made), ...callMembers(run, called) };
}

/** Body of a call whose run succeeded. */
export function doneBody(
  run: Run,
  called: Called,
  made: Exported & Pick<RunView, 'execution_time'>,
): z.infer<typeof ExportDone> {
  return {
    status: 'success',
    ...taskMembers(run, made),
    ...callMembers(run, called),
    reused: called.reused,
    execution_time: made.execution_time ?? 0,
  };
}

/** Body of a look at a run. */
export function statusBody(run: Run, view: RunView, made: Exported): z.infer<typeof ExportStatus> {
  return {
    status: run.state,
    success: run.state === 'success',
    ...taskMembers(run, made),
    error: view.error?.message ?? null,
    progress: run.progress,
    step: run.step,
    execution_time: view.execution_time,
  };
}

function taskMembers(run: Run, { items, version, hostingPlatform }: Exported) {
  const [first] = items;
  return {
    task_id: run.id,
    state: run.state,
    done: hasEnded(run),
    asset_id: first?.id ?? '',
    asset_ids: items.map(({ id }) => id),
    version: version === undefined ? '' : String(version),
    hosting_platform: hostingPlatform,
    stac_items: [...items],
    stac_spec: first ?? null,
  };
}

const callMembers = ({ id }: Run, { executionId, joined }: Called) => ({ execution_id: executionId ?? id, joined });
