import { type AnyPipeline, DomainError } from '@headwater/core';
import { type LayerOrder, type OrderNode, requestFor } from '@headwater/core/runs';
import { findPlace } from '@headwater/core/places';
import type { UserPrincipal } from '@headwater/identity';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import type { MapNode } from '../schemas/order-maps.ts';
import { ORDER_MAPS } from '../schemas/order-maps.ts';
import { orderBody, type OrderBody, type OrderRequest } from '../schemas/order.ts';

/** An order of somebody. */
export interface AskedOrder {
  readonly principal: UserPrincipal;
  readonly request: OrderRequest;
  readonly overwrite: boolean;
}

/** Starts the layers of a map that this service has pipelines for. Throws what their requests are refused with. */
export async function startMap(
  deps: Ports<'pipelines' | 'runs' | 'stores'>,
  { principal, request, overwrite }: AskedOrder,
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
  { request, overwrite }: Omit<AskedOrder, 'principal'>,
): LayerOrder {
  const ordered = nodes.flatMap(({ node }): OrderNode[] => {
    const pipeline = known.get(node);
    if (pipeline === undefined) return [];
    return [{ name: node, pipeline, request: requestOf(node, pipeline, request), after: waitsOf(node, nodes, known) }];
  });
  return { fingerprint: JSON.stringify([request, overwrite]), nodes: ordered, overwrite };
}

/** The members of an order that a pipeline asks for. Throws where it asks for more. */
function requestOf(node: string, pipeline: AnyPipeline, order: OrderRequest): unknown {
  const made = requestFor(pipeline, order);
  if ('request' in made) return made.request;
  throw new DomainError(
    'internal',
    `${node}: pipeline ${pipeline.name} asks for more than an order says (${made.lacks.join(', ')}); start it by its own route.`,
  );
}

/** Nodes that this one waits for: in the place of one that is not available, those which that one would wait for. */
function waitsOf(node: string, nodes: readonly MapNode[], known: ReadonlyMap<string, AnyPipeline>): readonly string[] {
  const { after = [] } = nodes.find((each) => each.node === node) ?? {};
  return after.flatMap((parent) => (known.has(parent) ? [parent] : waitsOf(parent, nodes, known)));
}
