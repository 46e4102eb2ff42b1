import { lulcPipeline as lulc } from '@headwater/land-cover';
import type { Place, Run, User } from '@headwater/core';
import type { Headwater } from '@headwater/http-adapter-fastify';
import { createProgressBar, type Showing } from './progress-bar.ts';

/** The sample's first computation. */
export interface FirstJob {
  readonly place: Place;
  readonly years: readonly [number, number];
  readonly accountId: number;
  readonly owner: User;
}

/** Where the first job's progress is shown, and until when. */
export interface Following extends Showing {
  readonly signal: AbortSignal;
}

async function isDone({ stores }: Headwater, { place }: FirstJob): Promise<boolean> {
  return (await stores.catalog.layersOf(place.tehsil.id)).length > 0;
}

async function follow(headwater: Headwater, run: Run, { signal, ...showing }: Following): Promise<Run> {
  const bar = createProgressBar('land cover of the sample', showing);
  try {
    for await (const event of headwater.runs.subscribe(run.id, 0, signal)) {
      const { progress, step } = event.data;
      if (event.kind === 'progress' && typeof progress === 'number')
        bar.update(progress, typeof step === 'string' ? step : '');
    }
    const ended = await headwater.runs.waitFor(run.id, signal);
    bar.done(closing(ended));
    return ended;
  } finally {
    bar.end();
  }
}

function closing({ state, error, startedAt, finishedAt, id }: Run): string {
  if (state !== 'success') return `the sample's land cover failed: ${error?.message ?? state}`;
  const seconds =
    startedAt === null || finishedAt === null ? 0 : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  return `land cover of the sample is done in ${seconds.toFixed(1)} s (run ${id})`;
}

/** Computes the sample's land cover unless an earlier start has published it; undefined when there was nothing to do. */
export async function runFirstJob(headwater: Headwater, job: FirstJob, following: Following): Promise<Run | undefined> {
  if (await isDone(headwater, job)) return undefined;
  const { place, years, accountId } = job;
  const request = {
    state: place.state.name,
    district: place.district.name,
    tehsil: place.tehsil.name,
    startYear: years[0],
    endYear: years[1],
    eoAccountId: accountId,
  };
  const { run } = await headwater.runs.start({ kind: 'user', user: job.owner }, lulc, request);
  return follow(headwater, run, following);
}
