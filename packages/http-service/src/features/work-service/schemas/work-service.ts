import { hasEnded } from '@headwater/core/runs';
import { isObject } from '@headwater/core/values';
import type { Run } from '@headwater/core';
import { z } from 'zod';
import { booleanOf } from './texts.ts';
import { sentences } from '../../../wire/sentences.ts';
import type { RunView } from '../../runs/schemas/run-view.ts';
import { StacItem } from '../../stac-api/schemas/stac.ts';

const flag = z
  .string()
  .refine((text) => booleanOf(text) !== undefined, sentences.notBoolean)
  .transform((text) => booleanOf(text) ?? false);

/** Query of `export-asset`. */
export const ExportQuery = z.object({
  wait: flag
    .optional()
    .describe('false: respond immediately, with `task_id`. Also accepted in the body; default true.'),
  overwrite: flag.optional().describe('false: return a stored result with the same inputs. Also accepted in the body.'),
});

const id = (longest: number) => z.string().min(1, sentences.blank).max(longest, sentences.tooLong(longest)).optional();

/** Query of `export-status`: the id of a task or of an asset. */
export const ExportStatusQuery = z
  .object({
    task_id: id(200).describe('Id of the task, from the response of `export-asset`; takes precedence over `asset_id`.'),
    asset_id: id(500).describe('Id of an asset. The response states whether the asset is published.'),
  })
  .refine(({ task_id: task, asset_id: asset }) => task !== undefined || asset !== undefined, {
    error: sentences.taskOrAsset,
    path: ['task_id'],
  });

