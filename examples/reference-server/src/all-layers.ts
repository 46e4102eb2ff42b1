import { type AnyPipeline, inDependencyOrder, isDomainError, isObject, requestFor, type Run } from '@headwater/core';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { type FirstJob, membersOf } from './first-job.ts';
import { type Following, followRun } from './follow-run.ts';

/** What came of one pipeline of the registry. */
export type LayerOutcome =
  | { readonly kind: 'computed' | 'unchanged'; readonly name: string; readonly run: Run }
  | { readonly kind: 'failed' | 'left out'; readonly name: string; readonly reason: string };

/**
 * Computes every layer that follows from a place, years and an account, those first that others are made of. A pipeline whose request
 * asks for more is left out; one that fails stops no other. Stored results whose inputs are unchanged answer.
 */
export async function computeAllLayers(
  headwater: Headwater,
  job: FirstJob,
  following: Following,
): Promise<readonly LayerOutcome[]> {
  const outcomes: LayerOutcome[] = [];
  for (const pipeline of inDependencyOrder(headwater.pipelines)) {
    const broken = outcomes.filter(({ kind }) => kind === 'failed' || kind === 'left out').map(({ name }) => name);
    const isBroken = (pipeline.dependsOn ?? []).some((name) => broken.includes(name));
    outcomes.push(await computeOne(headwater, { pipeline, job, isBroken }, following));
  }
  return outcomes;
}

interface Wanted {
  readonly pipeline: AnyPipeline;
  readonly job: FirstJob;
  /** One that it depends on gave nothing just now: it is not tried once more. */
  readonly isBroken: boolean;
}

async function computeOne(
  headwater: Headwater,
  { pipeline, job, isBroken }: Wanted,
  following: Following,
): Promise<LayerOutcome> {
  const { name } = pipeline;
  const made = requestFor(pipeline, membersOf(job));
  if ('lacks' in made) {
    const reason = `its request asks for ${made.lacks.join(', ')}, which only somebody who calls it can give`;
    return { kind: 'left out', name, reason };
  }
  try {
    const principal = { kind: 'user', user: job.owner } as const;
    const options = { withDependencies: !isBroken };
    const { run, reused } = await headwater.runs.start(principal, pipeline, made.request, options);
    if (reused) return { kind: 'unchanged', name, run };
    const ended = await followRun(headwater, { run, title: name, what: name }, following);
    if (ended.state === 'success') return { kind: 'computed', name, run: ended };
    return { kind: 'failed', name, reason: ended.error?.message ?? ended.state };
  } catch (error) {
    if (following.signal.aborted) throw error;
    const reason = reasonOf(error);
    following.logger.error({ pipeline: name, reason }, 'a layer was refused; the others go on');
    return { kind: 'failed', name, reason };
  }
}

/** Why a request was refused, with what an operator does about it. */
function reasonOf(error: unknown): string {
  if (!isDomainError(error)) return error instanceof Error ? error.message : String(error);
  const { missing } = error.details;
  const remedies = Array.isArray(missing)
    ? missing.flatMap((need: unknown) => (isObject(need) && typeof need['remedy'] === 'string' ? need['remedy'] : []))
    : [];
  return [error.message, ...new Set(remedies)].join(' ');
}
