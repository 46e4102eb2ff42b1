import type { Run } from '@headwater/core';
import { z } from 'zod';
import { sentences } from '../../../wire/sentences.ts';
import type { RunView } from './run-view.ts';
import { StacItem } from '../../stac-api/schemas/stac.ts';
import { RunTable } from '../../public-data/schemas/tables.ts';
import { booleanText } from '../../../wire/text.ts';

/** Area that a request computes: a tehsil, or all tehsils of a district or a state. */
export type Scope = 'tehsil' | 'district' | 'state';

/** Query of a computing route. */
export const ComputeQuery = z.object({
  wait: booleanText.optional().describe('true: respond after the run has ended. Also accepted in the body.'),
  overwrite: booleanText
    .optional()
    .describe('true: compute again, even if a stored result has the same inputs. Also accepted in the body.'),
  with_dependencies: booleanText
    .optional()
    .describe('true: first compute required layers that are missing. Also accepted in the body.'),
  dry_run: booleanText
    .optional()
    .describe(
      'true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk.',
    ),
});

const lenientBoolean = z.union([z.boolean(), z.enum(['true', 'false', '1', '0'])], sentences.notBoolean).nullish();

/** Members that every computing request may have. */
export const ComputeExtras = z.object({
  wait: lenientBoolean.describe('true: respond after the run has ended.'),
  overwrite: lenientBoolean.describe('true: compute again, even if a stored result has the same inputs.'),
  with_dependencies: lenientBoolean.describe('true: first compute required layers that are missing.'),
  execution_id: z
    .string(sentences.notText)
    .max(200, sentences.tooLong(200))
    .nullish()
    .describe('Any id that the caller chooses for this request; the response repeats it.'),
});

/** Parsed extra members of a body. */
export interface Extras {
  readonly wait: boolean;
  readonly overwrite: boolean;
  readonly withDependencies: boolean;
  readonly executionId: string | undefined;
}

/** Reads the extra members of a checked body. */
export function computeExtras(body: unknown): Extras {
  const { wait, overwrite, with_dependencies: dependencies, execution_id: id } = ComputeExtras.parse(body);
  return {
    wait: isYes(wait),
    overwrite: isYes(overwrite),
    withDependencies: isYes(dependencies),
    executionId: id ?? undefined,
  };
}

function isYes(value: z.infer<typeof lenientBoolean>): boolean {
  return value === true || value === 'true' || value === '1';
}

const shared = {
  Success: z.string(),
  message: z.string(),
  run_id: z.string(),
  task_id: z.string(),
  execution_id: z.string(),
  asset_id: z.string().describe('Id of the first Item; "" before the Item exists.'),
  asset_ids: z.array(z.string()),
  hosting_platform: z.string().describe('Platform that hosts the files.'),
  joined: z
    .boolean()
    .describe(
      'True if no new run was created: an identical one is in progress, is stored, or has the same Idempotency-Key.',
    ),
  reused: z.boolean().describe('True if this is the stored result of an earlier run with the same inputs.'),
};

/** Body of a 202: the run is stored. */
export const ComputeAccepted = z
  .object({
    ...shared,
    status: z.literal('initiated'),
    after: z.array(z.string()).describe('Ids of the runs that must succeed before this run begins.'),
  })
  .meta({ id: 'ComputeAccepted' });

/** Body of a 200: with `wait=true`, or if the result exists already. Existing clients read these members. */
export const ComputeSuccess = z
  .object({
    ...shared,
    status: z.literal('success'),
    version: z.string(),
    execution_time: z.number().describe('Seconds.'),
    timings: z.record(z.string(), z.number()).describe('Seconds per step and other measured numbers.'),
    stac_spec: StacItem.nullable().describe('The first Item; null if the run published only tables or series.'),
    stac_items: z.array(StacItem),
    tables: z.array(RunTable).describe('Tables that the run published and that no later run has replaced.'),
  })
  .meta({ id: 'ComputeSuccess' });

/** Details for a response in addition to the run. */
export interface AnswerDetails {
  readonly joined: boolean;
  readonly reused: boolean;
  readonly executionId: string;
  readonly hostingPlatform: string;
  /** Message of the pipeline. */
  readonly message: string;
}

/** Body for a run that is stored. */
export function acceptedBody({ id, after }: Run, details: AnswerDetails): z.infer<typeof ComputeAccepted> {
  return {
    Success: details.message,
    status: 'initiated',
    after: [...after],
    run_id: id,
    task_id: id,
    asset_id: '',
    asset_ids: [],
    ...tail(details),
  };
}

interface Published {
  readonly items: readonly z.infer<typeof StacItem>[];
  readonly tables: readonly z.infer<typeof RunTable>[];
  readonly version: number;
}

/** Body for a successful run. There are no Items if the run published only tables or series. */
export function successBody(
  { id }: Run,
  result: AnswerDetails & Published,
  view: RunView,
): z.infer<typeof ComputeSuccess> {
  const { items, tables, version, message } = result;
  const [first] = items;
  return {
    Success: message,
    status: 'success',
    run_id: id,
    task_id: id,
    asset_id: first?.id ?? '',
    asset_ids: items.map((item) => item.id),
    version: String(version),
    execution_time: view.execution_time ?? 0,
    timings: view.timings,
    stac_spec: first ?? null,
    stac_items: [...items],
    tables: [...tables],
    ...tail(result),
  };
}

function tail({
  joined,
  reused,
  executionId,
  hostingPlatform,
  message,
}: AnswerDetails): Pick<
  z.infer<typeof ComputeAccepted>,
  'joined' | 'reused' | 'execution_id' | 'hosting_platform' | 'message'
> {
  return { joined, reused, execution_id: executionId, hosting_platform: hostingPlatform, message };
}
