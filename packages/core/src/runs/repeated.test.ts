import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../ports/runs.ts';
import { bench, deliverable, principal, type Bench, unavailable } from './bench.fixture.ts';
import type { AnyPipeline, StartOptions, StartedRun } from './types.ts';

describe('a repeated request', () => {
  let b: Bench;
  /** Present inputs of the pipeline, which tests replace. */
  let present: () => Promise<string>;
  let pipeline: AnyPipeline;
  let looks = 0;
  beforeEach(() => {
    b = bench();
    looks = 0;
    present = async () => 'scenes a, b';
    pipeline = {
      ...b.pipeline,
      inputs: async (_params: unknown, _ports: unknown, signal: AbortSignal) => {
        looks += 1;
        signal.throwIfAborted();
        return present();
      },
    };
  });
  afterEach(() => b.stopAll());

  const start = (options: StartOptions = {}, n = 1, by = b.owner): Promise<StartedRun> =>
    b.service.start(by, pipeline, { n }, options);

  async function computed(inputs = 'scenes a, b', ids: readonly string[] = ['a']): Promise<Run> {
    const worker = b.worker();
    worker.start();
    const { run } = await start({ overwrite: true });
    (await b.step()).finish({ ...deliverable(ids), inputs });
    await b.time.advance(0);
    await worker.stop({ graceMs: 1 });
    return (await b.stores.runs.get(run.id)) ?? run;
  }

  describe('without an idempotency key', () => {
    it('gets the stored result', async () => {
      const before = await computed();
      expect(before).toMatchObject({ state: 'success', inputs: 'scenes a, b' });
      expect(await start()).toEqual({ run: before, joined: true, reused: true });
      expect((await b.stores.runs.list({ limit: 10, offset: 0 })).total).toBe(1);
    });

    it('does not read the inputs if no result is stored', async () => {
      expect(await start()).toMatchObject({ joined: false, reused: false });
      expect(looks).toBe(0);
    });

    it('is computed again with `overwrite`', async () => {
      await computed();
      expect(await start({ overwrite: true })).toMatchObject({
        joined: false,
        reused: false,
        run: { state: 'queued' },
      });
    });

    it.each([
      ['new scenes came', async () => 'scenes a, b, c'],
      ['the scenes cannot be searched', () => Promise.reject(unavailable())],
    ])('is computed again if %s', async (_name, now) => {
      await computed();
      present = now;
      expect(await start()).toMatchObject({ joined: false, reused: false });
    });

    it('is computed again if the scene catalogue does not answer in time', async () => {
      await computed();
      present = () => Promise.withResolvers<string>().promise;
      const starting = start();
      await b.time.advance(10_000);
      expect(await starting).toMatchObject({ joined: false, reused: false });
    });

    it('is computed again for another request or owner', async () => {
      await computed();
      expect(await start({}, 2)).toMatchObject({ joined: false });
      expect(await start({}, 1, principal(2))).toMatchObject({ joined: false });
    });

    it('is computed again if a later run replaced a part of the result', async () => {
      await computed('scenes a, b', ['a', 'b']);
      const worker = b.worker();
      worker.start();
      await b.start(7);
      (await b.step()).finish(deliverable(['b'], 'of another request'));
      await b.time.advance(0);
      await worker.stop({ graceMs: 1 });
      expect(await start()).toMatchObject({ joined: false });
    });

    it('is computed again if the pipeline cannot determine its inputs', async () => {
      await computed();
      expect(await b.service.start(b.owner, b.pipeline, { n: 1 })).toMatchObject({ joined: false });
    });
  });

  describe('with an idempotency key', () => {
    it('gets the run of the first response, in any state', async () => {
      const first = await start({ key: 'k1' });
      expect(first).toMatchObject({ joined: false });
      expect(await start({ key: 'k1' })).toMatchObject({ joined: true, reused: false, run: { id: first.run.id } });
      await b.service.cancel(b.owner, first.run.id);
      expect(await start({ key: 'k1' })).toMatchObject({ joined: true, run: { id: first.run.id, state: 'failed' } });
      expect((await start()).run.id).not.toBe(first.run.id);
    });

    it('is refused if the key was used with another request', async () => {
      await start({ key: 'k1' });
      for (const other of [start({ key: 'k1' }, 2), start({ key: 'k1', overwrite: true })])
        await expect(other).rejects.toMatchObject({ code: 'key_reused' });
      expect((await b.stores.runs.list({ limit: 10, offset: 0 })).total).toBe(1);
    });

    it('starts a new run if another owner used the same key', async () => {
      const first = await start({ key: 'k1' });
      const other = await start({ key: 'k1' }, 2, principal(2));
      expect(other.run.id).not.toBe(first.run.id);
    });

    it('does not resolve the places of the request again, because these places may have changed', async () => {
      const first = await start({ key: 'k1' });
      pipeline = { ...pipeline, resolve: () => Promise.reject(new Error('the place is gone')) };
      expect((await start({ key: 'k1' })).run.id).toBe(first.run.id);
      await expect(start({ key: 'k2' })).rejects.toThrow('the place is gone');
    });

    it('gets the stored result that the first request with the key got, also if the inputs have changed', async () => {
      const before = await computed();
      expect(await start({ key: 'k1' })).toMatchObject({ reused: true, run: { id: before.id } });
      present = async () => 'scenes a, b, c';
      expect(await start({ key: 'k1' })).toMatchObject({ joined: true, run: { id: before.id } });
    });

    it('starts one run for many concurrent requests', async () => {
      const all = await Promise.all(Array.from({ length: 6 }, () => start({ key: 'k1', overwrite: true })));
      expect(new Set(all.map(({ run }) => run.id)).size).toBe(1);
    });
  });
});
