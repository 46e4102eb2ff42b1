import { isObject } from '@headwater/stac';
import type { InputPorts } from '../pipelines/pipeline.ts';
import type { EnqueuedRun, EnqueueOptions, NewRun, RequestKey, RunStore } from '../ports/runs.ts';
import { newRun } from './new-run.ts';
import { missingLayer, missingNeeds, planMakers, type PlanDeps } from './plan-runs.ts';
import { storedResult } from './stored-result.ts';
import type { Timers } from '../timing/timers.ts';
import type { AnyPipeline, RunPrincipal, StartedRun, StartOptions } from './types.ts';

/** What starting stands on. */
export interface StartDeps extends PlanDeps {
  readonly runs: RunStore;
  /** Undefined where nothing can be computed: a stored result could not be compared with what is there now. */
  readonly inputPorts: InputPorts | undefined;
  readonly timers: Timers;
  /** As `EnqueueOptions.mostOpen`; undefined = no limit. */
  readonly mostOpen: number | undefined;
}

/** A request for a run. */
export interface AskedRun {
  readonly principal: RunPrincipal;
  readonly pipeline: AnyPipeline;
  readonly request: unknown;
  readonly options: StartOptions;
}

/** Answers by the run of a known key, by a stored result with equal inputs, by the run in flight, or by a new one. */
export async function startRun(deps: StartDeps, asked: AskedRun): Promise<StartedRun> {
  const { runs } = deps;
  const key = requestKey(asked);
  // Before anything else: what the first answer was does not depend on what the place directory says today.
  const known = key === undefined ? undefined : await runs.keyedRun(key);
  if (known !== undefined) return { run: known, joined: true, reused: false };
  const params = await asked.pipeline.resolve(asked.request, deps.ports);
  const { run, dependencies } = await planned(deps, asked, params);
  const isAnew = asked.options.overwrite === true || run.after !== undefined;
  const stored = isAnew ? undefined : await storedResult(deps, asked.pipeline, { params, run });
  if (stored === undefined) return { ...(await enqueue(deps, run, { key, dependencies })), reused: false };
  const answering = key === undefined ? stored : await runs.bindKey(key, stored.id);
  return { run: answering, joined: true, reused: answering.id === stored.id };
}

/** The run with those that make what it needs, where they may be made; throws `missing_layer` where not. */
async function planned(
  deps: StartDeps,
  { principal, pipeline, options }: AskedRun,
  params: unknown,
): Promise<{ readonly run: NewRun; readonly dependencies: readonly NewRun[] }> {
  const { id: ownerId } = principal.user;
  const { requestId } = options;
  const run = newRun({ pipeline, params, ownerId, now: deps.ports.now(), backend: deps.backend, requestId });
  const missing = await missingNeeds(deps, { pipeline, params, behind: [] });
  if (missing.length === 0) return { run, dependencies: [] };
  if (options.withDependencies !== true) throw missingLayer(deps, missing);
  const plan = { ownerId, parentId: run.id, requestId, runs: [] };
  const waits = await planMakers(deps, plan, { missing, behind: [pipeline.name] });
  return { run: { ...run, ...waits }, dependencies: plan.runs };
}

/** Stores a run with those that it waits for; its log tells of them. */
export async function enqueue(
  { runs, mostOpen }: Pick<StartDeps, 'runs' | 'mostOpen'>,
  run: NewRun,
  { key, dependencies }: { readonly key: RequestKey | undefined; readonly dependencies: readonly NewRun[] },
): Promise<EnqueuedRun> {
  const options: EnqueueOptions = {
    dependencies,
    ...(key === undefined ? {} : { key }),
    ...(mostOpen === undefined ? {} : { mostOpen }),
  };
  const stored = await runs.enqueue(run, options);
  if (stored.joined) return stored;
  for (const [index, id] of stored.run.after.entries()) {
    const message = `waits for run ${id}, which makes ${stored.run.awaits[index] ?? 'what it needs'}`;
    await runs.appendEvent(stored.run.id, { kind: 'log', data: { message } });
  }
  return stored;
}

function requestKey({ principal, pipeline, request, options }: AskedRun): RequestKey | undefined {
  const { key, overwrite = false, withDependencies = false } = options;
  if (key === undefined) return undefined;
  return {
    ownerId: principal.user.id,
    key,
    request: JSON.stringify([
      pipeline.name,
      membersOf(pipeline, request),
      overwrite,
      // Keys of earlier versions stay what they were.
      ...(withDependencies ? ['with dependencies'] : []),
    ]),
  };
}

/** The members that the pipeline asks for, in its schema's order: equal requests are equal text, whatever else was sent with them. */
function membersOf(pipeline: AnyPipeline, request: unknown): readonly unknown[] {
  const members = isObject(request) ? request : {};
  return Object.keys(pipeline.request.shape).map((name) => [name, members[name]]);
}
