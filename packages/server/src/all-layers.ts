import { inDependencyOrder } from '@headwater/core/runs';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { computeLayer, type LayerOutcome } from './compute-layer.ts';
import type { Following } from './follow-run.ts';
import type { SampleJob } from './compute-layer.ts';

/**
 * Computes every layer whose request needs only a place, years and an account, in the order of dependencies. After a
 * failure, the other pipelines still run; those that depend on the failed one do not compute it again.
 */
export async function computeAllLayers(
  headwater: Headwater,
  job: SampleJob,
  following: Following,
): Promise<readonly LayerOutcome[]> {
  const outcomes: LayerOutcome[] = [];
  for (const pipeline of inDependencyOrder(headwater.pipelines)) {
    const broken = outcomes.filter(({ kind }) => kind === 'failed' || kind === 'left out').map(({ name }) => name);
    const isBroken = (pipeline.dependsOn ?? []).some((name) => broken.includes(name));
    outcomes.push(await computeLayer(headwater, { pipeline, job, isBroken }, following));
  }
  return outcomes;
}
