import { DomainError, type ErrorCode, type Run, type StartedRun } from '@headwater/core';
import type { Policy } from '@headwater/identity';
import { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { publicItem } from '../../../items/public-item.ts';
import { BODY_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json, type Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import { publishedBy, runFailed } from '../../runs/handlers/run-body.ts';
import { NO_PIXELS } from '../../runs/handlers/start-computation.ts';
import { runView } from '../../runs/schemas/run-view.ts';
import type { WorkCaller } from '../callers.ts';
import { calledBack, type Calling, endOfExport, startExport } from '../handlers/export-asset.ts';
import { exportBody, ExportGetQuery, queryCall } from '../schemas/export-body.ts';
import {
  assetBody,
  AssetStatus,
  type Called,
  type ChosenYear,
  doneBody,
  ExportDone,
  type Exported,
  ExportQuery,
  ExportStatus,
  ExportStatusQuery,
  ExportTask,
  statusBody,
  taskBody,
} from '../schemas/work-service.ts';

interface PublishedAsset {
  readonly item: Readonly<Record<string, unknown>>;
  readonly version: number;
}

async function publishedAsset(
  id: string,
  deps: Ports<'baseUrl' | 'itemForm' | 'mapServer' | 'publication' | 'stores'>,
): Promise<PublishedAsset | undefined> {
  const { search, catalog } = deps.stores;
  const { items } = await search.search({ ids: [id], limit: 1 }, deps.itemForm);
  const [found] = items;
  const published = found === undefined ? undefined : await catalog.item(found.collectionPath, found.id);
  return published === undefined ? undefined : { item: publicItem(published, deps), version: published.version };
}

const ABOUT =
  'Computes a region (a lon/lat box) and a hydrological year in this service. The service never sends this work to the orchestrator, because the orchestrator may be the caller. Needs no credentials at ' +
  'loopback and private addresses, unless the operator has set a secret or addresses; the bearer token of an account that may compute is always accepted. ' +
  'Callers from other addresses without such a token or secret have a smaller maximum region. Parameters are at the top level, in `conf`, or in both, as numbers or as texts; unknown ' +
  'members are ignored. Without a year, the newest year with enough scenes is computed, and `note` names it. Identical calls at the same time share one run; the run continues if a caller disconnects. A new version of the asset of a region and year ' +
  'replaces the previous one in one step. Two regions are computed at a time, unless the operator has set another number. A limited number of further regions waits, and small regions run first. Further calls, and too many calls of one address, are refused with 429. If too many callers ' +
  'wait for the end of a run, a call gets 202 immediately, as with wait=false. A call with ' +
  '`job_id` and the valid `run_token` of a run that an orchestrator received computes that run, without these limits.';

/** Error codes of the work service's policy. */
export const WORK_ERRORS: readonly ErrorCode[] = ['not_authenticated', 'forbidden'];

const RUN_ERRORS = [
  'missing_layer',
  'dependency_failed',
  'cancelled',
  'crashed_repeatedly',
  'input_data',
  'no_scenes',
  'storage_full',
  'unavailable',
  'internal',
  'conflict',
] as const;

const EXAMPLE = { region: [85.0, 24.0, 85.02, 24.02], year: 2021 };

/** Operations that compute a region for an allowed caller. */
export function workServiceOperations(auth: Policy<WorkCaller>): readonly Operation[] {
  return [exportAsset(auth), exportAssetByQuery(auth), exportStatus(auth)];
}

const EXPORTED = {
  200: ok('The published Items', ExportDone),
  202: ok(
    'With wait=false, or if too many callers wait for the end of a run: the task, whose state export-status returns',
    ExportTask,
  ),
};
const EXPORT_ERRORS = [...WORK_ERRORS, 'not_found', 'throttled', ...RUN_ERRORS] as const;

function exportAsset(auth: Policy<WorkCaller>): Operation {
  return operation({
    id: 'exportAsset',
    method: 'POST',
    path: paths.exportAsset,
    auth,
    tag: 'work service',
    summary: 'Computes the layer of a scheme for a region and publishes it as a STAC Item',
    description: ABOUT,
    query: ExportQuery,
    body: exportBody,
    responses: EXPORTED,
    errors: [...EXPORT_ERRORS, ...BODY_ERRORS],
    errorFormat: 'compute',
    noStore: true,
    examples: [
      { name: 'wait', body: EXAMPLE, status: 200 },
      { name: 'as an orchestrator sends it', query: { wait: 'false' }, body: { conf: TEXTS }, status: 202 },
      { name: 'no region', body: { year: 2021 }, status: 400 },
    ],
    handler({ body: call, query, principal: caller, requestId, signal }, deps) {
      const { wait = call.wait, overwrite = call.overwrite } = query;
      return answerOf({ call: { ...call, wait, overwrite }, caller, requestId, signal }, deps);
    },
  });
}

function exportAssetByQuery(auth: Policy<WorkCaller>): Operation {
  return operation({
    id: 'exportAssetByQuery',
    method: 'GET',
    path: paths.exportAsset,
    auth,
    tag: 'work service',
    summary: 'Computes a region for callers that can only open an address: the parameters are in the query',
    description:
      'The same as the POST, but without callbacks of an orchestrator, because their token would be in logs.',
    query: ExportGetQuery,
    responses: EXPORTED,
    errors: [...EXPORT_ERRORS, ...PARAMETER_ERRORS],
    errorFormat: 'compute',
    cors: 'configured',
    noStore: true,
    examples: [
      { name: 'sides', query: { ...SIDES, year: '2021', overwrite: 'false' }, status: 200 },
      { name: 'no region', query: { year: '2021' }, status: 400 },
    ],
    async handler({ query, principal: caller, requestId, signal }, deps) {
      return await answerOf({ call: queryCall(query), caller, requestId, signal }, deps);
    },
  });
}

const SIDES = { west: '85.0', south: '24.0', east: '85.02', north: '24.02' };

async function answerOf(
  calling: Calling,
  deps: Ports<
    | 'anonymousAnswers'
    | 'baseUrl'
    | 'callbacks'
    | 'canCompute'
    | 'clock'
    | 'closing'
    | 'hostingPlatform'
    | 'logger'
    | 'mapServer'
    | 'openResponses'
    | 'pipelines'
    | 'publication'
    | 'regionStarts'
    | 'runs'
    | 'stores'
    | 'workService'
  >,
): Promise<Reply> {
  if (!deps.canCompute) throw new DomainError('unavailable', NO_PIXELS);
  const { call } = calling;
  const callback = await calledBack(calling, deps);
  const started: StartedRun & { readonly chosen?: ChosenYear } = callback ?? (await startExport(calling, deps));
  const { run, joined, reused, chosen } = started;
  const called = { executionId: call.executionId, joined, reused, chosen };
  const waits = (call.wait ?? true) || run.state === 'success';
  const ended = waits ? await endOfExport(run, calling, deps) : undefined;
  if (ended !== undefined) return done(ended, called, deps);
  const location = `${deps.baseUrl}${paths.exportStatus}?task_id=${run.id}`;
  return json(202, taskBody(run, called, nothingYet(deps)), { location });
}

const TEXTS = {
  region: '[85.0, 24.0, 85.02, 24.02]',
  year: '2021',
  base_scheme: '',
  execution_type: 'api',
  state: 'x',
};

// Created once, because each new schema is converted again for the OpenAPI document.
const TaskOrAsset = z.union([ExportStatus, AssetStatus]);

function exportStatus(auth: Policy<WorkCaller>): Operation {
  return operation({
    id: 'exportStatus',
    method: 'GET',
    path: paths.exportStatus,
    auth,
    tag: 'work service',
    summary:
      'Returns the state of a task of export-asset, or whether an asset is published; `done` is true when the task has ended or the asset exists',
    query: ExportStatusQuery,
    responses: { 200: ok('The task, or the asset', TaskOrAsset) },
    errors: [...WORK_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
    errorFormat: 'compute',
    noStore: true,
    examples: [
      { name: 'an unknown asset', query: { asset_id: 'regions_custom_region_0' }, status: 200 },
      { name: 'no task', status: 400 },
      { name: 'unknown', query: { task_id: '0190a000-0000-7000-8000-00000000dead' }, status: 404 },
    ],
    async handler({ query }, deps) {
      const { task_id: task, asset_id: asset = '' } = query;
      if (task === undefined) return json(200, assetBody(asset, await publishedAsset(asset, deps)));
      const run = await deps.runs.getUnowned(task);
      if (run === undefined) throw absent('task', { id: task });
      return json(200, statusBody(run, runView(run, deps.baseUrl), await exported(run, deps)));
    },
  });
}

async function done(
  run: Run,
  called: Called,
  deps: Ports<'baseUrl' | 'hostingPlatform' | 'mapServer' | 'publication' | 'stores'>,
): Promise<Reply> {
  const view = runView(run, deps.baseUrl);
  if (run.state !== 'success') throw runFailed(run, view);
  return json(200, doneBody(run, called, { ...(await exported(run, deps)), ...view }));
}

const nothingYet = ({ hostingPlatform }: Ports<'hostingPlatform'>): Exported => ({
  items: [],
  version: undefined,
  hostingPlatform,
});

async function exported(
  run: Run,
  deps: Ports<'baseUrl' | 'hostingPlatform' | 'mapServer' | 'publication' | 'stores'>,
): Promise<Exported> {
  if (run.state !== 'success') return nothingYet(deps);
  const { items, version } = await publishedBy(run, deps);
  if (items.length === 0 && run.itemIds.length > 0) throw absent('result', { id: run.id });
  return { items, version, hostingPlatform: deps.hostingPlatform };
}
