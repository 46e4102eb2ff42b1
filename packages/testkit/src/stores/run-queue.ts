import type { Deliverable } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { abandoned, claimed, claimedLater, deliverable, newRun, worker } from './sample.ts';

/** Test cases of enqueueing, joining, claiming, listing and cancelling runs. */
export function runQueueCases(get: Get): void {
  describe('the queue', () => {
    it('stores a run before `enqueue` returns', async () => {
      const { runs } = get();
      const wanted = newRun('r1', { params: { tehsilId: 7, nested: { list: [0, null, 'é'] } } });
      const { run, joined } = await runs.enqueue(wanted);
      expect(joined).toBe(false);
      expect(run).toMatchObject({
        ...wanted,
        state: 'queued',
        progress: 0,
        step: null,
        attempt: 0,
        error: null,
        itemIds: [],
      });
      expect(run).toMatchObject({
        workerId: null,
        leaseUntil: null,
        cancelRequested: false,
        startedAt: null,
        finishedAt: null,
      });
      expect(await runs.get('r1')).toEqual(run);
      expect(await runs.get('r2')).toBeUndefined();
    });

    it('joins an identical run that is queued or running', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1', { fingerprint: 'same' }));
      expect(await runs.enqueue(newRun('r2', { fingerprint: 'same' }))).toMatchObject({
        run: { id: 'r1' },
        joined: true,
      });
      await claimed(runs);
      expect(await runs.enqueue(newRun('r3', { fingerprint: 'same' }))).toMatchObject({
        run: { id: 'r1' },
        joined: true,
      });
      expect(await runs.enqueue(newRun('r4', { fingerprint: 'other' }))).toMatchObject({
        run: { id: 'r4' },
        joined: false,
      });
      expect((await runs.list({ limit: 10, offset: 0 })).total).toBe(2);
    });

    it('creates only one run for several identical concurrent requests', async () => {
      const { runs } = get();
      const ids = Array.from({ length: 8 }, (_, index) => `r${index}`);
      const outcomes = await Promise.all(ids.map((id) => runs.enqueue(newRun(id, { fingerprint: 'same' }))));
      expect(outcomes.filter(({ joined }) => !joined)).toHaveLength(1);
      expect(new Set(outcomes.map(({ run }) => run.id)).size).toBe(1);
    });

    it('does not join a run that ended or is being cancelled', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1', { fingerprint: 'same' }));
      const { token } = await claimed(runs);
      await runs.requestCancel('r1');
      expect((await runs.enqueue(newRun('r2', { fingerprint: 'same' }))).joined).toBe(false);
      await runs.fail('r1', token, { code: 'cancelled', message: 'stopped' });
      await claimed(runs).then(
        async (run) => await runs.fail(run.id, run.token, { code: 'internal', message: 'broke' }),
      );
      expect((await runs.enqueue(newRun('r3', { fingerprint: 'same' }))).joined).toBe(false);
    });

    it('returns the first run if an idempotency key is repeated, and refuses the key with another request', async () => {
      const { runs } = get();
      const key = { ownerId: 1, key: 'k1', request: 'first body' };
      expect(await runs.keyedRun(key)).toBeUndefined();
      expect((await runs.enqueue(newRun('r1'), { key })).joined).toBe(false);
      expect(await runs.enqueue(newRun('r2'), { key })).toMatchObject({ joined: true, run: { id: 'r1' } });
      expect(await runs.keyedRun(key)).toMatchObject({ id: 'r1' });
      const other = { ...key, request: 'other body' };
      await expect(runs.enqueue(newRun('r3'), { key: other })).rejects.toMatchObject({ code: 'key_reused' });
      await expect(runs.keyedRun(other)).rejects.toMatchObject({ code: 'key_reused' });
      await expect(runs.bindKey(other, 'r1')).rejects.toMatchObject({ code: 'key_reused' });
      expect((await runs.enqueue(newRun('r4'), { key: { ...other, ownerId: 2 } })).run.id).toBe('r4');
      expect((await runs.list({ limit: 10, offset: 0 })).total).toBe(2);
    });

    it('stores an idempotency key with the run that its request has joined', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1', { fingerprint: 'same' }));
      const key = { ownerId: 1, key: 'k1', request: 'body' };
      expect(await runs.enqueue(newRun('r2', { fingerprint: 'same' }), { key })).toMatchObject({ run: { id: 'r1' } });
      await runs.requestCancel('r1');
      expect(await runs.enqueue(newRun('r3', { fingerprint: 'same' }), { key })).toMatchObject({
        joined: true,
        run: { id: 'r1', state: 'failed' },
      });
      const bound = { ...key, key: 'k2' };
      expect(await runs.bindKey(bound, 'r1')).toMatchObject({ id: 'r1' });
      expect(await runs.enqueue(newRun('r5'), { key: bound })).toMatchObject({ joined: true, run: { id: 'r1' } });
    });

    it('creates only one run for concurrent requests with the same idempotency key', async () => {
      const { runs } = get();
      const key = { ownerId: 1, key: 'k1', request: 'body' };
      const ids = Array.from({ length: 8 }, (_, index) => `r${index}`);
      const outcomes = await Promise.all(ids.map((id) => runs.enqueue(newRun(id), { key })));
      expect(outcomes.filter(({ joined }) => !joined)).toHaveLength(1);
      expect(new Set(outcomes.map(({ run }) => run.id)).size).toBe(1);
      expect((await runs.list({ limit: 10, offset: 0 })).total).toBe(1);
    });

    it('finds the stored result of a fingerprint if the result has `inputs`, as long as all of its Items are current', async () => {
      const { runs } = get();
      const publish = async (id: string, published: Deliverable): Promise<void> => {
        await runs.enqueue(newRun(id, { fingerprint: id === 'other' ? 'other' : 'same' }));
        const { token } = await claimed(runs);
        await runs.publish(id, token, published);
      };
      expect(await runs.resultOf('same')).toBeUndefined();
      await publish('r1', deliverable(['a', 'b']));
      expect(await runs.resultOf('same')).toBeUndefined();
      await publish('r2', { ...deliverable(['a', 'b']), inputs: 'scenes' });
      expect(await runs.resultOf('same')).toMatchObject({ id: 'r2', inputs: 'scenes' });
      expect(await runs.resultOf('else')).toBeUndefined();
      await publish('other', { ...deliverable(['b']), inputs: 'scenes' });
      expect(await runs.resultOf('same')).toBeUndefined();
      expect(await runs.resultOf('other')).toMatchObject({ id: 'other' });
    });

    it('refuses an id that exists already', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      await expect(runs.enqueue(newRun('r1', { fingerprint: 'another' }))).rejects.toMatchObject({ code: 'conflict' });
    });

    it('lets workers claim the oldest run first, and each run only once', async () => {
      const { runs } = get();
      for (const id of ['r1', 'r2', 'r3']) await runs.enqueue(newRun(id));
      const first = await claimed(runs);
      expect(first).toMatchObject({ id: 'r1', state: 'running', attempt: 1, workerId: 'w1' });
      expect(first.startedAt).not.toBeNull();
      expect(Date.parse(first.leaseUntil ?? '')).toBeGreaterThan(Date.parse(first.startedAt ?? ''));
      expect((await claimed(runs)).id).toBe('r2');
      expect((await claimed(runs)).id).toBe('r3');
      expect(await runs.claim(worker('w1'))).toBeUndefined();
    });

    it('eight concurrent workers get eight different runs', async () => {
      const { runs } = get();
      for (let index = 0; index < 8; index++) await runs.enqueue(newRun(`r${index}`));
      const taken = await Promise.all(Array.from({ length: 8 }, (_, index) => runs.claim(worker(`w${index}`))));
      const again = await runs.claim(worker('late'));
      const ids = [...taken, again].flatMap((run) => (run === undefined ? [] : [run.id]));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(8);
    });

    it('skips pipelines that the worker does not have', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1', { pipeline: 'other' }));
      await runs.enqueue(newRun('r2'));
      expect((await claimed(runs)).id).toBe('r2');
      expect(await runs.claim(worker('w1'))).toBeUndefined();
      expect(await runs.claim({ ...worker('w1'), pipelines: [] })).toBeUndefined();
      expect((await claimed(runs, { ...worker('w1'), pipelines: ['lulc', 'other'] })).id).toBe('r1');
    });

    it('lets a worker claim a run whose lease has expired, with a new token, up to its last attempt', async () => {
      const { runs } = get();
      const first = await abandoned(runs, 'r1');
      const second = await claimedLater(runs, worker('w2', 1));
      expect(second).toMatchObject({ id: 'r1', attempt: 2, workerId: 'w2', startedAt: first.startedAt });
      expect(second.token).toBeGreaterThan(first.token);
      expect(await claimedLater(runs, worker('w3', 1))).toMatchObject({ attempt: 3 });
      await expect
        .poll(async () => {
          expect(await runs.claim(worker('w4'))).toBeUndefined();
          return (await runs.get('r1'))?.error?.code;
        })
        .toBe('crashed_repeatedly');
      expect(await runs.get('r1')).toMatchObject({ state: 'failed', attempt: 3 });
      expect((await runs.get('r1'))?.finishedAt).not.toBeNull();
    });

    it('a run that has no attempt left does not block the next run', async () => {
      const { runs } = get();
      await abandoned(runs, 'r1');
      await runs.enqueue(newRun('r2'));
      const next = await claimedLater(runs, { ...worker('w2'), maxAttempts: 1 });
      expect(next.id).toBe('r2');
    });

    it('lists runs by owner and state, page by page, the newest first', async () => {
      const { runs } = get();
      for (const id of ['r1', 'r2', 'r3']) await runs.enqueue(newRun(id, { ownerId: id === 'r2' ? 2 : 1 }));
      await claimed(runs);
      const ids = async (filter: Partial<Parameters<typeof runs.list>[0]>): Promise<readonly [string, number]> => {
        const page = await runs.list({ limit: 10, offset: 0, ...filter });
        return [page.runs.map(({ id }) => id).join(' '), page.total];
      };
      expect(await ids({})).toEqual(['r3 r2 r1', 3]);
      expect(await ids({ limit: 1, offset: 1 })).toEqual(['r2', 3]);
      expect(await ids({ ownerId: 1 })).toEqual(['r3 r1', 2]);
      expect(await ids({ state: 'running' })).toEqual(['r1', 1]);
      expect(await ids({ ownerId: 2, state: 'running' })).toEqual(['', 0]);
      expect(await ids({ offset: 9 })).toEqual(['', 3]);
    });
  });

  describe('cancelling', () => {
    it('ends a queued run immediately', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      expect(await runs.requestCancel('r1')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      expect((await runs.get('r1'))?.finishedAt).not.toBeNull();
      expect(await runs.claim(worker('w1'))).toBeUndefined();
    });

    it('marks a running run for cancellation; the next heartbeat of its worker returns `cancelled`', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      const { token } = await claimed(runs);
      expect(await runs.requestCancel('r1')).toMatchObject({ state: 'running', cancelRequested: true });
      expect(await runs.heartbeat('r1', token, { leaseMs: 60_000 })).toBe('cancelled');
      expect(await runs.fail('r1', token, { code: 'cancelled', message: 'stopped' })).toBe('ok');
      expect(await runs.get('r1')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    });

    it('ends a run whose worker died before its next heartbeat', async () => {
      const { runs } = get();
      await abandoned(runs, 'r1');
      await runs.requestCancel('r1');
      await expect
        .poll(async () => {
          expect(await runs.claim(worker('w2'))).toBeUndefined();
          return (await runs.get('r1'))?.error?.code;
        })
        .toBe('cancelled');
    });

    it('does not change a run that has ended, and returns undefined for an unknown run', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      const { token } = await claimed(runs);
      await runs.fail('r1', token, { code: 'no_scenes', message: 'none' });
      const ended = await runs.get('r1');
      expect(await runs.requestCancel('r1')).toEqual(ended);
      expect(await runs.requestCancel('unknown')).toBeUndefined();
    });
  });
}
