import { isObject } from '@headwater/stac';
import { z } from 'zod';
import type { UserPrincipal } from '../auth/types.ts';
import type { InputPorts, ResolvePorts } from '../pipelines/pipeline.ts';
import type { NewRun, RequestKey, RunStore } from '../ports/runs.ts';
import { newRunId } from './run-id.ts';
import { storedResult } from './stored-result.ts';
import type { Timers } from './timers.ts';
import type { AnyPipeline, StartedRun, StartOptions } from './types.ts';

/** What starting stands on. */
export interface StartDeps {
  readonly runs: RunStore;
  readonly ports: ResolvePorts;
  /** Undefined where nothing can be computed: a stored result could not be compared with what is there now. */
  readonly inputPorts: InputPorts | undefined;
  readonly timers: Timers;
  /** As `EnqueueOptions.mostOpen`; undefined = no limit. */
  readonly mostOpen: number | undefined;
}

/** A request for a run. */
export interface AskedRun {
  readonly principal: UserPrincipal;
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
  const run = newRun(asked, params, deps.ports.now());
  const stored =
    asked.options.overwrite === true ? undefined : await storedResult(deps, asked.pipeline, { params, run });
  if (stored === undefined) {
    const { mostOpen } = deps;
    const options = { ...(key === undefined ? {} : { key }), ...(mostOpen === undefined ? {} : { mostOpen }) };
    return { ...(await runs.enqueue(run, options)), reused: false };
  }
  const answering = key === undefined ? stored : await runs.bindKey(key, stored.id);
  return { run: answering, joined: true, reused: answering.id === stored.id };
}

function newRun({ principal: { user }, pipeline }: AskedRun, params: unknown, now: Date): NewRun {
  return {
    id: newRunId(now),
    pipeline: pipeline.name,
    params: storedParams(pipeline, params),
    // The owner is part of it: joining somebody else's run would hand out an id that its asker may not see.
    fingerprint: `${pipeline.name}:${user.id}:${pipeline.fingerprint(params)}`,
    ownerId: user.id,
  };
}

function requestKey({ principal, pipeline, request, options }: AskedRun): RequestKey | undefined {
  const { key, overwrite = false } = options;
  if (key === undefined) return undefined;
  return {
    ownerId: principal.user.id,
    key,
    request: JSON.stringify([pipeline.name, membersOf(pipeline, request), overwrite]),
  };
}

/** The members that the pipeline asks for, in its schema's order: equal requests are equal text, whatever else was sent with them. */
function membersOf(pipeline: AnyPipeline, request: unknown): readonly unknown[] {
  const members = isObject(request) ? request : {};
  return Object.keys(pipeline.request.shape).map((name) => [name, members[name]]);
}

const jsonObject = z.record(z.string(), z.unknown());

/** Parameters as a run's row keeps them: a JSON object. Throws when the pipeline's schema does not survive the round trip. */
function storedParams(pipeline: AnyPipeline, params: unknown): Readonly<Record<string, unknown>> {
  const stored = jsonObject.parse(JSON.parse(JSON.stringify(params)));
  // Read back now: a run that no worker could read must not be stored.
  pipeline.params.parse(stored);
  return stored;
}
