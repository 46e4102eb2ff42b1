import { DomainError, isDomainError, type Run } from '@headwater/core';
import type { EoExport } from '@headwater/core/ports';
import type { UserPrincipal } from '@headwater/identity';
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
import type { Ports } from '../../../deps.ts';
import { namedTehsil } from '../../public-data/handlers/named-tehsil.ts';
import { BlockQuery } from '../../public-data/schemas/public-places.ts';

const ROW = { method: 'POST', auth: 'bearer', tag: 'operators', errorFormat: 'compute', noStore: true } as const;
const FIELDS = { accepts: ['json', 'form', 'multipart'] } as const;

const TASK_STATES = ['READY', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCEL_REQUESTED', 'CANCELLED'] as const;

const TaskStatus = z
  .object({
    id: z.string(),
    state: z.enum(TASK_STATES).describe('State of the run or of the export, in the terms of Earth Engine.'),
    description: z.string().describe('Name of the computation; for an export, `export of` and the name of the layer.'),
    creation_timestamp_ms: z.int(),
    start_timestamp_ms: z
      .int()
      .nullable()
      .describe('Time at which the run started; null before its start, and for an export.'),
    update_timestamp_ms: z
      .int()
      .nullable()
      .describe('Time at which the run ended; null before its end, and for an export.'),
    error_message: z.string().nullable(),
    run: z.string().describe('Address of the run; for an export, of the run that computed the layer.'),
    asset_path: z.string().optional().describe('Path of the asset; only for an export.'),
    eecu_seconds: z
      .number()
      .nullable()
      .optional()
      .describe('Computing time that Earth Engine reported; only for an export.'),
  })
  .meta({ id: 'TaskStatus' });

const TaskStatusBody = z.object({ Response: TaskStatus }).meta({ id: 'TaskStatusResponse' });

const TaskRequest = z
  .object({
    task_id: text(200).describe(
      '`task_id` of the response to a computing request: the id of its run. Also the id of an export to Earth Engine.',
    ),
  })
  .meta({ id: 'TaskRequest' });

function taskState({ state, error, cancelRequested }: Run): (typeof TASK_STATES)[number] {
  if (state === 'success') return 'COMPLETED';
  if (state === 'failed') return error?.code === 'cancelled' ? 'CANCELLED' : 'FAILED';
  if (cancelRequested) return 'CANCEL_REQUESTED';
  return state === 'queued' ? 'READY' : 'RUNNING';
}

const EXPORT_STATES = { waiting: 'READY', running: 'RUNNING', done: 'COMPLETED', failed: 'FAILED' } as const;

/** State of an export. Throws `not_found` if the caller may not read the run that computed the layer. */
async function exportStatus(
  principal: UserPrincipal,
  exported: EoExport,
  { runs, baseUrl }: Ports<'runs' | 'baseUrl'>,
): Promise<z.infer<typeof TaskStatus>> {
  const { id, state, workspace, layerName, assetKey, createdAt, problem, assetPath, eecuSeconds } = exported;
  const run = await runs.get(principal, assetKey.split('/')[0] ?? '');
  return {
    id,
    state: EXPORT_STATES[state],
    description: `export of ${workspace}:${layerName}`,
    creation_timestamp_ms: Date.parse(createdAt),
    start_timestamp_ms: null,
    update_timestamp_ms: null,
    error_message: problem,
    run: baseUrl + fill(paths.run, { id: run.id }),
    ...(assetPath === null ? {} : { asset_path: assetPath }),
    eecu_seconds: eecuSeconds,
  };
}

const millisecondsOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));

