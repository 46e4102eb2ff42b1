import { z } from 'zod';
import { DomainError, invalidField, isDomainError } from '../errors.ts';
import { hilbertPosition } from '../geo/hilbert.ts';
import { findDistrict, findState } from '../places/find-place.ts';
import type { District, PlacedTehsil, PlaceStore, State } from '../ports/places.ts';
import type { NewRunPart, NewRun, Run, RunBackend } from '../ports/runs.ts';
import { newRun } from './new-run.ts';
import { checkScopeAccount } from './scope-account.ts';
import { enqueue, type StartDeps } from './start.ts';
import type { AnyPipeline, ScopeArea, ScopeStart, StartedRun } from './types.ts';

/** Pipeline name of runs over districts and states, which the coordinator claims. */
export const SCOPE_PIPELINE = 'scope_run';

/**
 * Queue of runs over districts and states, separate from the workers' queue. Only processes with this backend and
 * pipeline claim its runs.
 */
export const scopeQueue = (backend: RunBackend, computes: string): string => `scopes-${backend}-${computes}`;

/** Parameters of a run over a district or a state. */
export const scopeParams = z.object({
  scope: z.enum(['district', 'state']),
  computes: z.string(),
  state: z.string(),
  district: z.string().optional(),
  /** Members of the pipeline's request without the names of the place. */
  request: z.record(z.string(), z.unknown()),
  overwrite: z.boolean(),
  withDependencies: z.boolean(),
});

/** Parsed parameters of a run over a district or a state. */
export type ScopeParams = z.infer<typeof scopeParams>;

/** True for a run over a district or a state. */
export const isScopeRun = ({ pipeline }: Pick<Run, 'pipeline'>): boolean => pipeline === SCOPE_PIPELINE;

/** The request of one tehsil, parsed by the pipeline's schema. */
export function requestOfTehsil(
  { request: schema }: Pick<AnyPipeline, 'request'>,
  request: Readonly<Record<string, unknown>>,
  names: { readonly state: string; readonly district: string; readonly tehsil: string },
): unknown {
  const { state, district, tehsil } = names;
  return schema.parse({ ...request, state, district, tehsil });
}

interface FoundArea {
  readonly state: State;
  readonly district?: District;
  readonly tehsils: readonly PlacedTehsil[];
}

/** Finds the state, the district and all tehsils of an area. Throws `validation` if the area has no tehsils. */
export async function findArea(
  places: PlaceStore,
  { scope, state: name, district = '' }: ScopeArea,
): Promise<FoundArea> {
  const found: { readonly state: State; readonly district?: District } =
    scope === 'district'
      ? await findDistrict(places, { state: name, district })
      : { state: await findState(places, { state: name }) };
  const { id } = found.district ?? found.state;
  const tehsils = await places.tehsilsWithin({ level: scope, id });
  if (tehsils.length > 0) return { ...found, tehsils };
  throw invalidField(scope, 'has no tehsils; import the boundaries of its tehsils first.');
}

/**
 * Parts of a run in the order of a Hilbert curve, so that tehsils with shared scenes follow each other. The work of a
 * part is its area in km2. Tehsils without a boundary come last, with work 1.
 */
export function partsInOrder(tehsils: readonly Pick<PlacedTehsil, 'tehsilId' | 'extent'>[]): readonly NewRunPart[] {
  const placed = tehsils.map(({ tehsilId, extent }) => {
    if (extent === undefined) return { at: Number.POSITIVE_INFINITY, tehsilId, work: 1 };
    const [west, south, east, north] = extent.box;
    const at = hilbertPosition([(west + east) / 2, (south + north) / 2]);
    return { at, tehsilId, work: Math.max(0.01, extent.km2) };
  });
  return placed
    .toSorted((a, b) => (a.at === b.at ? a.tehsilId - b.tehsilId : a.at - b.at))
    .map(({ tehsilId, work }) => ({ tehsilId, work }));
}

/**
 * Checks the members that all tehsils share, such as years and account. For this check, the request of the first tehsil
 * with a boundary is resolved.
 */
async function checkShared(deps: StartDeps, { pipeline, request }: ScopeStart, { tehsils }: FoundArea): Promise<void> {
  const names = tehsils.find(({ extent }) => extent !== undefined);
  if (names === undefined) return;
  try {
    await pipeline.resolve(requestOfTehsil(pipeline, request, names), deps.ports);
  } catch (error) {
    // A problem of only this tehsil becomes the failure of its part later.
    if (isDomainError(error) && Object.keys(error.fields).join() === 'tehsil') return;
    throw error;
  }
}