/** Existing clients compare these names of states. */
const STATES = ['READY', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

const task = {
  task_id: z.string().describe('Id of the task for `export-status`; it cannot be guessed.'),
  done: z.boolean(),
  asset_id: z.string().describe('Id of the first Item; "" before the Item exists.'),
  asset_ids: z.array(z.string()),
  version: z.string().describe('Version of the asset, from "1"; "" before the asset exists.'),
  hosting_platform: z.string(),
  stac_items: z.array(StacItem),
  stac_spec: StacItem.nullable().describe('The first Item; null before it exists.'),
  destination: z.string().nullable().describe('Address of the data of the first Item; null before the Item exists.'),
  classes: z
    .array(z.record(z.string(), z.unknown()))
    .describe('Meaning of the values in the data, from the first Item.'),
};

const call = {
  execution_id: z.string().describe('Id that the caller sent, or the id of the task.'),
  joined: z.boolean().describe('True if an identical call is already being computed, or a stored result is returned.'),
  year: z.int().exactOptional().describe('Hydrological year of the result; absent in callbacks of an orchestrator.'),
  note: z
    .string()
    .exactOptional()
    .describe('Present if no year was sent: the year that the service chose, and the reason.'),
};

/** Body of a 202, which is sent if the call does not wait or too many calls wait. */
export const ExportTask = z
  .object({ status: z.literal('submitted'), state: z.literal('SUBMITTED'), ...task, ...call })
  .meta({ id: 'ExportTask' });

/** Body of a 200. Existing clients read these members. */
export const ExportDone = z
  .object({
    status: z.literal('success'),
    state: z.literal('COMPLETED'),
    ...task,
    ...call,
    reused: z.boolean().describe('True if this is the stored result of an earlier run with the same inputs.'),
    execution_time: z.number().describe('Seconds.'),
  })
  .meta({ id: 'ExportDone' });

/** Response of `export-status` about a task. */
export const ExportStatus = z
  .object({
    status: z.enum(['queued', 'running', 'success', 'failed']),
    state: z.enum(STATES),
    success: z.boolean(),
    ...task,
    error: z.string().nullable().describe('Reason of the failure.'),
    progress: z.number().describe('0 to 1.'),
    step: z.string().nullable(),
    execution_time: z.number().nullable(),
  })
  .meta({ id: 'ExportStatus' });

/** Response of `export-status` about an asset. The state is PENDING until the asset is published. */
export const AssetStatus = z
  .object({
    asset_id: z.string(),
    state: z.enum(['COMPLETED', 'PENDING']),
    done: z.boolean(),
    success: z.boolean(),
    type: z.enum(['raster', 'vector']).optional(),
    version: z.string().describe('Version of the asset; "" before the asset exists.'),
    destination: task.destination,
  })
  .meta({ id: 'AssetStatus' });

/** Publications of a run; empty before the run publishes. */
export interface Exported {
  readonly items: readonly z.infer<typeof StacItem>[];
  readonly version: number | undefined;
  readonly hostingPlatform: string;
}

/** The year of a call, and a note if the caller sent no year. */
export interface ChosenYear {
  readonly year: number;
  readonly note?: string;
}

/** Facts about a call, such as its year. */
export interface Called {
  readonly executionId: string | undefined;
  readonly joined: boolean;
  readonly reused: boolean;
  /** Year of the call; undefined for callbacks of an orchestrator. */
  readonly chosen: ChosenYear | undefined;
}

/** Body of the response to a call that does not wait. */
export function taskBody(run: Run, called: Called, result: Exported): z.infer<typeof ExportTask> {
  return { status: 'submitted', state: 'SUBMITTED', ...taskMembers(run, result), ...callMembers(run, called) };
}

/** Body of the response to a call whose run succeeded. */
export function doneBody(
  run: Run,
  called: Called,
  result: Exported & Pick<RunView, 'execution_time'>,
): z.infer<typeof ExportDone> {
  return {
    status: 'success',
    state: 'COMPLETED',
    ...taskMembers(run, result),
    ...callMembers(run, called),
    reused: called.reused,
    execution_time: result.execution_time ?? 0,
  };
}

/** Body of the response about the state of a run. */
export function statusBody(run: Run, view: RunView, result: Exported): z.infer<typeof ExportStatus> {
  return {
    status: run.state,
    state: stateOf(run),
    success: run.state === 'success',
    ...taskMembers(run, result),
    error: view.error?.message ?? null,
    progress: run.progress,
    step: run.step,
    execution_time: view.execution_time,
  };
}

/** Body of the response about an asset. `found`: undefined if the asset is not published. */
export function assetBody(
  assetId: string,
  found: { readonly item: Readonly<Record<string, unknown>>; readonly version: number } | undefined,
): z.infer<typeof AssetStatus> {
  if (found === undefined)
    return { asset_id: assetId, state: 'PENDING', done: false, success: false, version: '', destination: null };
  const { item, version } = found;
  const type = dataOf(item)['type'] === 'application/geo+json' ? 'vector' : 'raster';
  const shared = { version: String(version), destination: destinationOf(item) };
  return { asset_id: assetId, state: 'COMPLETED', done: true, success: true, type, ...shared };
}

type Members = Readonly<Record<string, unknown>>;

function dataOf(item: Members | undefined): Members {
  const assets = isObject(item?.['assets']) ? item['assets'] : {};
  return isObject(assets['data']) ? assets['data'] : {};
}

function destinationOf(item: Members | undefined): string | null {
  const { href } = dataOf(item);
  return typeof href === 'string' ? href : null;
}

function classesOf(item: Members | undefined): Record<string, unknown>[] {
  const classes = dataOf(item)['classification:classes'];
  return Array.isArray(classes) ? classes.filter(isObject) : [];
}

function stateOf({ state, error }: Run): z.infer<typeof ExportStatus>['state'] {
  if (state === 'queued') return 'READY';
  if (state === 'running') return 'RUNNING';
  if (state === 'success') return 'COMPLETED';
  return error?.code === 'cancelled' ? 'CANCELLED' : 'FAILED';
}

function taskMembers(run: Run, { items, version, hostingPlatform }: Exported) {
  const [first] = items;
  return {
    task_id: run.id,
    done: hasEnded(run),
    asset_id: first?.id ?? '',
    asset_ids: items.map(({ id }) => id),
    version: version === undefined ? '' : String(version),
    hosting_platform: hostingPlatform,
    stac_items: [...items],
    stac_spec: first ?? null,
    destination: destinationOf(first),
    classes: classesOf(first),
  };
}

const callMembers = ({ id }: Run, { executionId, joined, chosen }: Called) => ({
  execution_id: executionId ?? id,
  joined,
  ...chosen,
});
