import { type AnyPipeline, DomainError } from '@headwater/core';
import { type LayerOrder, type OrderNode, requestFor } from '@headwater/core/runs';
import { findPlace } from '@headwater/core/places';
import type { UserPrincipal } from '@headwater/identity';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import type { MapNode } from '../schemas/order-maps.ts';
import { ORDER_MAPS } from '../schemas/order-maps.ts';
import { orderBody, type OrderBody, type OrderRequest } from '../schemas/order.ts';

/** A user's request for the layers of a map. */
export interface OrderCall {
  readonly principal: UserPrincipal;
  readonly request: OrderRequest;
  readonly overwrite: boolean;
}

/** Starts the layers of a map for which this service has pipelines. Throws the error of a pipeline that refuses its request. */
export async function startMap(
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

/** Request of a pipeline, built from the members of an order. Throws if the pipeline needs a field that an order does not have. */
function requestOf(node: string, pipeline: AnyPipeline, order: OrderRequest): unknown {
  const result = requestFor(pipeline, order);
  if ('request' in result) return result.request;
  throw new DomainError(
    'internal',
    `${node}: pipeline ${pipeline.name} needs fields that an order does not have (${result.lacks.join(', ')}); start it by its own route.`,
  );
}

/** Nodes that a node waits for. Instead of a node without a pipeline, the result has the nodes that this node would wait for. */
function waitsOf(node: string, nodes: readonly MapNode[], known: ReadonlyMap<string, AnyPipeline>): readonly string[] {
  const { after = [] } = nodes.find((each) => each.node === node) ?? {};
  return after.flatMap((parent) => (known.has(parent) ? [parent] : waitsOf(parent, nodes, known)));
}
