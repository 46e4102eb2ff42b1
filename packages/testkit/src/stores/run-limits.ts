import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, newRun } from './sample.ts';

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `r${index}`);

/** Test cases of limits of unfinished runs, and of lists of runs. */
export function runLimitCases(get: Get): void {
  describe('a limit on the open runs of an owner', () => {
    it('refuses a run above the limit of queued and running runs, and accepts it after another has ended', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'), { mostOpen: 2 });
      const { token } = await claimed(runs);
      await runs.enqueue(newRun('r2'), { mostOpen: 2 });
      await expect(runs.enqueue(newRun('r3'), { mostOpen: 2 })).rejects.toMatchObject({
        code: 'throttled',
        message: expect.stringMatching(/^2 runs are queued or running for this account/),
        details: { retryAfterSeconds: expect.any(Number) },
      });
      expect(await runs.get('r3')).toBeUndefined();
      expect((await runs.enqueue(newRun('other', { ownerId: 2 }), { mostOpen: 2 })).joined).toBe(false);
      await runs.fail('r1', token, { code: 'no_scenes', message: 'none' });
      expect((await runs.enqueue(newRun('r3'), { mostOpen: 2 })).joined).toBe(false);
    });

    it('does not refuse a request that joins a run or is repeated', async () => {
      const { runs } = get();
      const key = { ownerId: 1, key: 'k1', request: 'body' };
      await runs.enqueue(newRun('r1', { fingerprint: 'same' }), { key, mostOpen: 1 });
      const joined = await runs.enqueue(newRun('r2', { fingerprint: 'same' }), { mostOpen: 1 });
      const repeated = await runs.enqueue(newRun('r3'), { key, mostOpen: 1 });
      expect([joined, repeated]).toMatchObject([{ run: { id: 'r1' } }, { run: { id: 'r1' } }]);
    });

    it('does not store the idempotency key of a refused request', async () => {
      const { runs } = get();
      const key = { ownerId: 1, key: 'k1', request: 'body' };
      await runs.enqueue(newRun('r1'), { mostOpen: 1 });
      await expect(runs.enqueue(newRun('r2'), { key, mostOpen: 1 })).rejects.toMatchObject({ code: 'throttled' });
      expect(await runs.keyedRun(key)).toBeUndefined();
      await runs.requestCancel('r1');
      expect(await runs.enqueue(newRun('r2'), { key, mostOpen: 1 })).toMatchObject({ joined: false });
    });

    it('accepts as many concurrent requests as there are free places', async () => {
      const { runs } = get();
      const outcomes = await Promise.allSettled(ids(12).map((id) => runs.enqueue(newRun(id), { mostOpen: 3 })));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect((await runs.list({ limit: 20, offset: 0 })).total).toBe(3);
    });

    it('does not count child runs, and does not refuse them', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('parent'), { mostOpen: 2 });
      for (const id of ids(4)) {
        const { run } = await runs.enqueue(newRun(id, { parentId: 'parent' }), { mostOpen: 2 });
        expect(run.parentId).toBe('parent');
      }
      expect((await runs.enqueue(newRun('second'), { mostOpen: 2 })).run.parentId).toBeNull();
      await expect(runs.enqueue(newRun('third'), { mostOpen: 2 })).rejects.toMatchObject({ code: 'throttled' });
      expect((await runs.enqueue(newRun('child', { parentId: 'parent' }), { mostOpen: 2 })).joined).toBe(false);
    });
  });

  describe('runs without owner', () => {
    const unownedRun = (id: string, more = {}) => newRun(id, { ownerId: null, ...more });
    const CLAIM = { workerId: 'w', leaseMs: 60_000, pipelines: [newRun('any').pipeline], maxAttempts: 3 };

    it('share one limit with its own message; child runs do not count', async () => {
      const { runs } = get();
      const outcomes = await Promise.allSettled(ids(9).map((id) => runs.enqueue(unownedRun(id), { mostOpen: 3 })));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      await expect(runs.enqueue(unownedRun('more'), { mostOpen: 3 })).rejects.toMatchObject({
        code: 'throttled',
        message: '3 runs are queued or running for calls without an account, which is the maximum; retry later.',
      });
      expect((await runs.enqueue(unownedRun('child', { parentId: 'r0' }), { mostOpen: 3 })).joined).toBe(false);
      expect((await runs.enqueue(newRun('owned'), { mostOpen: 3 })).joined).toBe(false);
    });

    it('also have a limit per address, even for concurrent calls; calls without an address have no such limit', async () => {
      const { runs } = get();
      const from = (id: string, address: string | null, more = {}) =>
        unownedRun(id, { params: { text: '"call":{"from":"b",', call: { from: address, km2: 4 } }, ...more });
      const limits = { mostOpen: 9, mostOfAddress: 2 };
      const outcomes = await Promise.allSettled(ids(6).map((id) => runs.enqueue(from(id, 'a "quoted\\" b'), limits)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      await expect(runs.enqueue(from('more', 'a "quoted\\" b'), limits)).rejects.toMatchObject({
        code: 'throttled',
        message: expect.stringMatching(/^2 runs are queued or running for calls from this address/),
        details: { retryAfterSeconds: expect.any(Number) },
      });
      expect(await runs.get('more')).toBeUndefined();
      for (const [at, address] of ['b', 'b', null, null, null].entries())
        expect((await runs.enqueue(from(`other ${at}`, address), limits)).joined).toBe(false);
      const { runs: listed } = await runs.list({ limit: 9, offset: 0 });
      expect(listed.every(({ params }) => !('call' in params))).toBe(true);
      expect((await runs.get('other 0'))?.params['call']).toEqual({ from: 'b', km2: 4 });
    });

    it('are claimed up to their limit, even by concurrent claims, and do not block runs of owners', async () => {
      const { runs } = get();
      for (const id of ids(5)) await runs.enqueue(unownedRun(id));
      await runs.enqueue(newRun('owned'));
      const outcomes = await Promise.all(ids(6).map(() => runs.claim({ ...CLAIM, mostUnowned: 2 })));
      const taken = outcomes.flatMap((run) => run ?? []);
      expect(taken.filter(({ ownerId }) => ownerId === null)).toHaveLength(2);
      expect(taken.filter(({ ownerId }) => ownerId !== null)).toHaveLength(1);
      expect(await runs.claim({ ...CLAIM, mostUnowned: 2 })).toBeUndefined();
      const [first] = taken.filter(({ ownerId }) => ownerId === null);
      await runs.fail(first?.id ?? '', first?.token ?? 0, { code: 'no_scenes', message: 'none' });
      expect(await runs.claim({ ...CLAIM, mostUnowned: 2 })).toMatchObject({ ownerId: null, state: 'running' });
      expect((await runs.claim(CLAIM))?.ownerId).toBeNull();
    });
  });

  describe('a list of runs', () => {
    it('omits parameters that can be large', async () => {
      const { runs } = get();
      const params = { year: 2020, text: '"bulk": no', inner: { bulk: 'small' } };
      await runs.enqueue(newRun('r1', { params: { ...params, bulk: 'labels' } }));
      await runs.enqueue(newRun('r2', { params }));
      const { runs: listed } = await runs.list({ limit: 9, offset: 0 });
      expect(listed.map((run) => [run.id, run.params])).toEqual([
        ['r2', params],
        ['r1', params],
      ]);
      expect((await runs.get('r1'))?.params).toEqual({ ...params, bulk: 'labels' });
    });
  });
}