const taskStatus = operation({
  ...ROW,
  id: 'earthEngineTaskStatus',
  path: paths.earthEngineTask,
  summary: 'Returns the state of a run in the form of a task of Earth Engine, for existing dashboards',
  description:
    'Users see their own runs, and superusers see all. The id may also be that of an export to Earth Engine; other tasks of Earth Engine are unknown (404). ' +
    `GET ${paths.runs} lists runs with more details.`,
  body: fieldsBody(TaskRequest, FIELDS),
  responses: { 200: ok('The state', TaskStatusBody) },
  errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'not_found'],
  examples: [
    { name: 'ended', body: { task_id: EXAMPLE_RUN }, status: 200 },
    { name: 'of Earth Engine', body: { task_id: 'QZ4UIVXVYDOAYYZ3UYPOWAXX' }, status: 404 },
    { name: 'no id', body: {}, status: 400 },
  ],
  async handler({ principal, body: { task_id: id } }, deps) {
    const { runs, baseUrl, stores, eoExporter } = deps;
    const exported = eoExporter === undefined ? undefined : await stores.eoExports.byId(id);
    if (exported !== undefined) return json(200, { Response: await exportStatus(principal, exported, deps) });
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

const AssetsBody = z
  .object({
    Success: z.string(),
    layers: z.array(
      z.object({
        layer_name: z.string(),
        gee_asset_path: z.string().nullable().describe('Null before the export has begun.'),
        state: z.enum(TASK_STATES),
        task_id: z.string().describe('Id of the export, for the state of its task.'),
        error_message: z
          .string()
          .nullable()
          .describe('Only for users who may read the run of the layer; otherwise null.'),
      }),
    ),
  })
  .meta({ id: 'EarthEngineAssets' });

/**
 * True if the caller may read the run that computed the layer. Other callers must not see the reason of a failure,
 * because it may name the project of an account.
 */
async function mayReadRun(principal: UserPrincipal, { assetKey }: EoExport, { runs }: Ports<'runs'>): Promise<boolean> {
  try {
    await runs.get(principal, assetKey.split('/')[0] ?? '');
    return true;
  } catch (error) {
    if (isDomainError(error) && error.code === 'not_found') return false;
    throw error;
  }
}

async function assetsOf(
  principal: UserPrincipal,
  tehsilId: number,
  deps: Ports<'runs' | 'stores'>,
): Promise<z.infer<typeof AssetsBody>> {
  const { catalog, eoExports } = deps.stores;
  const layers = await catalog.layersOf(tehsilId);
  const exports = await eoExports.ofFiles(layers.map(({ assetKey }) => assetKey));
  const done = exports.filter(({ state }) => state === 'done').length;
  const shown = exports.map(async (exported) => {
    const { id, layerName, assetPath, state, problem } = exported;
    return {
      layer_name: layerName,
      gee_asset_path: assetPath,
      state: EXPORT_STATES[state],
      task_id: id,
      error_message: problem !== null && (await mayReadRun(principal, exported, deps)) ? problem : null,
    };
  });
  return {
    Success: `${done} of ${exports.length} exports to Earth Engine are complete`,
    layers: await Promise.all(shown),
  };
}

const fetchLayer = operation({
  ...ROW,
  id: 'fetchEarthEngineLayer',
  path: paths.earthEngineLayer,
  summary:
    'Lists the assets of a tehsil at Earth Engine; if exports are off, the response is 503 and names other requests for the layers',
  description:
    'Existing dashboards send this request to fetch the layers of a tehsil from Earth Engine. If the service exports to Earth Engine, the response lists the exported layers with their assets. Otherwise the request is refused, because there is nothing to fetch: this service publishes each layer as soon as it is computed.',
  body: fieldsBody(BlockQuery, FIELDS),
  responses: { 200: ok('Exported layers', AssetsBody) },
  errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'not_found', 'unavailable'],
  examples: [
    { name: 'sample', body: EXAMPLE_PLACE, status: 503 },
    { name: 'unknown', body: { ...EXAMPLE_NAMES, tehsil: 'Nowhere' }, status: 404 },
  ],
  async handler({ principal, body }, deps) {
    const { tehsil, tehsilId } = await namedTehsil(deps, body);
    if (deps.eoExporter !== undefined) return json(200, await assetsOf(principal, tehsilId, deps));
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
