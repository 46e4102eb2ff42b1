import { lulcPipeline as lulc } from '@headwater/land-cover';
import type { Place, Run, User } from '@headwater/core';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { type Following, followRun } from './follow-run.ts';

/** What a start computes of the sample. */
export interface FirstJob {
  readonly place: Place;
  readonly years: readonly [number, number];
  readonly accountId: number;
  readonly owner: User;
}

/** What requests of pipelines may ask for: the place by its names, the years and the account. */
export const membersOf = ({ place, years, accountId }: FirstJob) => ({
  state: place.state.name,
  district: place.district.name,
  tehsil: place.tehsil.name,
  startYear: years[0],
  endYear: years[1],
  eoAccountId: accountId,
});

async function isDone({ stores }: Headwater, { place }: FirstJob): Promise<boolean> {
  return (await stores.catalog.layersOf(place.tehsil.id)).length > 0;
}

/** Computes the sample's land cover unless an earlier start has published it; undefined when there was nothing to do. */
export async function runFirstJob(headwater: Headwater, job: FirstJob, following: Following): Promise<Run | undefined> {
  if (await isDone(headwater, job)) return undefined;
  const { run } = await headwater.runs.start({ kind: 'user', user: job.owner }, lulc, membersOf(job));
  const what = { run, title: 'land cover of the sample', what: 'land cover of the sample' };
  return followRun(headwater, what, following);
}
