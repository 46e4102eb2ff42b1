import { checkedRegion, REGION_LIMITS, regionPlace } from '@headwater/core/places';
import { createRunService, createRunSignals, newRunId } from '@headwater/core/runs';
import type { User, UserPrincipal } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { removeRegion } from './remove-region.ts';

const clock = { now: () => new Date() };
const claim = { workerId: 'w', leaseMs: 60_000, maxAttempts: 3, pipelines: ['p'] };
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
// A partial account: only these members are read.
const user = { id: 1, isSuperuser: true } as User;
const principal: UserPrincipal = { kind: 'user', user };

async function removalBench(count: number) {
  const stores = createMemoryStores();
  const boxes = Array.from({ length: count }, (_, at) =>
    checkedRegion([85, 24, 85.1 + at / 1000, 24.1], REGION_LIMITS),
  );
  const ids: string[] = [];
  for (const region of boxes) {
    const id = newRunId(clock.now());
    ids.push(id);
    await stores.runs.enqueue({ id, pipeline: 'p', params: { region }, fingerprint: id, ownerId: null });
  }
  const remove = async (at: number, runs = stores.runs): Promise<void> => {
    const watched = { ...stores, runs };
    const service = createRunService({ stores: watched, signals: createRunSignals(), clock });
    const { place } = await regionPlace(boxes[at] ?? [0, 0, 1, 1]);
    await removeRegion({ assets: undefined, logger, runs: service, stores: watched }, principal, place.tehsil.name);
  };
  const states = async () => Promise.all(ids.map(async (id) => (await stores.runs.get(id))?.state));
  return { stores, remove, states };
}

it('cancels a run that returns to the queue while the runs are listed', async () => {
  const { stores, remove, states } = await removalBench(1);
  const run = await stores.runs.claim(claim);
  const { list } = stores.runs;
  let lists = 0;
  const runs: typeof stores.runs = {
    ...stores.runs,
    list: async (filter) => {
      const found = await list(filter);
      if ((lists += 1) === 1) await stores.runs.release(run?.id ?? '', run?.token ?? 0);
      return found;
    },
  };
  await remove(0, runs);
  expect(await states()).toEqual(['failed']);
});

it('finds the run of a region among many others, and reads a limited number of runs at a time', async () => {
  const { stores, remove, states } = await removalBench(1201);
  const limits = new Set<number>();
  const { list } = stores.runs;
  await remove(0, { ...stores.runs, list: (filter) => (limits.add(filter.limit), list(filter)) });
  expect((await states()).map((state, at) => (state === 'queued' ? -1 : at)).filter((at) => at >= 0)).toEqual([0]);
  expect(Math.max(...limits)).toBeLessThanOrEqual(1000);
});
