import { DomainError, isDomainError, type Run } from '@headwater/core';
import { z } from 'zod';
import { computingRoutes } from '../../../items/computing-routes.ts';
import { BEARER_ERRORS, BODY_ERRORS, ok } from '../../../rows/common.ts';
import { EXAMPLE_NAMES, EXAMPLE_PLACE, EXAMPLE_RUN } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { fieldsBody } from '../../../seam/row-body.ts';
import { absent } from '../../../wire/absent.ts';
import { fill, paths } from '../../../wire/paths.ts';
import { text } from '../../../wire/text.ts';
import { namedTehsil } from '../../public-data/handlers/named-tehsil.ts';
import { BlockQuery } from '../../public-data/schemas/public-places.ts';

const ROW = { method: 'POST', auth: 'bearer', tag: 'operators', errorFormat: 'compute', noStore: true } as const;
const FIELDS = { accepts: ['json', 'form', 'multipart'] } as const;

const TASK_STATES = ['READY', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCEL_REQUESTED', 'CANCELLED'] as const;

const TaskStatus = z
  .object({
    id: z.string(),
    state: z.enum(TASK_STATES).describe('State in the words of Earth Engine.'),
    description: z.string().describe('Name of the computation.'),
    creation_timestamp_ms: z.int(),
    start_timestamp_ms: z.int().nullable(),
    update_timestamp_ms: z.int().nullable().describe('End of the run; null before.'),
    error_message: z.string().nullable(),
    run: z.string().describe('Address of the run.'),
  })
  .meta({ id: 'TaskStatus' });

const TaskStatusBody = z.object({ Response: TaskStatus }).meta({ id: 'TaskStatusResponse' });

const TaskRequest = z
  .object({ task_id: text(200).describe('`task_id` of the response to a computing request: the id of its run.') })
  .meta({ id: 'TaskRequest' });

function taskState({ state, error, cancelRequested }: Run): (typeof TASK_STATES)[number] {
  if (state === 'success') return 'COMPLETED';
  if (state === 'failed') return error?.code === 'cancelled' ? 'CANCELLED' : 'FAILED';
  if (cancelRequested) return 'CANCEL_REQUESTED';
  return state === 'queued' ? 'READY' : 'RUNNING';
}

const millisecondsOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));

const taskStatus = operation({
  ...ROW,
  id: 'earthEngineTaskStatus',
  path: paths.earthEngineTask,
  summary: 'Returns the state of a run in the form of a task of Earth Engine, for existing dashboards',
  description:
    'Users see their own runs, and superusers see all. This service computes without Earth Engine, so a task of Earth Engine is unknown (404). ' +
    `GET ${paths.runs} lists runs with more details.`,
  body: fieldsBody(TaskRequest, FIELDS),
  responses: { 200: ok('The state', TaskStatusBody) },
  errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'not_found'],
  examples: [
    { name: 'ended', body: { task_id: EXAMPLE_RUN }, status: 200 },
    { name: 'of Earth Engine', body: { task_id: 'QZ4UIVXVYDOAYYZ3UYPOWAXX' }, status: 404 },
    { name: 'no id', body: {}, status: 400 },
  ],
  async handler({ principal, body: { task_id: id } }, { runs, baseUrl }) {
    const run = await runs.get(principal, id).catch((error: unknown) => {
      throw isDomainError(error) && error.code === 'not_found' ? absent('earthEngineTask', { id }) : error;
    });
    const status: z.infer<typeof TaskStatus> = {
      id,
      state: taskState(run),
      description: run.pipeline,
      creation_timestamp_ms: Date.parse(run.createdAt),
      start_timestamp_ms: millisecondsOf(run.startedAt),
      update_timestamp_ms: millisecondsOf(run.finishedAt),
      error_message: run.error?.message ?? null,
      run: baseUrl + fill(paths.run, { id }),
    };
    return json(200, { Response: status });
  },
});

const fetchLayer = operation({
  ...ROW,
  id: 'fetchEarthEngineLayer',
  path: paths.earthEngineLayer,
  summary: 'Refuses to fetch layers from Earth Engine, and names the requests that return or compute the layers here',
  description:
    'Existing dashboards send this request to fetch the layers of a tehsil from Earth Engine. No Earth Engine is connected to this service; its layers are published as soon as they are computed.',
  body: fieldsBody(BlockQuery, FIELDS),
  responses: {},
  errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'not_found', 'unavailable'],
  examples: [
    { name: 'sample', body: EXAMPLE_PLACE, status: 503 },
    { name: 'unknown', body: { ...EXAMPLE_NAMES, tehsil: 'Nowhere' }, status: 404 },
  ],
  async handler({ body }, deps) {
    const { tehsil } = await namedTehsil(deps, body);
    const routes = computingRoutes(deps);
    const computed = routes === '' ? '' : `, and POST ${routes} computes them`;
    throw new DomainError(
      'unavailable',
      `No Earth Engine is connected to this service, so no layer of ${tehsil} can be fetched from it. GET ${paths.layerUrls} lists the layers that are published here${computed}.`,
    );
  },
});

/** Operations that existing dashboards call for Earth Engine. */
export const earthEngineOperations = [taskStatus, fetchLayer] satisfies readonly Operation[];
