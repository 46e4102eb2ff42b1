import { z } from 'zod';
import { StacItem } from './stac.ts';
import { booleanText } from './text.ts';

/** Query of a computing route. */
export const ComputeQuery = z.object({
  wait: booleanText.optional().describe('true: answer only when the run has ended. Also accepted in the body.'),
});

const shared = {
  Success: z.string(),
  message: z.string(),
  run_id: z.string(),
  task_id: z.string(),
  execution_id: z.string(),
  asset_id: z.string().describe('Id of the first Item, or "" until it exists.'),
  asset_ids: z.array(z.string()),
  hosting_platform: z.literal('headwater'),
  joined: z.boolean().describe('True when an identical run was in flight and this request joined it.'),
};

/** 202: the run is stored. */
export const ComputeAccepted = z.object({ ...shared, status: z.literal('initiated') }).meta({ id: 'ComputeAccepted' });

/** 200 with `wait=true`: the superset that every reader of the live system's branches understands. */
export const ComputeSuccess = z
  .object({
    ...shared,
    status: z.literal('success'),
    version: z.string(),
    execution_time: z.number().describe('Seconds.'),
    stac_spec: StacItem,
    stac_items: z.array(StacItem),
  })
  .meta({ id: 'ComputeSuccess' });
