import { z } from 'zod';
import type { Run } from '../ports/runs.ts';
import { newRun } from './new-run.ts';
import { planRun, type RunPlan, type AwaitedRuns } from './plan-runs.ts';
import { enqueue, type StartDeps } from './start.ts';
import { storedResult } from './stored-result.ts';
import type { AnyPipeline, LayerOrder, RunPrincipal, StartedNode, StartedOrder } from './types.ts';

/** Pipeline name of the run that represents a whole order (several layers in one request). */
export const ORDER_PIPELINE = 'layer_order';

const params = z.object({ order: z.string(), nodes: z.array(z.string()) });

/** Pipeline of the run that waits for the runs of an order and publishes nothing. No route starts it directly. */
export const orderPipeline: AnyPipeline = {
  name: ORDER_PIPELINE,
  route: ORDER_PIPELINE,
  aliases: [],
  summary: 'Waits for the runs of an order.',
  examples: [],
  messages: { initiated: 'Layers initiated', finished: 'Layers finished' },
  request: params,
  params,
  steps: [{ name: 'wait', weight: 1 }],
  resolve: async (request) => request,
  fingerprint: (request) => params.parse(request).order,
  execute: async () => ({ items: [], layers: [], timings: {} }),
};

/** Starts the runs of an order, and a run that groups them. Joins an identical order that has not ended. */
export async function startOrder(deps: StartDeps, principal: RunPrincipal, order: LayerOrder): Promise<StartedOrder> {
  const ownerId = principal.user.id;
  const names = order.nodes.map(({ name }) => name);
  const group = newRun({
    pipeline: orderPipeline,
    params: { order: order.fingerprint, nodes: names },
    ownerId,
    now: deps.ports.now(),
  });
  const plan: RunPlan = { ownerId, parentId: group.id, runs: [] };
  const planned = await planNodes(deps, plan, order);
  const waits = dependenciesOf(names, planned);
  const stored = await enqueue(deps, { ...group, ...waits }, { key: undefined, dependencies: plan.runs });
  const enqueued = new Map(plan.runs.map(({ id }, index) => [id, stored.dependencies[index]] as const));
  const nodes = await Promise.all(
    order.nodes.map(async ({ name, pipeline }): Promise<StartedNode> => {
      const node = planned.get(name);
      const run = typeof node === 'string' ? enqueued.get(node)?.run : node;
      // If an identical order is in progress, its runs are returned.
      return {
        name,
        pipeline: pipeline.name,
        run: run ?? (await runOf(deps, stored.run, name)),
        reused: typeof node === 'object',
      };
    }),
  );
  return { run: stored.run, joined: stored.joined, nodes };
}

/** Planned run id, or the run of the reused result, by node. */
type Planned = ReadonlyMap<string, string | Run>;

async function planNodes(deps: StartDeps, plan: RunPlan, { nodes, overwrite = false }: LayerOrder): Promise<Planned> {
  const planned = new Map<string, string | Run>();
  for (const { name, pipeline, request, after } of nodes) {
    const params = await pipeline.resolve(request, deps.ports);
    const waits = dependenciesOf(after, planned);
    const known = newRun({ pipeline, params, ownerId: plan.ownerId, now: deps.ports.now(), backend: deps.backend });
    const mustCompute =
      overwrite || waits.after.length > 0 || plan.runs.some(({ fingerprint }) => fingerprint === known.fingerprint);
    const stored = mustCompute ? undefined : await storedResult(deps, pipeline, { params, run: known });
    planned.set(name, stored ?? (await planRun(deps, plan, { pipeline, params, behind: [], waits })));
  }
  return planned;
}

/** Runs for which a node waits. Runs of reused results are left out, because these runs have ended. */
function dependenciesOf(names: readonly string[], planned: Planned): AwaitedRuns {
  const waits = new Map<string, string>();
  for (const name of names) {
    const id = planned.get(name);
    if (typeof id === 'string' && !waits.has(id)) waits.set(id, `node ${name}`);
  }
  return { after: [...waits.keys()], awaits: [...waits.values()] };
}

async function runOf({ runs }: StartDeps, group: Run, name: string): Promise<Run> {
  const id = group.after[group.awaits.indexOf(`node ${name}`)];
  const run = id === undefined ? undefined : await runs.get(id);
  return run ?? group;
}
