import { eoAccountField, placeFields, yearFields } from '@headwater/core';
import type { StartedOrder } from '@headwater/core/runs';
import { z } from 'zod';
import { ORDER_MAPS } from './order-maps.ts';

const MAPS = Object.keys(ORDER_MAPS);

/** Request of an order, with the field names of the domain. */
export const orderRequest = z.object({
  ...placeFields,
  ...eoAccountField,
  ...yearFields,
  map: z
    .enum(Object.keys(ORDER_MAPS) as [keyof typeof ORDER_MAPS], `Must be one of ${MAPS.join(', ')}.`)
    .describe('Map whose layers are computed, each after the layers that it needs.'),
});

/** Parsed request of an order. */
export type OrderRequest = z.infer<typeof orderRequest>;

/** Body of a 200: the runs of an order are stored, or there is nothing to do. */
export const OrderBody = z
  .object({
    Success: z.string(),
    message: z.string(),
    status: z
      .enum(['initiated', 'success', 'not_available'])
      .describe(
        'initiated: runs are stored; success: every layer has a stored result; not_available: this service can compute no layer of the map.',
      ),
    map: z.string(),
    run_id: z
      .string()
      .nullable()
      .describe('Run of the whole order; null if this service can compute no layer of the map.'),
    task_id: z.string().nullable().describe('Same as run_id.'),
    joined: z
      .boolean()
      .describe('True if an identical request is already in progress. The response then names its runs.'),
    runs: z.array(
      z.object({
        node: z.string().describe('Layer of the map, by the name of its route.'),
        pipeline: z.string(),
        run_id: z.string(),
        after: z.array(z.string()).describe('Ids of the runs that must succeed before this run begins.'),
        reused: z.boolean().describe('True if a stored result is reused.'),
      }),
    ),
    not_available: z
      .array(z.string())
      .describe(
        'Layers (`node`) of the map for which this service has no pipeline; the other layers do not wait for them.',
      ),
  })
  .meta({ id: 'LayerOrder' });

/** Status and message of an order. Existing clients only know the status `initiated`. */
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
    return { status: 'success', message: 'Nothing to compute: all available layers exist already' };
  return { status: 'initiated', message: 'Successfully initiated' };
}

/** Converts an order into its wire form. `started`: undefined if no layer can be computed. */
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
