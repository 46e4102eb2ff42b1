import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DomainError } from '../errors.ts';
import type { Run } from '../ports/runs.ts';
import { bench, CLAIM, deliverable, type Bench } from './bench.fixture.ts';

describe('run worker', () => {
  let b: Bench;
  beforeEach(() => {
    b = bench();
  });
  afterEach(() => b.stopAll());
  const state = async (id: string): Promise<Run> => (await b.stores.runs.get(id))!;
  const events = async (id: string, kind: string) =>
    (await b.stores.runs.events(id, 0, 1000)).filter((event) => event.kind === kind).map(({ data }) => data);

  describe('a run', () => {
    it('is claimed after a wake, executed and published with its timings', async () => {
      b.worker().start();
      await b.time.advance(0);
      const id = await b.start(1);
      const step = await b.step();
      step.context.progress('read', 1);
      await b.time.advance(2000);
      step.context.progress('write', 0.5);
      await b.time.advance(1000);
      step.finish(deliverable(['a', 'b']));
      await b.time.advance(0);
      expect(await state(id)).toMatchObject({ state: 'success', progress: 1, attempt: 1, itemIds: ['a', 'b'] });
      expect((await state(id)).timings).toEqual({ read: 2, write: 1, measured: 7 });
      expect(await b.stores.catalog.item('s/d/b', 'a')).toMatchObject({ version: 1, runId: id });
      expect(b.assets.attempts()).toEqual([`${id}/1`]);
    });

    it('is found by polling without a wake', async () => {
      b.worker().start();
      await b.time.advance(0);
      await b.stores.runs.enqueue({
        id: 'elsewhere',
        pipeline: 'test',
        params: { n: 1 },
        fingerprint: 'x',
        ownerId: 1,
      });
      await b.time.advance(999);
      expect(b.begun()).toBe(0);
      await b.time.advance(1);
      expect(b.begun()).toBe(1);
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(0);
      expect((await state('elsewhere')).state).toBe('success');
    });

    it('reports weighted progress, never decreasing, at most every 250 ms', async () => {
      b.worker().start();
      const id = await b.start(1);
      const { context, finish } = await b.step();
      for (let share = 0; share <= 1; share += 0.01) {
        context.progress('read', share);
        await b.time.advance(10);
      }
      context.progress('write', 0.5, 'half');
      context.progress('read', 0.1);
      await b.time.advance(500);
      context.progress('write', 1);
      await b.time.advance(500);
      const shown = await events(id, 'progress');
      const values = shown.map((data) => Number(data['progress']));
      expect(values).toEqual([...values].sort((a, b) => a - b));
      expect(values.at(-1)).toBe(1);
      expect(values).toContain(0.625);
      expect(shown.length).toBeGreaterThan(4);
      expect(shown.length).toBeLessThanOrEqual(8);
      expect((await state(id)).progress).toBe(1);
      finish(deliverable(['a']));
      await b.time.advance(0);
    });

    it('has its lease extended while it is executed', async () => {
      b.worker().start();
      const id = await b.start(1);
      const { finish } = await b.step();
      for (let minute = 0; minute < 10; minute += 1) {
        await b.time.advance(60_000);
        expect(await b.stores.runs.claim(CLAIM)).toBeUndefined();
      }
      finish(deliverable(['a']));
      await b.time.advance(0);
      expect(await state(id)).toMatchObject({ state: 'success', attempt: 1 });
    });

    it('writes its log in order, without characters that stores refuse', async () => {
      b.worker().start();
      const id = await b.start(1);
      const { context, finish } = await b.step();
      context.log('one');
      context.log('two \0 \ud800');
      finish(deliverable(['a']));
      await b.time.advance(0);
      expect(await events(id, 'log')).toEqual([{ message: 'one' }, { message: 'two \ufffd \ufffd' }]);
      const seqs = (await b.stores.runs.events(id, 0, 100)).map(({ kind, data }) => data['state'] ?? kind);
      expect(seqs).toEqual(['queued', 'running', 'log', 'log', 'success']);
    });

    it('waits while another run is executed, with a concurrency of 1', async () => {
      b.worker().start();
      await b.start(1);
      await b.start(2);
      await b.time.advance(5000);
      expect(b.begun()).toBe(1);
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(0);
      expect(b.begun()).toBe(2);
      (await b.step()).finish(deliverable(['b']));
      await b.time.advance(0);
    });

    it('is executed at the same time as others, with a higher concurrency', async () => {
      const worker = b.worker({ concurrency: 2 });
      worker.start();
      for (const n of [1, 2, 3]) await b.start(n);
      await b.time.advance(0);
      expect(b.begun()).toBe(2);
      expect(worker.active).toBe(2);
      for (let n = 1; n <= 3; n += 1) {
        (await b.step()).finish(deliverable([`item${n}`]));
        await b.time.advance(0);
      }
      expect(worker.active).toBe(0);
      expect((await b.stores.catalog.itemsOf('s/d/b')).map(({ id }) => id)).toEqual(['item1', 'item2', 'item3']);
    });
  });

  describe('a run that fails', () => {
    it('reports the reason, with fields, and leaves no files', async () => {
      b.worker().start();
      const id = await b.start(1);
      const fields = { tehsil: [{ rule: 'unsupported', message: 'has no micro-watersheds' }] } as const;
      (await b.step()).fail(new DomainError('input_data', 'tehsil: has no micro-watersheds', { fields }));
      await b.time.advance(0);
      expect(await state(id)).toMatchObject({
        state: 'failed',
        attempt: 1,
        error: { code: 'input_data', message: 'tehsil: has no micro-watersheds', fields },
      });
      expect(b.assets.attempts()).toEqual([]);
      expect(await b.stores.catalog.collections()).toEqual([]);
    });

    it('reports only an id for an unexpected error; the log of the worker has the error with this id', async () => {
      b.worker().start();
      const id = await b.start(1);
      (await b.step()).fail(new Error('password=hunter2', { cause: new Error('the root of it') }));
      await b.time.advance(0);
      const { error } = await state(id);
      expect(error?.code).toBe('internal');
      expect(error?.message).not.toContain('hunter2');
      const line = b.log.find(({ message }) => message === 'run failed unexpectedly');
      expect(error?.message).toContain(String(line?.fields['errorId']));
      expect(line?.fields['error']).toContain('the root of it');
    });

    it.each(['ENOSPC', 'EDQUOT'])(
      'reports a full disk (%s), even if it is a nested cause of the error',
      async (code) => {
        b.worker().start();
        const id = await b.start(1);
        (await b.step()).fail(new Error('write failed', { cause: Object.assign(new Error('no space'), { code }) }));
        await b.time.advance(0);
        expect((await state(id)).error?.code).toBe('storage_full');
      },
    );

    it('names the rule that an Item breaks, and publishes none of its Items', async () => {
      b.worker().start();
      const id = await b.start(1);
      (await b.step()).finish(deliverable(['good', 'broken']));
      await b.time.advance(0);
      expect((await state(id)).error).toEqual({
        code: 'internal',
        message: expect.stringMatching(
          /^Item broken breaks these rules: assets\.data at \/assets.*correct the pipeline \w+\.$/,
        ),
      });
      expect(await b.stores.catalog.item('s/d/b', 'good')).toBeUndefined();
      expect(b.assets.attempts()).toEqual([]);
    });

    it('fails with a clear message if its parameters come from another version of the pipeline', async () => {
      await b.stores.runs.enqueue({ id: 'old', pipeline: 'test', params: { m: 1 }, fingerprint: 'x', ownerId: 1 });
      b.worker().start();
      await b.time.advance(0);
      expect((await state('old')).error?.message).toContain('do not fit this version');
    });

    it('does not prevent the next run', async () => {
      b.worker().start();
      await b.start(1);
      const second = await b.start(2);
      (await b.step()).fail(new Error('bad'));
      await b.time.advance(0);
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(0);
      expect((await state(second)).state).toBe('success');
    });
  });

  describe('cancelling', () => {
    it('reaches a run of this process immediately', async () => {
      b.worker().start();
      const id = await b.start(1);
      const { context } = await b.step();
      await b.service.cancel(b.owner, id);
      await b.time.advance(0);
      expect(context.signal.aborted).toBe(true);
      expect(await state(id)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      expect(b.assets.attempts()).toEqual([]);
    });

    it('reaches a run in another process at the next heartbeat of that process', async () => {
      b.worker().start();
      const id = await b.start(1);
      const { context } = await b.step();
      await b.stores.runs.requestCancel(id);
      await b.time.advance(9_000);
      expect(context.signal.aborted).toBe(false);
      await b.time.advance(1_000);
      expect(context.signal.aborted).toBe(true);
      expect((await state(id)).error?.code).toBe('cancelled');
    });

    it('ends the run even if the pipeline ignores the abort', async () => {
      b.worker().start();
      const id = await b.start(1);
      const { finish } = await b.step({ deaf: true });
      await b.stores.runs.requestCancel(id);
      finish(deliverable(['a']));
      await b.time.advance(0);
      expect((await state(id)).error?.code).toBe('cancelled');
      expect(await b.stores.catalog.item('s/d/b', 'a')).toBeUndefined();
      expect(b.assets.attempts()).toEqual([]);
    });
  });

  describe('stopping', () => {
    it('puts the run back in the queue, and a restart continues it', async () => {
      const worker = b.worker();
      worker.start();
      const id = await b.start(1);
      const { context } = await b.step();
      await worker.stop({ graceMs: 3000 });
      expect(context.signal.aborted).toBe(true);
      expect(await state(id)).toMatchObject({ state: 'queued', attempt: 0, error: null });
      expect(b.assets.attempts()).toEqual([]);
      b.worker().start();
      const again = await b.step();
      expect(again.context.run).toMatchObject({ attempt: 1, token: 2 });
      again.finish(deliverable(['a']));
      await b.time.advance(0);
      expect((await state(id)).state).toBe('success');
    });

    it('waits at most `graceMs` for a pipeline that ignores the abort', async () => {
      const worker = b.worker();
      worker.start();
      const id = await b.start(1);
      const { finish } = await b.step({ deaf: true });
      let stopped = false;
      const stopping = worker.stop({ graceMs: 3000 }).then(() => (stopped = true));
      await b.time.advance(2999);
      expect(stopped).toBe(false);
      await b.time.advance(1);
      await stopping;
      expect((await state(id)).state).toBe('queued');
      finish(deliverable(['a']));
      await b.time.advance(0);
      expect((await state(id)).state).toBe('queued');
      expect(await b.stores.catalog.item('s/d/b', 'a')).toBeUndefined();
    });

    it('claims nothing afterwards; `stop` may be called before `start`, and more than once', async () => {
      const worker = b.worker();
      await worker.stop({ graceMs: 10 });
      await worker.stop({ graceMs: 10 });
      worker.start();
      await b.start(1);
      await b.time.advance(5000);
      expect(b.begun()).toBe(0);
    });
  });
});
