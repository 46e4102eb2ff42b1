import { type AnyPipeline, isDomainError, messageOf, type Place, type Run } from '@headwater/core';
import { requestFor } from '@headwater/core/runs';
import { isObject } from '@headwater/core/values';
import type { Headwater } from '@headwater/http-adapter-fastify';
import type { User } from '@headwater/identity';
import { type Following, followRun } from './follow-run.ts';

/** What a start computes of the sample. */
export interface SampleJob {
  readonly place: Place;
  readonly years: readonly [number, number];
  readonly accountId: number;
  readonly owner: User;
  /** An orchestrator computes it, whose results answer no later request (decision 125). */
  readonly isOrchestrated?: boolean;
}

/** What requests of pipelines may ask for: the place by its names, the years and the account. */
export const membersOf = ({ place, years, accountId }: SampleJob) => ({
  state: place.state.name,
  district: place.district.name,
  tehsil: place.tehsil.name,
  startYear: years[0],
  endYear: years[1],
  eoAccountId: accountId,
});

/** What came of one pipeline of the registry. */
export type LayerOutcome =
  | { readonly kind: 'computed' | 'unchanged'; readonly name: string; readonly run: Run }
  | { readonly kind: 'failed' | 'left out'; readonly name: string; readonly reason: string };

interface Wanted {
  readonly pipeline: AnyPipeline;
  readonly job: SampleJob;
  /** One that it depends on gave nothing just now: it is not tried once more. */
  readonly isBroken?: boolean;
}

/** Computes one layer, with those that it needs, unless a stored result of unchanged inputs answers. Rejects only when the signal aborts. */
export async function computeLayer(
  headwater: Headwater,
  { pipeline, job, isBroken = false }: Wanted,
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
  if (!isDomainError(error)) return messageOf(error);
  const { missing } = error.details;
  const remedies = Array.isArray(missing)
    ? missing.flatMap((need: unknown) => (isObject(need) && typeof need['remedy'] === 'string' ? need['remedy'] : []))
    : [];
  return [error.message, ...new Set(remedies)].join(' ');
}
