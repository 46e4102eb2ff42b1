import { type AnyPipeline, DomainError, type Run } from '@headwater/core';
import { z } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import { itemsOf, runFailed } from '../handlers/run-body.ts';
import { runView } from '../wire/schemas/run-view.ts';
import { operation, type Operation, type OperationExample } from '../operation.ts';
import { json, type Reply } from '../reply.ts';
import { exampleBody, pipelineBody } from '../wire/pipeline-body.ts';
import { ComputeAccepted, ComputeQuery, ComputeSuccess } from '../wire/schemas/compute.ts';
import { BEARER_ERRORS, BODY_ERRORS, ok } from './common.ts';

const Extras = z.object({
  wait: z
    .union([z.boolean(), z.enum(['true', 'false', '1', '0'])], 'Must be true or false.')
    .nullish()
    .describe('true: answer only when the run has ended.'),
  execution_id: z
    .string('Not a valid string.')
    .max(200, 'Ensure this field has no more than 200 characters.')
    .nullish()
    .describe("The caller's own id, echoed."),
});

const RUN_ERRORS = [
  'not_found',
  'cancelled',
  'crashed_repeatedly',
  'input_data',
  'no_scenes',
  'storage_full',
  'unavailable',
  'internal',
] as const;

const NO_PIXELS = 'This service has no pixel engine; give createHeadwater `compute` to compute layers here.';

/** One POST row per route and alias of each pipeline. */
export function computeOperations(pipelines: readonly AnyPipeline[]): readonly Operation[] {
  return pipelines.flatMap((pipeline) =>
    [pipeline.route, ...pipeline.aliases].map((route) => computeRow(pipeline, route)),
  );
}

function computeRow(pipeline: AnyPipeline, route: string): Operation {
  return operation({
    id: `compute_${route}`,
    method: 'POST',
    path: `/api/v1/${route}/`,
    auth: 'bearer',
    tag: 'computing',
    summary: pipeline.summary,
    description:
      route === pipeline.route ? 'Identical requests in flight join one run.' : `Same as /api/v1/${pipeline.route}/.`,
    query: ComputeQuery,
    body: z.intersection(pipelineBody(pipeline.request), Extras),
    responses: {
      202: ok('The run is stored; Location says where to look', ComputeAccepted),
      200: ok('With wait=true: what the run published', ComputeSuccess),
    },
    errors: [...BEARER_ERRORS, ...BODY_ERRORS, ...RUN_ERRORS],
    errorFormat: 'compute',
    noStore: true,
    examples: examplesOf(pipeline),
    async handler({ principal, query, body, signal }, deps) {
      if (!deps.canCompute) throw new DomainError('unavailable', NO_PIXELS);
      const { wait, execution_id: executionId } = Extras.parse(body);
      const { run, joined } = await deps.runs.start(principal, pipeline, body);
      const shared = { joined, execution_id: executionId ?? run.id };
      if (!(query.wait ?? (wait === true || wait === 'true' || wait === '1')))
        return accepted(run, { ...shared, message: pipeline.messages.initiated }, deps);
      const ended = await endOf(run, signal, deps);
      return success(ended, { ...shared, message: pipeline.messages.finished }, deps);
    },
  });
}

// Ended early when the client leaves or the service closes; the run itself goes on.
async function endOf(run: Run, left: AbortSignal, { runs, closing, baseUrl }: ServiceDeps): Promise<Run> {
  const signal = AbortSignal.any([left, closing]);
  try {
    return await runs.waitFor(run.id, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
    const { self } = runView(run, baseUrl).links;
    throw new DomainError('unavailable', `The service is closing; the run goes on, look at ${self} later`, { cause });
  }
}

type Shared = Pick<z.infer<typeof ComputeSuccess>, 'joined' | 'execution_id' | 'message'>;

function accepted(run: Run, shared: Shared, { baseUrl }: ServiceDeps): Reply {
  const body: z.infer<typeof ComputeAccepted> = {
    Success: shared.message,
    status: 'initiated',
    run_id: run.id,
    task_id: run.id,
    asset_id: '',
    asset_ids: [],
    hosting_platform: 'headwater',
    ...shared,
  };
  return json(202, body, { location: runView(run, baseUrl).links.self });
}

async function success(run: Run, shared: Shared, deps: ServiceDeps): Promise<Reply> {
  const view = runView(run, deps.baseUrl);
  if (run.state !== 'success') throw runFailed(run, view);
  const { items, version } = await itemsOf(run, deps);
  const [first] = items;
  if (first === undefined) throw new Error(`run ${run.id} succeeded without Items`);
  const body: z.infer<typeof ComputeSuccess> = {
    Success: shared.message,
    status: 'success',
    run_id: run.id,
    task_id: run.id,
    asset_id: first.id,
    asset_ids: items.map(({ id }) => id),
    hosting_platform: 'headwater',
    version: String(version),
    execution_time: view.execution_time ?? 0,
    stac_spec: first,
    stac_items: items,
    ...shared,
  };
  return json(200, body, { location: view.links.self });
}

/** The pipeline's own requests (the first is started, the others are waited for), and one that names nothing. */
function examplesOf({ examples }: AnyPipeline): readonly OperationExample[] {
  const works = examples.map(({ name, request }, index): OperationExample => {
    const body = exampleBody(request);
    return index === 0 ? { name, body, status: 202 } : { name, query: { wait: 'true' }, body, status: 200 };
  });
  return [...works, { name: 'no object', body: [], status: 400 }];
}
