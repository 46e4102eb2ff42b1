import type { NewSceneUse, SceneUse } from '@headwater/core/ports';
import { assert, describe, expect, it } from 'vitest';
import { claimed, type Get, newRun } from './sample.ts';

const at = (second: number): string => new Date(Date.parse('2026-11-29T00:00:00Z') + second * 1000).toISOString();
const dateOf = (second: number): Date => new Date(at(second));
const use = (runId: string, second = 0): NewSceneUse => ({
  runId,
  accountId: 7,
  project: 'project',
  workloadTag: `headwater-run-${runId}`,
  startedAt: at(second),
  dueAt: at(second + 10),
});
type Measured = Pick<SceneUse, 'eecuSeconds'> & Partial<Pick<SceneUse, 'problem'>>;
const COUNTS = { requests: 3, pixels: 6_000_000_000, bytes: 12_000_000_000 };

/** Test cases of the records of the scenes that runs read: requests, pixels, bytes and computing time. */
export function sceneUseCases(get: Get): void {
  const storeRuns = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) await get().runs.enqueue(newRun(id));
  };
  const measure = async (wanted: NewSceneUse, pixels: number, change: Measured): Promise<void> => {
    const { sceneUses } = get();
    await storeRuns(wanted.runId);
    await sceneUses.begin(wanted);
    await sceneUses.end(wanted.runId, { ...COUNTS, pixels });
    const due = await sceneUses.claim(dateOf(10_000), 1000);
    assert(due?.runId === wanted.runId);
    await sceneUses.save(due, { problem: null, reads: 1, dueAt: null, ...change });
  };
  describe('uses of scenes', () => {
    it('stores one use for a run, with the sums of its attempts', async () => {
      const { sceneUses } = get();
      await storeRuns('a');
      await sceneUses.begin(use('a'));
      const begun = { ...use('a'), requests: 0, pixels: 0, bytes: 0, isWhole: false, eecuSeconds: null, problem: null };
      expect(await sceneUses.ofRun('a')).toEqual({ ...begun, reads: 0 } satisfies SceneUse);
      await sceneUses.end('a', COUNTS);
      expect(await sceneUses.ofRun('a')).toMatchObject({ ...COUNTS, isWhole: true });
      await sceneUses.begin(use('a', 100));
      expect(await sceneUses.ofRun('a')).toMatchObject({ ...COUNTS, isWhole: false, startedAt: at(0), dueAt: at(110) });
      await sceneUses.end('a', { requests: 1, pixels: 2, bytes: 3 });
      const sums = { requests: 4, pixels: 6_000_000_002, bytes: 12_000_000_003, isWhole: true, project: 'project' };
      expect(await sceneUses.ofRun('a')).toMatchObject(sums);
    });

    it('stores nothing for a run that does not exist', async () => {
      const { sceneUses } = get();
      await sceneUses.begin(use('a'));
      await sceneUses.end('a', COUNTS);
      expect([await sceneUses.ofRun('a'), await sceneUses.claim(dateOf(99), 1)]).toEqual([undefined, undefined]);
    });

    it('has no project if the attempts of a run were charged to several projects', async () => {
      const { sceneUses } = get();
      await storeRuns('a');
      for (const project of ['project', 'other', 'other']) await sceneUses.begin({ ...use('a'), project });
      expect(await sceneUses.ofRun('a')).toMatchObject({ project: null });
    });

    it('leases each due use to only one process at a time', async () => {
      const { sceneUses } = get();
      await storeRuns('b', 'a');
      await sceneUses.begin(use('b', 1));
      await sceneUses.begin(use('a', 0));
      expect(await sceneUses.claim(dateOf(9), 1000)).toBeUndefined();
      const leases = await Promise.all([1, 2, 3].map(() => sceneUses.claim(dateOf(20), 1000)));
      expect(new Set(leases.map((each) => each?.runId))).toEqual(new Set(['a', 'b', undefined]));
      expect((await sceneUses.claim(dateOf(21), 1000))?.dueAt).toBe(at(22));
    });

    it('stores the computing time only for the process with the lease, and not after a further attempt began', async () => {
      const { sceneUses } = get();
      await storeRuns('a');
      await sceneUses.begin(use('a'));
      const first = await sceneUses.claim(dateOf(10), 1000);
      const second = await sceneUses.claim(dateOf(11), 1000);
      assert(first !== undefined && second !== undefined);
      const change = { eecuSeconds: 1.5, problem: null, reads: 1, dueAt: at(60) };
      expect(await sceneUses.save(first, change)).toBe(false);
      expect(await sceneUses.save(second, change)).toBe(true);
      expect(await sceneUses.ofRun('a')).toMatchObject(change);
      const third = await sceneUses.claim(dateOf(60), 1000);
      assert(third !== undefined);
      await sceneUses.begin(use('a', 70));
      expect(await sceneUses.save(third, { ...change, reads: 2 })).toBe(false);
      expect(await sceneUses.ofRun('a')).toMatchObject({ eecuSeconds: null, problem: null, reads: 0, dueAt: at(80) });
    });

    it('sums, for each tehsil, the uses of all runs that a run requested, directly or through other runs', async () => {
      const { runs, sceneUses } = get();
      const store = async (id: string, parentId: string | undefined, tehsilId?: number): Promise<void> => {
        const parent = parentId === undefined ? {} : { parentId };
        await runs.enqueue(newRun(id, { ...parent, params: tehsilId === undefined ? {} : { tehsilId } }));
      };
      await store('area', undefined);
      await store('two', 'area', 12);
      await store('one', 'area', 11);
      await store('again', 'area', 11);
      await store('needed', 'one', 99);
      await store('nameless', 'area');
      await store('other', undefined, 12);
      await store('unused', 'area', 13);
      await store('without', 'area', 14);
      const begun = ['area', 'needed', 'one', 'again', 'two', 'nameless', 'other', 'unused'] as const;
      for (const [second, id] of begun.entries()) await sceneUses.begin(use(id, second));
      for (const id of begun) await sceneUses.end(id, id === 'unused' ? { ...COUNTS, requests: 0 } : COUNTS);
      const counts = (runCount: number) => ({
        requests: 3 * runCount,
        pixels: runCount * COUNTS.pixels,
        bytes: runCount * COUNTS.bytes,
      });
      const open = { eecuSeconds: null, unknown: 0, isFinal: false, problem: null };
      expect(await sceneUses.ofRequestedRuns('area')).toEqual([
        { ...counts(3), ...open, tehsilId: 11, missing: 3 },
        { ...counts(1), ...open, tehsilId: 12, missing: 1 },
      ]);
      const read = async (id: string, change: Pick<SceneUse, 'eecuSeconds' | 'problem' | 'dueAt'>): Promise<void> => {
        const due = await sceneUses.claim(dateOf(10 + begun.findIndex((each) => each === id)), 1e9);
        assert(due?.runId === id);
        await sceneUses.save(due, { reads: 1, ...change });
      };
      const known = { problem: null, dueAt: null };
      await read('area', { eecuSeconds: 64, ...known });
      await read('needed', { eecuSeconds: 1.5, ...known });
      await read('one', { eecuSeconds: null, problem: 'Z', dueAt: null });
      await read('again', { eecuSeconds: null, problem: 'a', dueAt: at(9999) });
      await read('two', { eecuSeconds: 8, ...known });
      expect(await sceneUses.ofRequestedRuns('area')).toEqual([
        { ...counts(3), tehsilId: 11, eecuSeconds: 1.5, missing: 1, unknown: 1, isFinal: false, problem: 'Z' },
        { ...counts(1), tehsilId: 12, eecuSeconds: 8, missing: 0, unknown: 0, isFinal: true, problem: null },
      ]);
      expect(await sceneUses.ofRequestedRuns('other')).toEqual([]);
      expect(await sceneUses.ofRequestedRuns('unknown')).toEqual([]);
    });

    it('sums the newest runs with a final computing time, of one account or of all', async () => {
      const { sceneUses } = get();
      expect(await sceneUses.measured(null, 9)).toBeUndefined();
      await measure(use('a', 1), 1000, { eecuSeconds: 8 });
      await measure(use('b', 2), 2000, { eecuSeconds: 4 });
      await measure({ ...use('c', 3), accountId: 8 }, 1000, { eecuSeconds: 1 });
      await measure(use('none', 4), 0, { eecuSeconds: 1 });
      await measure(use('part', 5), 1000, { eecuSeconds: 1, problem: 'HTTP 503' });
      await storeRuns('open');
      await sceneUses.begin(use('open', 6));
      const ofAccount = { runs: 2, pixels: 3000, eecuSeconds: 12, least: 0.002, most: 0.008 };
      expect(await sceneUses.measured(7, 9)).toEqual(ofAccount);
      expect(await sceneUses.measured(7, 1)).toMatchObject({ runs: 1, eecuSeconds: 4 });
      expect(await sceneUses.measured(null, 9)).toMatchObject({ runs: 3, pixels: 4000, eecuSeconds: 13, least: 0.001 });
      expect(await sceneUses.measured(9, 9)).toBeUndefined();
    });

    it('removes a use with its run', async () => {
      const { runs, sceneUses } = get();
      await storeRuns('a');
      await sceneUses.begin(use('a'));
      const run = await claimed(runs);
      await runs.fail('a', run.token, { code: 'internal', message: 'a test' });
      const remove = async (): Promise<unknown> => {
        await runs.removeOld({ eventsMs: 0, runsMs: 1, most: 9 });
        return await runs.get('a');
      };
      await expect.poll(remove, { interval: 3 }).toBeUndefined();
      expect([await sceneUses.ofRun('a'), await sceneUses.claim(dateOf(99), 1)]).toEqual([undefined, undefined]);
    });
  });
}
