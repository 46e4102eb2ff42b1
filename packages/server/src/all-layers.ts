import { inDependencyOrder } from '@headwater/core/runs';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { computeLayer, type LayerOutcome } from './compute-layer.ts';
import type { Following } from './follow-run.ts';
import type { SampleJob } from './compute-layer.ts';

/**
 * Computes every layer that follows from a place, years and an account, those first that others are made of. A pipeline whose request
 * asks for more is left out; one that fails stops no other. Stored results whose inputs are unchanged answer.
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
