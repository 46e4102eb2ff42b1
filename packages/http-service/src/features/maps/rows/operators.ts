import { DomainError } from '@headwater/core';
import type { MapServerDrift } from '@headwater/core/ports';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { Ports } from '../../../deps.ts';
import { BEARER_ERRORS, BODY_ERRORS, ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_LAYERS, EXAMPLE_NAMES, EXAMPLE_PLACE } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { appendAudit } from '../../../screens/audit-entry.ts';
import { json } from '../../../seam/reply.ts';
import { fieldsBody } from '../../../seam/row-body.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import { sentences } from '../../../wire/sentences.ts';
import { namedTehsil } from '../../public-data/handlers/named-tehsil.ts';
import { BlockQuery } from '../../public-data/schemas/public-places.ts';
import { differencesOf, isMissing, layerStatuses, neededMapServer } from '../handlers/layer-status.ts';
import { unpublishedEntry, unpublishLayer } from '../handlers/unpublish-layer.ts';
import {
  LayerRequest,
  LayerStatuses,
  MissingLayers,
  SuccessBody,
  UnpublishedBody,
  WorkspaceLayers,
  WorkspaceQuery,
  WorkspaceRequest,
} from '../schemas/operators.ts';

const ROW = { tag: 'operators', errorFormat: 'compute', noStore: true } as const;
/** Encodings that the dashboards send. */
const FIELDS = { accepts: ['json', 'form', 'multipart'] } as const;
const { vector } = EXAMPLE_LAYERS;
const WORKSPACE = { workspace: vector.workspace };
const NO_WORKSPACE = { workspace: 'no_such_workspace' };

interface Asking {
  readonly principal: { readonly user: { readonly id: number } };
  readonly signal: AbortSignal;
}

/**
 * Runs comparisons one after the other, because a comparison may read many files. Throws if the client has
 * disconnected.
 */
type Turns = <T>(asking: Asking, work: () => Promise<T>) => Promise<T>;
const MOST_WAITING = 8;

function createTurns(): Turns {
  const later = { details: { retryAfterSeconds: 30 } };
  // A user has at most two requests, so one user cannot fill the queue.
  const ofUser = createKeyedLimiter({
    concurrency: 1,
    maxWaiting: 1,
    refuse: () =>
      new DomainError(
        'unavailable',
        'Two of your comparisons with the map server have not ended yet; wait until one ends.',
        later,
      ),
  });
  const ofAll = createKeyedLimiter({
    concurrency: 1,
    maxWaiting: MOST_WAITING,
    refuse: () =>
      new DomainError(
        'unavailable',
        `${MOST_WAITING} comparisons with the map server are already waiting; try again later.`,
        later,
      ),
  });
  return ({ principal, signal }, work) =>
    ofUser.run(String(principal.user.id), () =>
      ofAll.run('', () => {
        signal.throwIfAborted();
        return work();
      }),
    );
}

function layerStatusDashboard(turns: Turns): Operation {
  return operation({
    ...ROW,
    id: 'layerStatusDashboard',
    method: 'POST',
    path: paths.layerStatus,
    auth: 'bearer',
    summary: 'Returns for each layer of a tehsil if the map server serves it',
    description:
      'Lists the published layers of the tehsil, and the datasets for which it has no layer. The `status_code` of a layer is 200 if the map server has its newest or an earlier version, and, for vectors, at least one feature. ' +
      'Requests are answered one after the other; if too many wait, the response is a 503 with Retry-After.',
    body: fieldsBody(BlockQuery, FIELDS),
    responses: { 200: ok('The layers by display name', LayerStatuses) },
    errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'not_found', 'unavailable', 'internal'],
    examples: [
      { name: 'sample', body: EXAMPLE_PLACE, status: 200 },
      { name: 'unknown', body: { ...EXAMPLE_NAMES, tehsil: 'Nowhere' }, status: 404 },
      { name: 'no place', body: {}, status: 400 },
    ],
    async handler({ body, principal, signal }, deps) {
      const { tehsilId } = await namedTehsil(deps, body);
      return json(200, { result: await turns({ principal, signal }, () => layerStatuses(deps, tehsilId, signal)) });
    },
  });
}

/** Compares a workspace. Throws `not_found` if the map server does not know it and it has no published layer. */
async function compared(
  deps: Ports<'mapServer'>,
  workspace: string,
  { turns, ...asking }: Asking & { readonly turns: Turns },
): Promise<{ readonly names: readonly string[]; readonly found: readonly MapServerDrift[] }> {
  const server = neededMapServer(deps);
  const [names, found] = await turns(
    asking,
    async () => [await server.layersIn(workspace), await differencesOf(server, { workspace }, asking.signal)] as const,
  );
  if (names === undefined && found.every(({ layer }) => layer === null)) throw absent('workspace', { name: workspace });
  return { names: names ?? [], found };
}

