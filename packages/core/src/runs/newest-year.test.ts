import { expect, it } from 'vitest';
import { DEFAULT_REMEDIES } from '../pipelines/needs.ts';
import type { InputPorts } from '../pipelines/pipeline.ts';
import { createPublishedReads } from '../pipelines/published.ts';
import { createMemoryDomainStores } from '../memory/stores.ts';
import { createManualTime } from '../testing/manual-time.ts';
import { createYearSearch } from './newest-year.ts';

type Found = number | undefined;

/** Builds a year search. Tests resolve the searches that the pipeline has begun (`searches`). */
function yearBench() {
  const timers = createManualTime();
  const stores = createMemoryDomainStores();
  const inputPorts: InputPorts = {
    places: stores.places,
    published: createPublishedReads(stores),
    earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
    remedies: DEFAULT_REMEDIES,
  };
  const searches: { readonly west: number; readonly answer: PromiseWithResolvers<Found> }[] = [];
  const newestYear = ([west]: readonly number[]): Promise<Found> => {
    const answer = Promise.withResolvers<Found>();
    searches.push({ west: Number(west), answer });
    return answer.promise;
  };
  const pipeline = { name: 'test', regions: { scheme: 'test', resolve: () => ({}), newestYear } };
  const search = createYearSearch({ inputPorts, timers, now: () => timers.now() });
  const find = (west: number, caller?: string) => search(pipeline, [west, 20, west + 1, 21], caller);
  return { timers, searches, find };
}

it('concurrent equal calls share one search; a later call searches again', async () => {
  const { searches, find } = yearBench();
  const both = [find(70), find(70)];
  searches[0]?.answer.resolve(2022);
  expect(await Promise.all(both)).toEqual([2022, 2022]);
  expect(searches).toHaveLength(1);
  const again = find(70);
  searches[1]?.answer.resolve(2023);
  expect(await again).toBe(2023);
});

it('the year search refuses a fifth concurrent search, and accepts it after one of the four has ended', async () => {
  const { searches, find } = yearBench();
  const four = [70, 71, 72, 73].map((west) => find(west));
  await expect(find(74)).rejects.toMatchObject({ code: 'throttled', message: expect.stringMatching(/send year/) });
  searches[0]?.answer.reject(new Error('the catalogue fails'));
  await expect(four[0]).rejects.toMatchObject({ code: 'unavailable' });
  const fifth = find(74);
  for (const { answer, west } of searches) answer.resolve(west);
  expect(await Promise.all([...four.slice(1), fifth])).toEqual([71, 72, 73, 74]);
});

it('the year search refuses a second, different search of a caller whose first search is in progress', async () => {
  const { searches, find } = yearBench();
  const first = find(70, 'a');
  await expect(find(71, 'a')).rejects.toMatchObject({ code: 'throttled', message: expect.stringMatching(/send year/) });
  const others = [find(70, 'a'), find(71, 'b'), find(72), find(73)];
  for (const { answer, west } of searches) answer.resolve(west);
  expect(await Promise.all([first, ...others])).toEqual([70, 70, 71, 72, 73]);
  const next = find(71, 'a');
  searches.at(-1)?.answer.resolve(2022);
  expect(await next).toBe(2022);
});

it('the year search throws unavailable if it fails or takes ten seconds; it returns undefined if no year is found', async () => {
  const { timers, searches, find } = yearBench();
  const unavailable = [{ reason: { code: 'unavailable', details: { retryAfterSeconds: 10 } } }];
  const late = Promise.allSettled([find(70)]);
  await timers.advance(10_000);
  expect(await late).toMatchObject(unavailable);
  const failed = Promise.allSettled([find(70)]);
  searches[1]?.answer.reject(new Error('the catalogue fails'));
  expect(await failed).toMatchObject(unavailable);
  const noYear = find(70);
  searches[2]?.answer.resolve(undefined);
  expect(await noYear).toBeUndefined();
  const none = createYearSearch({ inputPorts: undefined, timers, now: () => timers.now() });
  const regions = { scheme: 'test', resolve: () => ({}), newestYear: async () => 2022 };
  expect(await none({ name: 'test', regions }, [70, 20, 71, 21])).toBeUndefined();
});
