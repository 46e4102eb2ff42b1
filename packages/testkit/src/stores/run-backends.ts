import type { Run } from '@headwater/core';
import type { RunStore } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, claimedLater, deliverable, newRun, worker } from './sample.ts';

const HASH = 'a'.repeat(64);
const watcher = (workerId: string, leaseMs = 60_000): Parameters<RunStore['claim']>[0] => ({
  ...worker(workerId, leaseMs),
  queue: undefined,
  backend: 'orchestrator',
});

async function claimedRun(runs: RunStore, id: string, leaseMs = 60_000): Promise<Run> {
  await runs.enqueue(newRun(id, { backend: 'orchestrator' }));
  return await claimed(runs, watcher('w1', leaseMs));
}

/** Test cases of queues, of backends, and of runs at an orchestrator. */
export function runBackendCases(get: Get): void {
  describe('backends and queues', () => {
    it('a run is local and in the queue nrm by default, and needs no owner', async () => {
      const { runs } = get();
      const plain = { backend: 'local', queue: 'nrm', dagId: null, dagRunId: null, runTokenHash: null };
      expect((await runs.enqueue(newRun('r1'))).run).toMatchObject({ ...plain, requestId: null, publishedBy: null });
      const specified = newRun('r2', { backend: 'orchestrator', queue: 'waterbody', requestId: 'q1', ownerId: null });
      expect((await runs.enqueue(specified, { mostOpen: 1 })).run).toMatchObject(specified);
      expect(await runs.get('r2')).toMatchObject(specified);
      expect((await runs.list({ ownerId: 1, limit: 9, offset: 0 })).runs.map(({ id }) => id)).toEqual(['r1']);
    });

    it('a worker claims only local runs; a worker with a queue claims only runs of this queue', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('orchestrated', { backend: 'orchestrator' }));
      await runs.enqueue(newRun('water', { queue: 'waterbody' }));
      await runs.enqueue(newRun('r3'));
      expect(await runs.claim({ ...worker('w1'), queue: 'other' })).toBeUndefined();
      expect((await claimed(runs, { ...worker('w1'), queue: 'nrm' })).id).toBe('r3');
      const anyQueue = { ...worker('w1'), queue: undefined };
      expect((await claimed(runs, anyQueue)).id).toBe('water');
      expect(await runs.claim(anyQueue)).toBeUndefined();
      expect((await claimed(runs, watcher('w2'))).id).toBe('orchestrated');
      expect(await runs.claim(watcher('w2'))).toBeUndefined();
    });

    it('lists the child runs of a run', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      await runs.enqueue(newRun('r2', { parentId: 'r1' }));
      await runs.enqueue(newRun('r3', { parentId: 'r1' }));
      const page = await runs.list({ parentId: 'r1', limit: 9, offset: 0 });
      expect([page.runs.map(({ id }) => id), page.total]).toEqual([['r3', 'r2'], 2]);
      expect((await runs.list({ parentId: 'unknown', limit: 9, offset: 0 })).total).toBe(0);
      const above = await runs.list({ parentId: null, limit: 1, offset: 0 });
      expect([above.runs.map(({ id }) => id), above.total]).toEqual([['r1'], 1]);
    });
  });

  describe('a run at an orchestrator', () => {
    it('stores its dispatch only for the holder of its fencing token', async () => {
      const { runs } = get();
      const { token } = await claimedRun(runs, 'r1');
      expect(await runs.dispatch('r1', token + 1, { dagId: 'd', runTokenHash: HASH })).toBe('lost');
      expect(await runs.dispatch('r1', token, { dagId: 'd', runTokenHash: HASH })).toBe('ok');
      expect(await runs.get('r1')).toMatchObject({ dagId: 'd', runTokenHash: HASH, dagRunId: null });
      expect(await runs.dispatch('r1', token, { dagId: 'd', runTokenHash: HASH, dagRunId: 'manual__1' })).toBe('ok');
      expect(await runs.get('r1')).toMatchObject({ dagId: 'd', runTokenHash: HASH, dagRunId: 'manual__1' });
    });

    it('stays in the same attempt, however often other watchers take it over', async () => {
      const { runs } = get();
      const first = await claimedRun(runs, 'r1', 1);
      let token = first.token;
      for (const name of ['w2', 'w3', 'w4', 'w5']) {
        const next = await claimedLater(runs, watcher(name, 1));
        expect(next).toMatchObject({ id: 'r1', attempt: 1, workerId: name, state: 'running' });
        expect(next.token).toBeGreaterThan(token);
        token = next.token;
      }
      expect(await runs.heartbeat('r1', first.token, { leaseMs: 1 })).toBe('lost');
    });

    it('ends immediately if it is cancelled before a watcher claims it; after the claim, its watcher must end it', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r0', { backend: 'orchestrator' }));
      expect(await runs.requestCancel('r0')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      await claimedRun(runs, 'r1', 1);
      expect(await runs.requestCancel('r1')).toMatchObject({ state: 'running', cancelRequested: true });
      const next = await claimedLater(runs, watcher('w2'));
      expect(next).toMatchObject({ id: 'r1', state: 'running', cancelRequested: true });
      expect(await runs.dispatch('r1', next.token, { dagId: 'd', runTokenHash: HASH })).toBe('cancelled');
      expect(await runs.complete('r1', next.token, 'r0')).toBe('cancelled');
    });

    it('can end with the result that another run has published', async () => {
      const { runs, catalog } = get();
      const { token } = await claimedRun(runs, 'r1');
      await runs.enqueue(newRun('child', { parentId: 'r1' }));
      await expect(runs.complete('r1', token, 'child')).rejects.toMatchObject({ code: 'internal' });
      await expect(runs.complete('r1', token, 'unknown')).rejects.toMatchObject({ code: 'internal' });
      const child = await claimed(runs);
      await runs.publish('child', child.token, { ...deliverable(), inputs: 'scenes' });
      expect(await runs.complete('r1', token + 1, 'child')).toBe('lost');
      expect(await runs.complete('r1', token, 'child')).toBe('ok');
      const { itemIds, timings } = (await runs.get('child')) ?? child;
      expect(itemIds.length).toBeGreaterThan(0);
      expect(await runs.get('r1')).toMatchObject({
        state: 'success',
        progress: 1,
        itemIds,
        timings,
        publishedBy: 'child',
        leaseUntil: null,
      });
      expect((await runs.events('r1', 0, 99)).at(-1)).toMatchObject({ kind: 'state', data: { state: 'success' } });
      expect(await catalog.itemsOfRun('child')).toHaveLength(itemIds.length);
      expect(await runs.complete('r1', token, 'child')).toBe('lost');
    });

    it('cancels its child runs when it fails, except child runs that other runs wait for', async () => {
      const { runs } = get();
      const { token } = await claimedRun(runs, 'r1');
      await runs.enqueue(newRun('held', { parentId: 'r1' }));
      const runningChild = await claimed(runs);
      await runs.enqueue(newRun('queued', { parentId: 'r1' }));
      await runs.enqueue(newRun('needed', { parentId: 'r1' }));
      await runs.enqueue(newRun('dependent', { after: ['needed'], awaits: ['a layer'] }));
      expect(await runs.fail('r1', token + 1, { code: 'upstream_failed', message: 'boom' })).toBe('lost');
      expect(await runs.heartbeat('held', runningChild.token, { leaseMs: 60_000 })).toBe('ok');
      expect(await runs.fail('r1', token, { code: 'upstream_failed', message: 'boom' })).toBe('ok');
      expect(await runs.heartbeat('held', runningChild.token, { leaseMs: 60_000 })).toBe('cancelled');
      expect(await runs.get('queued')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      expect(await runs.get('needed')).toMatchObject({ state: 'queued', cancelRequested: false });
      expect((await runs.get('r1'))?.error?.code).toBe('upstream_failed');
    });

    it('stores the error details of the orchestrator', async () => {
      const { runs } = get();
      const { token } = await claimedRun(runs, 'r1');
      const failure = { code: 'upstream_failed', message: 'boom', details: { task: 'a', excerpt: 'line\n' } } as const;
      expect(await runs.fail('r1', token, failure)).toBe('ok');
      expect((await runs.get('r1'))?.error).toEqual(failure);
    });
  });
}