const READING_ROW = {
  ...ROW,
  method: 'GET',
  auth: 'bearer',
  query: WorkspaceQuery,
  errors: [...BEARER_ERRORS, ...PARAMETER_ERRORS, 'not_found', 'unavailable', 'internal'],
  examples: [
    { name: 'sample', query: WORKSPACE, status: 200 },
    { name: 'unknown', query: NO_WORKSPACE, status: 404 },
    { name: 'no workspace', status: 400 },
  ],
} as const;

function workspaceLayers(turns: Turns): Operation {
  return operation({
    ...READING_ROW,
    id: 'getLayersInWorkspace',
    path: paths.workspaceLayers,
    summary:
      'Lists the layers of a workspace that the map server serves, and the published layers that it does not serve',
    responses: { 200: ok('The layers', WorkspaceLayers) },
    async handler({ query: { workspace }, principal, signal }, deps) {
      const { names, found } = await compared(deps, workspace, { turns, principal, signal });
      const missing = new Set(found.filter(isMissing).map(({ layer }) => layer));
      const invalid = [...missing].filter((name) => name !== null).toSorted();
      return json(200, {
        result: { valid_layer: names.filter((name) => !missing.has(name)), invalid_layers: invalid },
      });
    },
  });
}

function missingLayers(turns: Turns): Operation {
  return operation({
    ...READING_ROW,
    id: 'getMissingLayers',
    path: paths.missingLayers,
    summary: 'Compares the published layers of a workspace with those that the map server serves',
    description: 'The same comparison as `headwater map-server check`, for one workspace.',
    responses: { 200: ok('Missing layers, and all differences', MissingLayers) },
    async handler({ query: { workspace }, principal, signal }, deps) {
      const { found } = await compared(deps, workspace, { turns, principal, signal });
      return json(200, {
        result: found.filter(isMissing).flatMap(({ layer }) => layer ?? []),
        differences: found.map(({ layer, problem, message }) => ({ layer_name: layer, problem, message })),
      });
    },
  });
}

const createWorkspace = operation({
  ...ROW,
  id: 'createWorkspace',
  method: 'POST',
  path: paths.createWorkspace,
  auth: 'superuser',
  summary: 'Creates a workspace at the map server; superusers only',
  description:
    'The embedded map server creates a workspace when a layer is published in it, so without a GeoServer, the request only checks the name. 200: the workspace already exists.',
  body: fieldsBody(WorkspaceRequest, FIELDS),
  responses: { 201: ok('The workspace can be used', SuccessBody), 200: ok('It exists already', SuccessBody) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'unavailable', 'internal'],
  examples: [
    { name: 'new', body: { workspace_name: 'field_maps' }, status: 201 },
    { name: 'existing', body: { workspace_name: vector.workspace }, status: 200 },
    { name: 'bad name', body: { workspace_name: '../x' }, status: 400 },
  ],
  async handler({ body: { workspace_name: name }, principal, remoteAddress }, deps) {
    const server = neededMapServer(deps);
    const isNew = await server.createWorkspace(name);
    if (!isNew) return json(200, { Success: sentences.workspaceExists(name) });
    if (server.kind === 'embedded') return json(201, { Success: sentences.workspaceFromLayers(name) });
    const deed = { resource: 'workspaces', rowId: name, title: name, action: 'add', changes: {} };
    await appendAudit(deps, { user: principal.user, remoteAddress }, deed);
    return json(201, { Success: sentences.workspaceCreated(name) });
  },
});

const deleteLayer = operation({
  ...ROW,
  id: 'deleteLayer',
  method: 'POST',
  path: paths.deleteLayer,
  auth: 'superuser',
  summary: 'Unpublishes a layer; superusers only',
  description:
    'Does the same as "Unpublish" on the admin pages. One transaction removes the Item of the layer with all its versions, layers and tables. Then the service removes the files, and the map server removes the layers. ' +
    'The request is refused (409) while a run computes the layer again. The run that computed the layer is not removed. The audit log gets an entry.',
  body: fieldsBody(LayerRequest, FIELDS),
  responses: { 200: ok('The layer is unpublished', UnpublishedBody) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'not_found', 'conflict', 'unavailable', 'internal'],
  examples: [
    { name: 'unknown', body: { ...WORKSPACE, layer_name: 'nothing' }, status: 404 },
    { name: 'no name', body: WORKSPACE, status: 400 },
  ],
  async handler({ body: { workspace, layer_name: layerName }, principal, remoteAddress }, deps) {
    const layer = await deps.stores.operatorLists.layer(workspace, layerName);
    const name = `${workspace}:${layerName}`;
    if (layer === undefined) throw absent('publishedLayer', { name });
    const unpublished = await unpublishLayer(deps, layer, name);
    await appendAudit(deps, { user: principal.user, remoteAddress }, unpublishedEntry(layer, name));
    return json(200, { Success: sentences.layerUnpublished(name), unpublished });
  },
});

/** Operations for dashboards of operators: layers and workspaces at the map server. */
export function operatorOperations(): readonly Operation[] {
  const turns = createTurns();
  return [layerStatusDashboard(turns), workspaceLayers(turns), missingLayers(turns), createWorkspace, deleteLayer];
}
