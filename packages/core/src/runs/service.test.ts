import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RunEvent } from '../ports/runs.ts';
import { bench, CLAIM, deliverable, principal, type Bench } from './bench.fixture.ts';
import { createRunService } from './service.ts';
import { createRunSignals } from './signals.ts';

describe('run service', () => {
  let b: Bench;
  const other = principal(2);
  const root = principal(9, true);
  beforeEach(() => {
    b = bench();
  });
  afterEach(() => b.stopAll());
  const run = async (n: number, by = b.owner) => (await b.service.start(by, b.pipeline, { n })).run;

  describe('start', () => {
    it('stores the run before it returns', async () => {
      const { run: started, joined } = await b.service.start(b.owner, b.pipeline, { n: 1 });
      expect(joined).toBe(false);
      expect(started).toMatchObject({ pipeline: 'test', params: { n: 1 }, ownerId: 1, state: 'queued' });
      expect(started.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(await b.stores.runs.get(started.id)).toEqual(started);
    });

    it('joins an identical run of the same owner, unless that run has ended', async () => {
      const first = await run(1);
      expect(await b.service.start(b.owner, b.pipeline, { n: 1 })).toMatchObject({
        joined: true,
        run: { id: first.id },
      });
      expect(await b.service.start(b.owner, b.pipeline, { n: 2 })).toMatchObject({ joined: false });
      expect(await b.service.start(other, b.pipeline, { n: 1 })).toMatchObject({ joined: false });
      await b.service.cancel(b.owner, first.id);
      expect(await b.service.start(b.owner, b.pipeline, { n: 1 })).toMatchObject({ joined: false });
    });

    it("throws the pipeline's error, and stores nothing", async () => {
      const picky = { ...b.pipeline, resolve: () => Promise.reject(new Error('unknown place')) };
      await expect(b.service.start(b.owner, picky, { n: 1 })).rejects.toThrow('unknown place');
      expect((await b.stores.runs.list({ limit: 1, offset: 0 })).total).toBe(0);
    });

    it('refuses parameters that no worker could read back', async () => {
      const lossy = { ...b.pipeline, params: z.object({ n: z.date() }), resolve: async () => ({ n: new Date() }) };
      const pipeline = { ...lossy, fingerprint: () => '', execute: () => Promise.reject(new Error('not here')) };
      await expect(b.service.start(b.owner, pipeline, { n: 1 })).rejects.toThrow(z.ZodError);
      expect((await b.stores.runs.list({ limit: 1, offset: 0 })).total).toBe(0);
    });
  });

  describe('visibility', () => {
    it('the owner and superusers see a run; other users get not_found', async () => {
      const { id } = await run(1);
      for (const who of [b.owner, root]) expect((await b.service.get(who, id)).id).toBe(id);
      const page = { afterSeq: 0, limit: 10 };
      for (const look of [
        () => b.service.get(other, id),
        () => b.service.cancel(other, id),
        () => b.service.log(other, id, page),
        () => b.service.events(other, id, page),
      ]) {
        await expect(look()).rejects.toMatchObject({ code: 'not_found' });
      }
      expect((await b.service.get(b.owner, id)).state).toBe('queued');
    });

    it('another user’s run and an unknown run give the same error', async () => {
      const { id } = await run(1);
      const absent = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
      const problem = async (runId: string) => {
        const error: unknown = await b.service.get(other, runId).catch((thrown: unknown) => thrown);
        return JSON.stringify([error, String(error)]).replaceAll(runId, 'X');
      };
      expect(await problem(id)).toBe(await problem(absent));
    });

    it.each(['', '1', '../x', '\0', '\ud800', 'x'.repeat(10_000)])('finds no run with the id %j', async (id) => {
      await expect(b.service.get(root, id)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('lists own runs, and all runs for a superuser', async () => {
      const ids = [(await run(1)).id, (await run(2, other)).id, (await run(3)).id];
      const list = async (who = b.owner, rest = {}) => {
        const page = await b.service.list(who, { limit: 10, offset: 0, ...rest });
        return [page.runs.map(({ id }) => ids.indexOf(id)), page.total];
      };
      expect(await list()).toEqual([[2, 0], 2]);
      expect(await list(other)).toEqual([[1], 1]);
      expect(await list(root)).toEqual([[2, 1, 0], 3]);
      expect(await list(b.owner, { limit: 1, offset: 1 })).toEqual([[0], 2]);
      expect(await list(b.owner, { state: 'failed' })).toEqual([[], 0]);
    });
  });

  it('cancel ends a queued run immediately and does not change an ended one', async () => {
    const { id } = await run(1);
    const cancelled = await b.service.cancel(b.owner, id);
    expect(cancelled).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    expect(await b.service.cancel(b.owner, id)).toEqual(cancelled);
  });

  it('log returns the log lines and the changes of the state, without the progress, in pages', async () => {
    const { id } = await run(1);
    await b.stores.runs.claim(CLAIM);
    for (let n = 0; n < 1100; n += 1) {
      await b.stores.runs.appendEvent(
        id,
        n % 2 === 0 ? { kind: 'progress', data: {} } : { kind: 'log', data: { message: `line ${n}` } },
      );
    }
    await b.stores.runs.fail(id, 1, { code: 'no_scenes', message: 'no scenes found' });
    const lines = await b.service.log(b.owner, id, { afterSeq: 0, limit: 10_000 });
    expect(lines).toHaveLength(553);
    expect(lines.slice(0, 3).map(({ message }) => message)).toEqual([
      'state queued',
      'state running (attempt 1)',
      'line 1',
    ]);
    expect(lines.at(-1)?.message).toBe('state failed: no scenes found');
    const page = await b.service.log(b.owner, id, { afterSeq: lines[1]!.seq, limit: 2 });
    expect(page).toEqual(lines.slice(2, 4));
  });

  describe('waitFor', () => {
    it('resolves when this process ends the run', async () => {
      b.worker().start();
      const { id } = await run(1);
      const waiting = b.service.waitFor(id, new AbortController().signal);
      (await b.step()).finish(deliverable(['a']));
      expect((await waiting).state).toBe('success');
    });

    it('polls the store, and resolves when another process has ended the run', async () => {
      const { id } = await run(1);
      const waiting = b.service.waitFor(id, new AbortController().signal);
      await b.time.advance(10);
      await b.stores.runs.requestCancel(id);
      await b.time.advance(1000);
      expect((await waiting).error?.code).toBe('cancelled');
    });

    it('rejects when its caller aborts, and the run continues', async () => {
      const { id } = await run(1);
      const caller = new AbortController();
      const outcome = b.service.waitFor(id, caller.signal).catch((error: unknown) => error);
      await b.time.advance(10);
      caller.abort(new Error('client left'));
      expect(await outcome).toEqual(new Error('client left'));
      expect((await b.service.get(b.owner, id)).state).toBe('queued');
      await expect(b.service.waitFor(id, caller.signal)).rejects.toThrow('client left');
    });

    it('rejects for an unknown run', async () => {
      const waiting = b.service.waitFor('nothing', new AbortController().signal);
      await expect(waiting).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('subscribe', () => {
    const collect = async (events: AsyncIterable<RunEvent>): Promise<(readonly [number, unknown])[]> => {
      const seen: (readonly [number, unknown])[] = [];
      for await (const { seq, kind, data } of events) seen.push([seq, data['state'] ?? kind]);
      return seen;
    };

    it('yields events as they happen and ends after the last state', async () => {
      b.worker().start();
      const { id } = await run(1);
      const collecting = collect(b.service.subscribe(id, 0, new AbortController().signal));
      const { context, finish } = await b.step();
      context.log('hello');
      await b.time.advance(300);
      finish(deliverable(['a']));
      expect(await collecting).toEqual([
        [1, 'queued'],
        [2, 'running'],
        [3, 'log'],
        [4, 'success'],
      ]);
    });

    it("yields all events if they fill several pages, and resumes after the client's last event", async () => {
      const { id } = await run(1);
      await b.stores.runs.claim(CLAIM);
      for (let n = 0; n < 500; n += 1)
        await b.stores.runs.appendEvent(id, { kind: 'log', data: { message: String(n) } });
      await b.stores.runs.fail(id, 1, { code: 'internal', message: 'x' });
      const signal = new AbortController().signal;
      const all = await collect(b.service.subscribe(id, 0, signal));
      expect(all.map(([seq]) => seq)).toEqual(Array.from({ length: 503 }, (_, index) => index + 1));
      expect(await collect(b.service.subscribe(id, 501, signal))).toEqual([
        [502, 'log'],
        [503, 'failed'],
      ]);
      expect(await collect(b.service.subscribe(id, 503, signal))).toEqual([]);
      expect(await collect(b.service.subscribe('unknown', 0, signal))).toEqual([]);
    });

    it('yields nothing after the last state', async () => {
      const { id } = await run(1);
      await b.service.cancel(b.owner, id);
      await b.stores.runs.appendEvent(id, {
        kind: 'log',
        data: { message: 'from a worker that does not know of the end' },
      });
      const seen = await collect(b.service.subscribe(id, 0, new AbortController().signal));
      expect(seen).toEqual([
        [1, 'queued'],
        [2, 'failed'],
      ]);
    });

    it('yields events of another process', async () => {
      const elsewhere = createRunService({
        stores: b.stores,
        signals: createRunSignals(),
        clock: b.time,
        timers: b.time,
      });
      const { id } = await run(1);
      const collecting = collect(elsewhere.subscribe(id, 0, new AbortController().signal));
      await b.time.advance(10);
      await b.service.cancel(b.owner, id);
      await b.time.advance(1000);
      expect(await collecting).toEqual([
        [1, 'queued'],
        [2, 'failed'],
      ]);
    });

    it('ends without error when the client aborts, and leaves no listener', async () => {
      const { id } = await run(1);
      const client = new AbortController();
      const collecting = collect(b.service.subscribe(id, 0, client.signal));
      await b.time.advance(10);
      client.abort();
      expect(await collecting).toEqual([[1, 'queued']]);
    });

    it('removes its listeners when its reader stops', async () => {
      const { id } = await run(1);
      for await (const event of b.service.subscribe(id, 0, new AbortController().signal)) {
        expect(event.seq).toBe(1);
        break;
      }
      expect(b.time.sleeping).toBe(0);
    });
  });
});
