import type { EnqueueOptions, NewRun } from '@headwater/core/ports';
import type { Run } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, claimedLater, deliverable, newRun, worker } from './sample.ts';

const OUTPUTS = { dem: 'layer terrain:dem', lulc: 'layer LULC_level_3:LULC_20_21' } as const;

/** Test cases of runs that begin after their dependencies. */
export function runDependencyCases(get: Get): void {
  /** The run `child` waits for `dem` and `lulc`; `lulc` waits for `dem`. */
  const enqueueChain = async (options: EnqueueOptions = {}, child: Partial<NewRun> = {}) => {
    const dependencies = [
      newRun('dem', { parentId: 'child' }),
      newRun('lulc', { parentId: 'child', after: ['dem'], awaits: [OUTPUTS.dem] }),
    ];
    const waiting = { after: ['dem', 'lulc'], awaits: [OUTPUTS.dem, OUTPUTS.lulc], ...child };
    return await get().runs.enqueue(newRun('child', waiting), { ...options, dependencies });
  };
  const finish = async ({ id, token }: Run): Promise<void> => {
    expect(await get().runs.publish(id, token, deliverable([id], id))).toBe('ok');
  };

  describe('a run that waits for others', () => {
    it('is stored together with its dependencies, and its step names them', async () => {
      const { runs } = get();
      const { run, joined, dependencies } = await enqueueChain();
      expect([run.id, joined]).toEqual(['child', false]);
      expect(run).toMatchObject({ after: ['dem', 'lulc'], awaits: [OUTPUTS.dem, OUTPUTS.lulc], parentId: null });
      expect(run.step).toBe('waits for layer terrain:dem, layer LULC_level_3:LULC_20_21');
      expect(dependencies.map(({ run, joined }) => [run.id, joined, run.parentId])).toEqual([
        ['dem', false, 'child'],
        ['lulc', false, 'child'],
      ]);
      expect(await runs.get('child')).toEqual(run);
      expect(await runs.get('lulc')).toEqual(dependencies[1]?.run);
      expect((await runs.get('dem'))?.after).toEqual([]);
    });

    it('is claimed only after all of its dependencies have succeeded', async () => {
      const { runs } = get();
      await enqueueChain();
      const dem = await claimed(runs);
      expect(dem.id).toBe('dem');
      expect(await runs.claim(worker('w2'))).toBeUndefined();
      await finish(dem);
      const lulc = await claimed(runs);
      expect([lulc.id, lulc.step]).toEqual(['lulc', null]);
      expect(await runs.claim(worker('w2'))).toBeUndefined();
      await runs.release('lulc', lulc.token);
      expect((await claimed(runs)).id).toBe('lulc');
      const again = await runs.get('lulc');
      await finish(again ?? lulc);
      const child = await claimed(runs);
      expect(child).toMatchObject({ id: 'child', state: 'running', step: null, after: ['dem', 'lulc'] });
      await finish(child);
    });

    it('continues to wait while the worker of a dependency is replaced', async () => {
      const { runs } = get();
      await enqueueChain();
      await claimed(runs, worker('w1', 1));
      const taken = await claimedLater(runs);
      expect([taken.id, taken.attempt]).toEqual(['dem', 2]);
      expect(await runs.claim(worker('w3'))).toBeUndefined();
    });

    it('fails when a dependency fails, regardless of the others; its error names the layer and the cause', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('slow'));
      const slow = await claimed(runs);
      await enqueueChain({}, { after: ['slow', 'dem', 'lulc'], awaits: ['layer a:slow', OUTPUTS.dem, OUTPUTS.lulc] });
      const dem = await claimed(runs);
      await runs.fail('dem', dem.token, { code: 'input_data', message: 'The DEM has no nodata value.' });
      expect(await runs.claim(worker('w2'))).toBeUndefined();
      const error = {
        code: 'dependency_failed',
        message:
          'This run needs layer terrain:dem, which is missing because run dem failed. The DEM has no nodata value.',
      };
      expect(await runs.get('lulc')).toMatchObject({ state: 'failed', error, attempt: 0 });
      expect(await runs.get('child')).toMatchObject({ state: 'failed', error, attempt: 0 });
      expect((await runs.get('child'))?.finishedAt).not.toBeNull();
      expect((await runs.events('child', 0, 9)).at(-1)).toMatchObject({
        kind: 'state',
        data: { state: 'failed', error },
      });
      expect((await runs.get('slow'))?.token).toBe(slow.token);
    });

    it('fails when a dependency is cancelled, and can be cancelled itself', async () => {
      const { runs } = get();
      await enqueueChain();
      await runs.requestCancel('dem');
      expect(await runs.claim(worker('w1'))).toBeUndefined();
      expect((await runs.get('child'))?.error).toMatchObject({
        code: 'dependency_failed',
        message: expect.stringMatching(/^This run needs layer terrain:dem, which is missing.*cancelled/),
      });
      await runs.enqueue(newRun('other', { after: ['later'], awaits: ['x'] }), { dependencies: [newRun('later')] });
      expect(await runs.requestCancel('other')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      // The run `later` has no parentId, so it is not cancelled.
      expect((await claimed(runs)).id).toBe('later');
    });

    it('cancels its dependencies, queued or running, when it is cancelled', async () => {
      const { runs } = get();
      await enqueueChain();
      const dem = await claimed(runs);
      expect(await runs.requestCancel('child')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      expect(await runs.get('lulc')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      expect((await runs.events('lulc', 0, 9)).at(-1)).toMatchObject({ kind: 'state', data: { state: 'failed' } });
      expect(await runs.get('dem')).toMatchObject({ state: 'running', cancelRequested: true });
      expect(await runs.heartbeat('dem', dem.token, { leaseMs: 1 })).toBe('cancelled');
      expect(await runs.requestCancel('child')).toMatchObject({ state: 'failed' });
    });

    it('does not cancel dependencies of other runs when it is cancelled', async () => {
      const { runs } = get();
      await enqueueChain();
      const after = { after: ['their lulc'], awaits: [OUTPUTS.lulc] };
      await runs.enqueue(newRun('other', after), {
        dependencies: [newRun('their lulc', { fingerprint: 'fingerprint of lulc' })],
      });
      expect((await runs.get('other'))?.after).toEqual(['lulc']);
      await runs.requestCancel('child');
      for (const id of ['dem', 'lulc']) expect(await runs.get(id)).toMatchObject({ state: 'queued' });
      await finish(await claimed(runs));
      await finish(await claimed(runs));
      expect((await claimed(runs)).id).toBe('other');
    });

    it('waits for the open run that its dependency has joined; the joined dependency is not stored', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('there', { fingerprint: 'fingerprint of dem' }));
      const { run, dependencies } = await enqueueChain();
      expect(run.after).toEqual(['there', 'lulc']);
      expect(dependencies.map(({ run, joined }) => [run.id, joined, run.after])).toEqual([
        ['there', true, []],
        ['lulc', false, ['there']],
      ]);
      expect(await runs.get('dem')).toBeUndefined();
      await finish(await claimed(runs));
      expect((await claimed(runs)).id).toBe('lulc');
    });

    it('stores nothing if it is refused or joins another run', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('open'), { mostOpen: 1 });
      await expect(enqueueChain({ mostOpen: 1 })).rejects.toMatchObject({ code: 'throttled' });
      expect((await runs.list({ limit: 9, offset: 0 })).total).toBe(1);
      const key = { ownerId: 1, key: 'k', request: 'body' };
      await runs.bindKey(key, 'open');
      expect(await enqueueChain({ key })).toMatchObject({ run: { id: 'open' }, joined: true, dependencies: [] });
      const joined = await enqueueChain({}, { fingerprint: 'fingerprint of open' });
      expect(joined).toMatchObject({ run: { id: 'open', after: [] }, joined: true, dependencies: [] });
      expect((await runs.list({ limit: 9, offset: 0 })).total).toBe(1);
      // The run's dependencies do not count towards the limit.
      expect((await enqueueChain({ mostOpen: 2 })).joined).toBe(false);
    });

    it('cannot wait for itself', async () => {
      const { runs } = get();
      await expect(enqueueChain({}, { fingerprint: 'fingerprint of lulc' })).rejects.toMatchObject({
        code: 'internal',
      });
      expect((await runs.list({ limit: 9, offset: 0 })).total).toBe(0);
    });

    it('does not wait for a dependency that was removed', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1', { after: ['gone'], awaits: ['x'] }));
      expect((await claimed(runs)).id).toBe('r1');
    });

    it('prevents the removal of its dependencies', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('child', { after: ['bad', 'slow'], awaits: ['x', 'y'], pipeline: 'elsewhere' }), {
        dependencies: [newRun('bad'), newRun('slow')],
      });
      await runs.enqueue(newRun('other'));
      for (const id of ['bad', 'other']) await runs.requestCancel(id);
      await expect
        .poll(async () => (await runs.removeOld({ eventsMs: 0, runsMs: 1, most: 9 })).runs, { interval: 3 })
        .toBe(1);
      expect([await runs.get('other'), (await runs.get('bad'))?.state]).toEqual([undefined, 'failed']);
    });

    it('is never claimed early by polling workers', { timeout: 30_000 }, async () => {
      const { runs } = get();
      for (let round = 0; round < 6; round++) {
        const [dem, child] = [`dem${round}`, `child${round}`];
        await runs.enqueue(newRun(child, { after: [dem], awaits: [OUTPUTS.dem] }), { dependencies: [newRun(dem)] });
        const first = await Promise.all(['a', 'b', 'c', 'd'].map((id) => runs.claim(worker(id))));
        const [claimedDem, ...more] = first.filter((run) => run !== undefined);
        expect([claimedDem?.id, more]).toEqual([dem, []]);
        let taken: Run | undefined;
        const claimRepeatedly = async (id: string): Promise<void> => {
          while (taken === undefined) {
            const run = await runs.claim(worker(id));
            if (run === undefined) continue;
            // The dependency must be published before a worker can claim the run.
            expect([run.id, (await runs.get(dem))?.state]).toEqual([child, 'success']);
            taken = run;
          }
        };
        await Promise.all([claimRepeatedly('a'), claimRepeatedly('b'), finish(claimedDem ?? (await claimed(runs)))]);
        await finish(taken ?? (await claimed(runs)));
      }
    });
  });
}
