import { DomainError, type AnyPipeline } from '@headwater/core';
import { type LayerOrder, type OrderNode, requestFor } from '@headwater/core/runs';
import { findPlace } from '@headwater/core/places';
import type { UserPrincipal } from '@headwater/identity';
import type { z } from 'zod';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { computeBody } from '../schemas/pipeline-body.ts';
import { exampleBody } from '../../../wire/request-names.ts';
import { paths } from '../../../wire/paths.ts';
import { OrderBody, orderRequest, orderBody, type OrderRequest } from '../schemas/order.ts';
import { COMPUTING_ERRORS, BODY_ERRORS, ok } from '../../../rows/common.ts';
import { NO_PIXELS } from '../handlers/start-computation.ts';
import type { Ports } from '../../../deps.ts';
import { type MapNode, ORDER_MAPS } from '../schemas/order-maps.ts';

const PLACE = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil' };
const YEARS = { startYear: 2021, endYear: 2023, eoAccountId: 1 };

const startOrder = operation({
  id: 'generateLayerInOrder',
  method: 'POST',
  path: paths.layerOrder,
  auth: 'computing',
  tag: 'computing',
  summary: 'Starts the layers of a map, each after the layers that it needs',
  description:
    'One run represents the whole order: it ends after the last layer, and fails with the first layer that fails. It counts as one run of the account. ' +
    'The response names the layers for which this service has no pipeline. If a layer depends on a layer without a pipeline, it waits instead for the layers on which that layer depends. ' +
    'If a layer needs layers outside of the order, these are computed first. A stored result with the current inputs is reused; `overwrite=true` computes it again.',
  body: computeBody(orderRequest),
  responses: { 200: ok('The runs are stored', OrderBody) },
  errors: [...COMPUTING_ERRORS, ...BODY_ERRORS, 'not_found', 'throttled', 'missing_layer', 'unavailable', 'internal'],
  noStore: true,
  errorFormat: 'compute',
  examples: [
    { name: 'the available layers', body: exampleBody({ ...PLACE, ...YEARS, map: 'map_2_2' }), status: 200 },
    { name: 'nothing available', body: exampleBody({ ...PLACE, ...YEARS, map: 'map_2_1' }), status: 200 },
    { name: 'unknown map', body: exampleBody({ ...PLACE, ...YEARS, map: 'map_9' }), status: 400 },
  ],
  async handler({ principal, body }, deps) {
    if (!deps.canCompute) throw new DomainError('unavailable', NO_PIXELS);
    const request = orderRequest.parse(body.request);
    return json(200, await startMap(deps, { principal, request, overwrite: body.overwrite }));
  },
});

/** Operation that starts several layers with one request. */
export const orderOperations = [startOrder] satisfies readonly Operation[];

interface OrderCall {
  readonly principal: UserPrincipal;
  readonly request: OrderRequest;
  readonly overwrite: boolean;
}

async function startMap(
  deps: Ports<'pipelines' | 'runs' | 'stores'>,
  { principal, request, overwrite }: OrderCall,
): Promise<z.infer<typeof OrderBody>> {
  await findPlace(deps.stores.places, request);
  const nodes: readonly MapNode[] = ORDER_MAPS[request.map];
  const known = available(nodes, deps.pipelines);
  const missing = nodes.filter(({ node }) => !known.has(node)).map(({ node }) => node);
  if (known.size === 0) return orderBody(request.map, undefined, missing);
  const started = await deps.runs.startOrder(principal, orderOf(nodes, known, { request, overwrite }));
  return orderBody(request.map, started, missing);
}

function available(nodes: readonly MapNode[], pipelines: readonly AnyPipeline[]): ReadonlyMap<string, AnyPipeline> {
  const entries = nodes.flatMap(({ node }) => {
    const pipeline = pipelines.find(({ route, aliases }) => route === node || aliases.includes(node));
    return pipeline === undefined ? [] : [[node, pipeline] as const];
  });
  return new Map(entries);
}

function orderOf(
  nodes: readonly MapNode[],
  known: ReadonlyMap<string, AnyPipeline>,
  { request, overwrite }: Omit<OrderCall, 'principal'>,
): LayerOrder {
  const ordered = nodes.flatMap(({ node }): OrderNode[] => {
    const pipeline = known.get(node);
    if (pipeline === undefined) return [];
    return [{ name: node, pipeline, request: requestOf(node, pipeline, request), after: waitsOf(node, nodes, known) }];
  });
  return { fingerprint: JSON.stringify([request, overwrite]), nodes: ordered, overwrite };
}

/** Builds the request of a pipeline. Throws if an order lacks a field of the pipeline. */
function requestOf(node: string, pipeline: AnyPipeline, order: OrderRequest): unknown {
  const result = requestFor(pipeline, order);
  if ('request' in result) return result.request;
  throw new DomainError(
    'internal',
    `${node}: pipeline ${pipeline.name} needs fields that an order does not have (${result.lacks.join(', ')}); start it by its own route.`,
  );
}

/**
 * Nodes that must succeed before `node`. Instead of a node without a pipeline, the nodes that must succeed before that
 * node are returned.
 */
function waitsOf(node: string, nodes: readonly MapNode[], known: ReadonlyMap<string, AnyPipeline>): readonly string[] {
  const { after = [] } = nodes.find((each) => each.node === node) ?? {};
  return after.flatMap((parent) => (known.has(parent) ? [parent] : waitsOf(parent, nodes, known)));
}
