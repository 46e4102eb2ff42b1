import { isObject } from '@headwater/stac';
import { isDomainError } from '../errors.ts';
import type { UnmetNeed } from '../pipelines/needs.ts';
import type { InputPorts } from '../pipelines/pipeline.ts';
import type { EnqueuedRun, EnqueueOptions, NewRun, PartPlace, RequestKey, RunStore } from '../ports/runs.ts';
import { newRun } from './new-run.ts';
import { missingLayer, missingNeeds, planMakers, type PlanDeps } from './plan-runs.ts';
import { withSceneEngine } from './account-scenes.ts';
import { storedResult } from './stored-result.ts';
import type { SceneEngines } from '../ports/scene-engines.ts';
import type { Timers } from '../timing/timers.ts';
import type { AnyPipeline, RunPreview, RunPrincipal, StartedRun, StartOptions } from './types.ts';

/** Dependencies of starting a run. */
export interface StartDeps extends PlanDeps {
  readonly runs: RunStore;
  /** Ports for reading the present inputs. Without these ports, no stored result is reused. */
  readonly inputPorts: InputPorts | undefined;
  /** Scene engines of platforms; default: all runs read the scenes of the service's own sources. */
  readonly sceneEngines?: SceneEngines | undefined;
  readonly timers: Timers;
  /** See `EnqueueOptions.mostOpen`. */
  readonly mostOpen: number | undefined;
  /** See `EnqueueOptions.mostOfAddress`. */
  readonly mostOfAddress?: number | undefined;
}

/** A request for a run. */
export interface RunStart {
  readonly principal: RunPrincipal;
  readonly pipeline: AnyPipeline;
  readonly request: unknown;
  readonly options: StartOptions;
  readonly parentId?: string;
  readonly part?: PartPlace;
}

/**
 * Returns the run of a known idempotency key, a stored result with equal inputs, an identical unfinished run, or a new
 * run.
 */
export async function startRun(deps: StartDeps, start: RunStart): Promise<StartedRun> {
  const { runs } = deps;
  const key = requestKey(start);
  // The key is checked first, because the response to a repeated key must not depend on later changes of places.
  const known = key === undefined ? undefined : await runs.keyedRun(key);
  if (known !== undefined) return { run: known, joined: true, reused: false };
  const params = await start.pipeline.resolve(start.request, deps.ports);
  const { run, dependencies } = await planned(deps, start, params);
  const mustCompute = start.options.overwrite === true || run.after !== undefined;
  const stored = mustCompute ? undefined : await storedResult(deps, start.pipeline, { params, run });
  if (stored === undefined)
    return { ...(await enqueue(deps, run, { key, dependencies, part: start.part })), reused: false };
  const answer = key === undefined ? stored : await runs.bindKey(key, stored.id);
  return { run: answer, joined: true, reused: answer.id === stored.id };
}

/** A checked request with its parameters and its missing data. */
export interface CheckedStart extends RunPreview {
  readonly params: unknown;
  readonly unmet: readonly UnmetNeed[];
}

/** Checks a request as `startRun` does and returns the missing data. Stores nothing. */
export async function previewRun(deps: StartDeps, start: Omit<RunStart, 'options'>): Promise<CheckedStart> {
  const params = await start.pipeline.resolve(start.request, deps.ports);
  const unmet = await missingNeeds(deps, { pipeline: start.pipeline, params, behind: [] });
  const checked = { params, unmet };
  if (unmet.length === 0) return { ...checked, missing: undefined, makers: [] };
  try {
    const { dependencies } = await planned(deps, { ...start, options: { withDependencies: true } }, params);
    const makers = dependencies.map(({ pipeline }) => pipeline);
    return { ...checked, missing: missingLayer(deps, unmet), makers };
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'missing_layer') throw error;
    return { ...checked, missing: error, makers: undefined };
  }
}

/**
 * Plans the run and the runs that make its missing data. If data are missing, throws `missing_layer` without
 * `withDependencies`, or if no pipeline makes the data.
 */
async function planned(
  deps: StartDeps,
  { principal, pipeline, options, parentId }: RunStart,
  params: unknown,
): Promise<{ readonly run: NewRun; readonly dependencies: readonly NewRun[] }> {
  const { id: ownerId } = principal.user;
  const { requestId } = options;
  const plain = newRun({ pipeline, params, ownerId, now: deps.ports.now(), backend: deps.backend, requestId });
  const run = parentId === undefined ? plain : { ...plain, parentId };
  const missing = await missingNeeds(deps, { pipeline, params, behind: [] });
  if (missing.length === 0) return { run, dependencies: [] };
  if (options.withDependencies !== true) throw missingLayer(deps, missing);
  const plan = { ownerId, parentId: run.id, requestId, runs: [] };
  const waits = await planMakers(deps, plan, { missing, behind: [pipeline.name] });
  return { run: { ...run, ...waits }, dependencies: plan.runs };
}

/** Stores a run and its dependencies, and logs the dependencies. */
export async function enqueue(
  deps: Pick<StartDeps, 'runs' | 'mostOpen' | 'mostOfAddress' | 'sceneEngines' | 'ports'>,
  run: NewRun,
  {
    key,
    dependencies,
    parts = [],
    part,
  }: Pick<EnqueueOptions, 'parts'> & {
    readonly part?: PartPlace | undefined;
    readonly key: RequestKey | undefined;
    readonly dependencies: readonly NewRun[];
  },
): Promise<EnqueuedRun> {
  const { runs, mostOpen, mostOfAddress } = deps;
  const options: EnqueueOptions = {
    dependencies: await Promise.all(dependencies.map((each) => withSceneEngine(each, deps))),
    parts,
    ...(part === undefined ? {} : { part }),
    ...(key === undefined ? {} : { key }),
    ...(mostOpen === undefined ? {} : { mostOpen }),
    ...(mostOfAddress === undefined ? {} : { mostOfAddress }),
  };
  const stored = await runs.enqueue(await withSceneEngine(run, deps), options);
  if (stored.joined) return stored;
  for (const [index, id] of stored.run.after.entries()) {
    const message = `waits for run ${id}, which computes ${stored.run.awaits[index] ?? 'data for it'}`;
    await runs.appendEvent(stored.run.id, { kind: 'log', data: { message } });
  }
  return stored;
}

function requestKey({ principal, pipeline, request, options }: RunStart): RequestKey | undefined {
  const { key, overwrite = false, withDependencies = false } = options;
  if (key === undefined) return undefined;
  return {
    ownerId: principal.user.id,
    key,
    request: JSON.stringify([
      pipeline.name,
      membersOf(pipeline, request),
      overwrite,
      // Without `withDependencies`, the text is the same as in earlier versions, so that keys of these versions stay
      // valid.
      ...(withDependencies ? ['with dependencies'] : []),
    ]),
  };
}

/** Members that the pipeline declares, in the order of its schema, so that equivalent requests give equal texts. */
function membersOf(pipeline: AnyPipeline, request: unknown): readonly unknown[] {
  const members = isObject(request) ? request : {};
  return Object.keys(pipeline.request.shape).map((name) => [name, members[name]]);
}
