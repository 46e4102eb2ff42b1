import type { ClaimOptions, NewRun, RunStore } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { abandoned, claimed, deliverable, newRun, worker } from './sample.ts';

/** Enqueues a run for each listed owner. Ids of the runs are `{owner}-{number}` or `unowned-{number}`. */
async function queueOf(runs: RunStore, owners: readonly (number | null)[], rest: Partial<NewRun> = {}): Promise<void> {
  const counts = new Map<number | null, number>();
  for (const ownerId of owners) {
    const count = (counts.get(ownerId) ?? 0) + 1;
    counts.set(ownerId, count);
    await runs.enqueue(newRun(`${ownerId ?? 'unowned'}-${count}`, { ...rest, ownerId }));
  }
}

async function order(runs: RunStore, options: ClaimOptions = worker('w1')): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const run = await runs.claim(options);
    if (run === undefined) return ids;
    ids.push(run.id);
  }
}

async function leaseEnds(runs: RunStore): Promise<void> {
  await expect.poll(async () => (await runs.queueState('nrm')).working, { interval: 2 }).toBe(0);
}

/** Test cases of a fair order between owners in a queue. */
export function runFairnessCases(get: Get): void {
  describe('fairness of a queue', () => {
    it('an owner of many queued runs delays another owner by at most one run', async () => {
      const { runs } = get();
      await queueOf(runs, [1, 1, 1, 1, 1, 2, 3, 3]);
      expect(await order(runs)).toEqual(['1-1', '2-1', '3-1', '1-2', '3-2', '1-3', '1-4', '1-5']);
    });

    it('runs without an owner are claimed by the area of their region, the smallest first, after runs without an area', async () => {
      const { runs } = get();
      const sizes = [900, 20, 4000, null, 20, 3];
      for (const [at, km2] of sizes.entries())
        await runs.enqueue(
          newRun(`${at} of ${km2}`, {
            ownerId: null,
            params: km2 === null ? {} : { scheme: 'x', call: { from: at % 2 === 0 ? 'addr:"a\\' : null, km2 } },
          }),
        );
      await queueOf(runs, [1, 1]);
      const claims = await order(runs);
      expect(claims.filter((id) => id.includes(' of '))).toEqual([
        '3 of null',
        '5 of 3',
        '1 of 20',
        '4 of 20',
        '0 of 900',
        '2 of 4000',
      ]);
      expect([claims[1], claims[3]]).toEqual(['1-1', '1-2']);
    });

    it('a run of a new owner is claimed next; the owner whose run was claimed last waits for the other owners', async () => {
      const { runs } = get();
      await queueOf(runs, [1, 1, 1, 1]);
      expect((await claimed(runs)).id).toBe('1-1');
      expect((await claimed(runs)).id).toBe('1-2');
      await queueOf(runs, [7, 7]);
      expect((await claimed(runs)).id).toBe('7-1');
      await runs.enqueue(newRun('late', { ownerId: 8 }));
      expect(await order(runs)).toEqual(['late', '1-3', '7-2', '1-4']);
    });

    it('the order of owners also considers claims of runs that have ended', async () => {
      const { runs } = get();
      await queueOf(runs, [2, 1]);
      for (const id of ['2-1', '1-1']) {
        const run = await claimed(runs);
        expect(run.id).toBe(id);
        await runs.publish(id, run.token, deliverable([id], id));
      }
      await runs.enqueue(newRun('of one', { ownerId: 1 }));
      await runs.enqueue(newRun('of two', { ownerId: 2 }));
      expect(await order(runs)).toEqual(['of two', 'of one']);
    });

    it('all runs without an owner count as runs of one owner', async () => {
      const { runs } = get();
      await queueOf(runs, [null, null, null, 2_147_483_647, -2_147_483_648, 0]);
      const claims = ['unowned-1', '2147483647-1', '-2147483648-1', '0-1', 'unowned-2', 'unowned-3'];
      expect(await order(runs)).toEqual(claims);
    });

    it('each queue and each backend has a separate order of owners', async () => {
      const { runs } = get();
      await queueOf(runs, [1, 1, 2]);
      await queueOf(runs, [3, 4, 3], { queue: 'other' });
      await runs.enqueue(newRun('away', { ownerId: 2, backend: 'orchestrator' }));
      expect((await claimed(runs, { ...worker('w2'), backend: 'orchestrator' })).id).toBe('away');
      expect(await order(runs, { ...worker('w2'), queue: 'other' })).toEqual(['3-1', '4-1', '3-2']);
      expect(await order(runs)).toEqual(['1-1', '2-1', '1-2']);
    });

    it('a worker that has no queue claims the oldest run first', async () => {
      const { runs } = get();
      await queueOf(runs, [1, 1, 2]);
      await runs.enqueue(newRun('other', { queue: 'other', ownerId: 2 }));
      expect(await order(runs, { ...worker('w1'), queue: undefined })).toEqual(['1-1', '1-2', '2-1', 'other']);
    });

    it('released and abandoned runs are claimed before new runs', async () => {
      const { runs } = get();
      await abandoned(runs, 'lost');
      await leaseEnds(runs);
      await queueOf(runs, [5, 6]);
      expect((await claimed(runs)).id).toBe('lost');
      const { token } = await claimed(runs);
      expect(await runs.release('5-1', token)).toBe('ok');
      expect(await order(runs)).toEqual(['5-1', '6-1']);
    });

    it('runs that wait for other runs, or for workers with their pipeline, do not block the queue', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('child', { ownerId: 1, after: ['dem'], awaits: ['x'] }), {
        dependencies: [newRun('dem', { ownerId: 1, pipeline: 'elsewhere' })],
      });
      await queueOf(runs, [2, 2]);
      expect(await order(runs)).toEqual(['2-1', '2-2']);
      expect(await order(runs, { ...worker('w2'), pipelines: ['elsewhere'] })).toEqual(['dem']);
      await runs.publish('dem', 1, deliverable(['dem'], 'dem'));
      expect(await order(runs)).toEqual(['child']);
    });

    it('a run that fails before it is claimed does not count as a claim of its owner', async () => {
      const { runs } = get();
      await queueOf(runs, [1, 2, 2]);
      expect([(await claimed(runs)).id, (await claimed(runs)).id]).toEqual(['1-1', '2-1']);
      await runs.enqueue(newRun('broken', { ownerId: 1, after: ['dem'], awaits: ['x'] }), {
        dependencies: [newRun('dem', { ownerId: 1 })],
      });
      await runs.enqueue(newRun('good', { ownerId: 1 }));
      await runs.requestCancel('dem');
      expect(await order(runs)).toEqual(['good', '2-2']);
      expect(await runs.get('broken')).toMatchObject({ state: 'failed', error: { code: 'dependency_failed' } });
    });

    it('concurrent workers claim every run only once, and no owner waits too long', async () => {
      const { runs } = get();
      await queueOf(runs, [...Array.from({ length: 40 }, () => 1), 2, 3, 4]);
      const taken: string[] = [];
      const claimAll = async (name: string): Promise<void> => {
        for (let run = await runs.claim(worker(name)); run !== undefined; run = await runs.claim(worker(name)))
          taken.push(run.id);
      };
      await Promise.all(['a', 'b', 'c', 'd'].map(claimAll));
      expect(new Set(taken).size).toBe(43);
      // A single worker would claim these runs second to fourth. The limit is higher, because four workers claim at the
      // same time.
      for (const id of ['2-1', '3-1', '4-1']) expect(taken.indexOf(id), id).toBeLessThan(16);
    });
  });

  describe('the state of a queue', () => {
    it('contains the numbers of waiting and working runs, the oldest waiting run, and the last claim', async () => {
      const { runs } = get();
      const nothing = { waiting: 0, working: 0, oldestAt: null, claimedAt: null };
      expect(await runs.queueState('nrm')).toEqual(nothing);
      const first = await runs.enqueue(newRun('r1'));
      await runs.enqueue(newRun('r2'));
      await runs.enqueue(newRun('child', { after: ['r2'], awaits: ['x'] }));
      await runs.enqueue(newRun('away', { backend: 'orchestrator' }));
      expect(await runs.queueState('nrm')).toEqual({ ...nothing, waiting: 2, oldestAt: first.run.createdAt });
      const { startedAt, token } = await claimed(runs);
      const state = await runs.queueState('nrm');
      expect(state).toMatchObject({ waiting: 1, working: 1 });
      expect(Date.parse(state.claimedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(startedAt ?? ''));
      await runs.fail('r1', token, { code: 'internal', message: 'broke' });
      const { claimedAt } = state;
      expect(await runs.queueState('nrm')).toMatchObject({ waiting: 1, working: 0, claimedAt });
      expect(await runs.queueState('other')).toEqual(nothing);
      expect(await runs.queueState('no\u0000name')).toEqual(nothing);
    });

    it('a run whose worker died does not count as working', async () => {
      const { runs } = get();
      await abandoned(runs, 'r1');
      await leaseEnds(runs);
      expect(await runs.queueState('nrm')).toMatchObject({ waiting: 0, working: 0 });
    });
  });
}
