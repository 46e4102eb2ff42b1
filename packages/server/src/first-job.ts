import { createPublishedReads, unmetNeed } from '@headwater/core/pipelines';
import { loadPlace, type Run } from '@headwater/core';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { lulcPipeline as lulc } from '@headwater/land-cover';
import { computeLayer } from './compute-layer.ts';
import { type Following, followRun } from './follow-run.ts';
import { REMEDIES } from './remedies.ts';
import { membersOf, type SampleJob } from './compute-layer.ts';

async function isDone({ stores }: Headwater, { place }: SampleJob): Promise<boolean> {
  return (await stores.catalog.layersOf(place.tehsil.id)).length > 0;
}

/** Computes the sample's land cover. Returns undefined if the place already has a published layer. */
export async function runFirstJob(
  headwater: Headwater,
  job: SampleJob,
  following: Following,
): Promise<Run | undefined> {
  if (await isDone(headwater, job)) return undefined;
  const { run } = await headwater.runs.start({ user: job.owner }, lulc, membersOf(job));
  const what = { run, title: 'land cover of the sample', what: 'land cover of the sample' };
  return followRun(headwater, what, following);
}

/** Workspaces of micro-watersheds, villages and NDVI series, by the route of their pipeline. */
const WORKSPACES: ReadonlyMap<string, string> = new Map([
  ['generate_mws_layer', 'mws'],
  ['generate_block_layer', 'panchayat_boundaries'],
  ['generate_ndvi_timeseries', 'ndvi_timeseries'],
]);

/**
 * Publishes the micro-watersheds, villages and NDVI series of a place, so that every route of public data has data. A
 * failure is logged, and the other layers are still published.
 */
export async function publishOtherLayers(headwater: Headwater, job: SampleJob, following: Following): Promise<void> {
  for (const pipeline of headwater.pipelines) {
    const workspace = WORKSPACES.get(pipeline.route);
    if (workspace === undefined) continue;
    if (job.isOrchestrated === true && (await isUpToDate(headwater, { workspace, job }))) continue;
    await computeLayer(headwater, { pipeline, job }, following);
  }
}

/**
 * True if a layer of the workspace is published and up to date. Without this check, each start would run the
 * orchestrator's workflow again.
 */
async function isUpToDate(
  { stores }: Headwater,
  { workspace, job }: { readonly workspace: string; readonly job: SampleJob },
): Promise<boolean> {
  const tehsilId = job.place.tehsil.id;
  const [layer] = await stores.catalog.layersOf(tehsilId, workspace);
  if (layer === undefined) return false;
  const place = await loadPlace(tehsilId, { places: stores.places, remedies: REMEDIES });
  const need = { kind: 'layer', tehsilId, workspace, layerName: layer.layerName, place } as const;
  return (await unmetNeed(need, { published: createPublishedReads(stores) })) === undefined;
}
