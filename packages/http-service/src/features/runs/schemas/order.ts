import { eoAccountField, placeFields, yearFields } from '@headwater/core';
import type { StartedOrder } from '@headwater/core/runs';
import { z } from 'zod';
import { ORDER_MAPS } from './order-maps.ts';

const MAPS = Object.keys(ORDER_MAPS);

/** What an order asks for, in domain names. */
export const orderRequest = z.object({
  ...placeFields,
  ...eoAccountField,
  ...yearFields,
  map: z
    .enum(Object.keys(ORDER_MAPS) as [keyof typeof ORDER_MAPS], `Must be one of ${MAPS.join(', ')}.`)
    .describe('Which layers: those of this map, each behind the ones that it is made of.'),
});

/** What an order asks for. */
export type OrderRequest = z.infer<typeof orderRequest>;

/** 200: the runs of an order are stored, or there is nothing to do. */
export const OrderBody = z
  .object({
    Success: z.string(),
    message: z.string(),
    status: z
      .enum(['initiated', 'success', 'not_available'])
      .describe(
        'initiated: runs are stored; success: stored results answer for every layer; not_available: no layer of the map can be made here.',
      ),
    map: z.string(),
    run_id: z.string().nullable().describe('Run that stands for all; null where no node is available.'),
    task_id: z.string().nullable().describe('Same as run_id.'),
    joined: z.boolean().describe('True where the same order is at work already.'),
    runs: z.array(
      z.object({
        node: z.string(),
        pipeline: z.string(),
        run_id: z.string(),
        after: z.array(z.string()).describe('Runs that have to succeed before this one begins.'),
        reused: z.boolean().describe('True where a stored result answers.'),
      }),
    ),
    not_available: z
      .array(z.string())
      .describe('Nodes that this service has no pipeline for; others go on without them.'),
  })
  .meta({ id: 'LayerOrder' });

/** What came of an order, and the words for it; only the first is known to clients of the live system. */
function outcomeOf(
  map: string,
  started: StartedOrder | undefined,
): Pick<z.infer<typeof OrderBody>, 'status' | 'message'> {
  if (started === undefined)
    return {
      status: 'not_available',
      message: `Nothing initiated: this service has no pipeline for any layer of ${map}`,
    };
  if (started.nodes.every(({ reused }) => reused))
    return { status: 'success', message: 'Nothing to compute: every layer that is available is there already' };
  return { status: 'initiated', message: 'Successfully initiated' };
}

/** An order -> wire object; `started` is undefined where no node is available. */
export function orderBody(
  map: string,
  started: StartedOrder | undefined,
  missing: readonly string[],
): z.infer<typeof OrderBody> {
  const id = started?.run.id ?? null;
  const { status, message } = outcomeOf(map, started);
  return {
    Success: message,
    message,
    status,
    map,
    run_id: id,
    task_id: id,
    joined: started?.joined ?? false,
    runs: (started?.nodes ?? []).map(({ name, pipeline, run, reused }) => ({
      node: name,
      pipeline,
      run_id: run.id,
      after: [...run.after],
      reused,
    })),
    not_available: [...missing],
  };
}
