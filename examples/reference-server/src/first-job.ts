import type { Run } from '@headwater/core';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { lulcPipeline as lulc } from '@headwater/land-cover';
import { computeLayer } from './compute-layer.ts';
import { type Following, followRun } from './follow-run.ts';
import { membersOf, type SampleJob } from './sample-job.ts';

async function isDone({ stores }: Headwater, { place }: SampleJob): Promise<boolean> {
  return (await stores.catalog.layersOf(place.tehsil.id)).length > 0;
}

/** Computes the sample's land cover unless an earlier start has published it; undefined when there was nothing to do. */
export async function runFirstJob(
  headwater: Headwater,
  job: SampleJob,
  following: Following,
): Promise<Run | undefined> {
  if (await isDone(headwater, job)) return undefined;
  const { run } = await headwater.runs.start({ kind: 'user', user: job.owner }, lulc, membersOf(job));
  const what = { run, title: 'land cover of the sample', what: 'land cover of the sample' };
  return followRun(headwater, what, following);
}

/** Routes of the layers whose features tables are joined to. */
const BOUNDARY_ROUTES: readonly string[] = ['generate_mws_layer', 'generate_block_layer'];

/**
 * Publishes the sample's micro-watersheds and villages as layers, so that somebody who may only read finds them; takes about a second where
 * they are not there. One that fails is told and stops nothing.
 */
export async function publishBoundaries(headwater: Headwater, job: SampleJob, following: Following): Promise<void> {
  for (const pipeline of headwater.pipelines.filter(({ route }) => BOUNDARY_ROUTES.includes(route)))
    await computeLayer(headwater, { pipeline, job }, following);
}