/** Starts a run over all tehsils of a district or a state, or joins an identical unfinished run. */
export async function startScope(deps: StartDeps, start: ScopeStart): Promise<StartedRun> {
  const { pipeline, area, principal, options } = start;
  if (!['state', 'district', 'tehsil'].every((name) => Object.hasOwn(pipeline.request.shape, name)))
    throw invalidField('scope', `${pipeline.route} is not computed by tehsil; leave scope out.`);
  const key = options.key === undefined ? undefined : keyOf(start, options.key);
  const known = key === undefined ? undefined : await deps.runs.keyedRun(key);
  if (known !== undefined) return { run: known, joined: true, reused: false };
  const found = await findArea(deps.ports.places, area);
  await checkShared(deps, start, found);
  const { state: _, district: __, tehsil: ___, ...request } = start.request;
  const params: ScopeParams = {
    scope: area.scope,
    computes: pipeline.name,
    state: found.state.name,
    ...(found.district === undefined ? {} : { district: found.district.name }),
    request,
    overwrite: options.overwrite ?? false,
    withDependencies: options.withDependencies ?? false,
  };
  const run = newScopeRun(deps, params, { ownerId: principal.user.id, requestId: options.requestId });
  const parts = partsInOrder(found.tehsils);
  return { ...(await enqueue(deps, run, { key, dependencies: [], parts })), reused: false };
}

function keyOf({ principal, pipeline, area, request, options }: ScopeStart, key: string) {
  const { overwrite = false, withDependencies = false } = options;
  const text = JSON.stringify([SCOPE_PIPELINE, pipeline.name, area, request, overwrite, withDependencies]);
  return { ownerId: principal.user.id, key, request: text };
}

function newScopeRun(
  { ports, backend }: Pick<StartDeps, 'ports' | 'backend'>,
  params: ScopeParams,
  { ownerId, requestId }: { readonly ownerId: number | null; readonly requestId: string | undefined },
): NewRun {
  const pipeline = { ...scopePipeline, fingerprint: () => JSON.stringify(params) };
  const queue = scopeQueue(backend, params.computes);
  return { ...newRun({ pipeline, params, ownerId, now: ports.now(), requestId }), queue };
}

const scopePipeline: AnyPipeline = {
  name: SCOPE_PIPELINE,
  route: SCOPE_PIPELINE,
  aliases: [],
  summary: 'Computes all tehsils of a district or a state.',
  examples: [],
  messages: { initiated: 'Tehsils initiated', finished: 'Tehsils finished' },
  request: scopeParams,
  params: scopeParams,
  steps: [{ name: 'tehsils', weight: 1 }],
  resolve: async (request) => request,
  fingerprint: (params) => JSON.stringify(params),
  execute: () => Promise.reject(new DomainError('internal', 'The coordinator executes these runs.')),
};

/**
 * Computes the failed tehsils of a run again; undefined if no tehsil has failed. An unfinished run continues. For a
 * failed run, a new run starts, which takes over the successful results.
 */
export async function retryScope(
  deps: StartDeps,
  run: Run,
  { requestId }: { readonly requestId: string | undefined },
): Promise<Run | undefined> {
  if (run.state !== 'success') await checkScopeAccount(scopeParams.parse(run.params), deps.ports.eoAccounts);
  if (run.state === 'queued' || run.state === 'running') {
    if ((await deps.runs.retryParts(run.id)) > 0) return run;
    const now = await deps.runs.get(run.id);
    return now === undefined || now.state === run.state || now.state !== 'failed'
      ? undefined
      : await startedAgain(deps, now, requestId);
  }
  return run.state === 'failed' ? await startedAgain(deps, run, requestId) : undefined;
}

async function startedAgain(deps: StartDeps, ended: Run, requestId: string | undefined): Promise<Run> {
  const params = scopeParams.parse(ended.params);
  const parts = (await deps.runs.parts(ended.id)).map(({ tehsilId, work, runId, run }): NewRunPart => {
    const isDone = runId !== null && run?.state === 'success';
    return { tehsilId, work, ...(isDone ? { runId } : {}) };
  });
  const run = newScopeRun(deps, params, { ownerId: ended.ownerId, requestId });
  return (await enqueue(deps, run, { key: undefined, dependencies: [], parts })).run;
}
