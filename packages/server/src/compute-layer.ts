import { type AnyPipeline, isDomainError, messageOf, type Place, type Run } from '@headwater/core';
import { requestFor } from '@headwater/core/runs';
import { isObject } from '@headwater/core/values';
import type { Headwater } from '@headwater/http-adapter-fastify';
import type { User } from '@headwater/identity';
import { type Following, followRun } from './follow-run.ts';

/** Place, years and owner of the layers that a start or `headwater init` computes. */
export interface SampleJob {
  readonly place: Place;
  readonly years: readonly [number, number];
  readonly accountId: number;
  readonly owner: User;
  /** True if an orchestrator computes the layers. Its results are not reused (decision 125). */
  readonly isOrchestrated?: boolean;
}

/** Members that requests of pipelines may have: names of the place, years and account. */
export const membersOf = ({ place, years, accountId }: SampleJob) => ({
  state: place.state.name,
  district: place.district.name,
  tehsil: place.tehsil.name,
  startYear: years[0],
  endYear: years[1],
  eoAccountId: accountId,
});

/** Outcome of one pipeline. */
export type LayerOutcome =
  | { readonly kind: 'computed' | 'unchanged'; readonly name: string; readonly run: Run }
  | { readonly kind: 'failed' | 'left out'; readonly name: string; readonly reason: string };

interface LayerRequest {
  readonly pipeline: AnyPipeline;
  readonly job: SampleJob;
  /** True if a dependency has failed or was left out in this start. The dependency is then not computed again. */
  readonly isBroken?: boolean;
}

/**
 * Computes one layer with its dependencies, unless a stored result with unchanged inputs exists. Rejects only when the
 * signal aborts.
 */
export async function computeLayer(
  headwater: Headwater,
  { pipeline, job, isBroken = false }: LayerRequest,
  following: Following,
): Promise<LayerOutcome> {
  const { name } = pipeline;
  const built = requestFor(pipeline, membersOf(job));
  if ('lacks' in built) {
    const reason = `its request needs ${built.lacks.join(', ')}, which only a caller can provide`;
    return { kind: 'left out', name, reason };
  }
  try {
    const principal = { kind: 'user', user: job.owner } as const;
    const options = { withDependencies: !isBroken };
    const { run, reused } = await headwater.runs.start(principal, pipeline, built.request, options);
    if (reused) return { kind: 'unchanged', name, run };
    const ended = await followRun(headwater, { run, title: name, what: name }, following);
    if (ended.state === 'success') return { kind: 'computed', name, run: ended };
    return { kind: 'failed', name, reason: ended.error?.message ?? ended.state };
  } catch (error) {
    if (following.signal.aborted) throw error;
    const reason = reasonOf(error);
    following.logger.error(
      { pipeline: name, reason },
      'a layer could not be computed; other layers are still computed',
    );
    return { kind: 'failed', name, reason };
  }
}

function reasonOf(error: unknown): string {
  if (!isDomainError(error)) return messageOf(error);
  const { missing } = error.details;
  const remedies = Array.isArray(missing)
    ? missing.flatMap((need: unknown) => (isObject(need) && typeof need['remedy'] === 'string' ? need['remedy'] : []))
    : [];
  return [error.message, ...new Set(remedies)].join(' ');
}
