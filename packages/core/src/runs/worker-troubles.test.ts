import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DomainError } from '../errors.ts';
import type { Run, RunStore } from '../ports/runs.ts';
import { bench, CLAIM, deliverable, type Bench, unavailable } from './bench.fixture.ts';

describe('run worker in trouble', () => {
  let b: Bench;
  beforeEach(() => {
    b = bench();
  });
  afterEach(() => b.stopAll());
  const state = async (id: string): Promise<Run> => (await b.stores.runs.get(id))!;

  describe('a worker that dies or loses its connection', () => {
    async function cutOff() {
      const cut = b.cuttable();
      b.worker({ workerId: 'first' }, cut.runs).start();
      const id = await b.start(1);
      const first = await b.step({ deaf: true });
      cut.cut();
      b.worker({ workerId: 'second' }).start();
      return { id, cut, first };
    }

    it('is replaced when its lease ends; its later writes are ignored', async () => {
      const { id, cut, first } = await cutOff();
      await b.time.advance(29_000);
      expect(b.begun()).toBe(1);
      await b.time.advance(12_000);
      expect(b.begun()).toBe(2);
      const second = await b.step();
      expect(second.context.run).toMatchObject({ attempt: 2, token: 2 });
      cut.mend();
      await b.time.advance(5_000);
      expect(first.context.signal.aborted).toBe(true);
      first.finish(deliverable(['a'], 'first'));
      await b.time.advance(5_000);
      expect(await b.stores.catalog.item('s/d/b', 'a')).toBeUndefined();
      expect((await state(id)).state).toBe('running');
      second.finish(deliverable(['a'], 'second'));
      await b.time.advance(0);
      expect(await b.stores.catalog.item('s/d/b', 'a')).toMatchObject({ version: 1, item: { note: 'second' } });
      expect(b.assets.attempts()).toEqual([`${id}/2`]);
    });

    it('cannot publish after another worker has claimed its run, even if it has not noticed the claim yet', async () => {
      const { id, cut, first } = await cutOff();
      await b.time.advance(41_000);
      (await b.step()).finish(deliverable(['a'], 'second'));
      await b.time.advance(0);
      first.finish(deliverable(['a'], 'first'));
      await b.time.advance(0);
      cut.mend();
      await b.time.advance(10_000);
      expect(await b.stores.catalog.item('s/d/b', 'a')).toMatchObject({ version: 1, item: { note: 'second' } });
      expect((await state(id)).state).toBe('success');
      expect(b.assets.attempts()).toEqual([`${id}/2`]);
    });

    it('leaves no files when the next attempt starts, even if the asset store cannot list folders', async () => {
      const { prune: _none, ...assets } = b.assets;
      const id = await b.start(1);
      await b.stores.runs.claim(CLAIM);
      await b.assets.begin(id, 1);
      await b.time.advance(CLAIM.leaseMs);
      b.worker({}, b.stores.runs, assets).start();
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(0);
      expect(await state(id)).toMatchObject({ state: 'success', token: 2 });
      expect(b.assets.attempts()).toEqual([`${id}/2`]);
    });

    it('is replaced immediately by a worker with the same name, but not by other workers', async () => {
      const id = await b.start(1);
      await b.stores.runs.claim({ ...CLAIM, workerId: 'here' });
      b.worker({ workerId: 'there' }).start();
      await b.time.advance(5_000);
      expect(b.begun()).toBe(0);
      b.worker({ workerId: 'here' }).start();
      const { context, finish } = await b.step();
      expect(context.run).toMatchObject({ attempt: 2, token: 2, workerId: 'here' });
      finish(deliverable(['a']));
      await b.time.advance(0);
      expect((await state(id)).state).toBe('success');
    });

    it('makes its run fail if this happens in each of the three attempts', async () => {
      const id = await b.start(1);
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        expect(await b.stores.runs.claim(CLAIM)).toMatchObject({ id, attempt });
        await b.time.advance(CLAIM.leaseMs);
      }
      b.worker().start();
      await b.time.advance(0);
      expect(b.begun()).toBe(0);
      expect(await state(id)).toMatchObject({ state: 'failed', attempt: 3, error: { code: 'crashed_repeatedly' } });
    });
  });

  describe('a database that does not answer', () => {
    it('during the computation: the run continues, and publishes after the database answers again', async () => {
      const cut = b.cuttable();
      b.worker({}, cut.runs).start();
      const id = await b.start(1);
      const { context, finish } = await b.step();
      cut.cut();
      context.log('logged during the outage');
      await b.time.advance(60_000);
      finish(deliverable(['a']));
      await b.time.advance(60_000);
      expect((await state(id)).state).toBe('running');
      cut.mend();
      await b.time.advance(5_000);
      expect(await state(id)).toMatchObject({ state: 'success', attempt: 1 });
      expect(
        b.log.filter(({ message }) => message.startsWith('the lease of the run could not be renewed')),
      ).toHaveLength(1);
    });

    it('during publication: the lease is extended while publishing is retried', async () => {
      const cut = b.cuttable();
      b.worker({ workerId: 'first' }, { ...b.stores.runs, publish: cut.runs.publish }).start();
      const id = await b.start(1);
      const { finish } = await b.step();
      cut.cut();
      b.worker({ workerId: 'second' }).start();
      finish(deliverable(['a']));
      await b.time.advance(120_000);
      expect([b.begun(), (await state(id)).attempt]).toEqual([1, 1]);
      cut.mend();
      await b.time.advance(5_000);
      expect(await state(id)).toMatchObject({ state: 'success', attempt: 1, workerId: 'first' });
      expect((await b.stores.runs.events(id, 0, 1000)).at(-1)).toMatchObject({ data: { state: 'success' } });
      expect(b.assets.attempts()).toEqual([`${id}/1`]);
    });

    it('during publication: a cancel that reaches the store ends the run', async () => {
      const cut = b.cuttable();
      b.worker({}, { ...b.stores.runs, publish: cut.runs.publish }).start();
      const id = await b.start(1);
      const { finish } = await b.step();
      cut.cut();
      finish(deliverable(['a']));
      await b.time.advance(20_000);
      await b.service.cancel(b.owner, id);
      await b.time.advance(6_000);
      expect(await state(id)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    });

    it('during a read of places: the read waits', async () => {
      b.worker().start();
      const id = await b.start(1);
      const { context, finish, ports } = await b.step();
      b.placesAway(true);
      const reading = ports.places.mwsOf(1);
      await b.time.advance(10_000);
      b.placesAway(false);
      await b.time.advance(5_000);
      expect(await reading).toEqual([]);
      expect(context.signal.aborted).toBe(false);
      finish(deliverable(['a']));
      await b.time.advance(0);
      expect((await state(id)).state).toBe('success');
    });

    it('during publication: the files stay if the response is lost', async () => {
      let answers = 0;
      const runs: RunStore = {
        ...b.stores.runs,
        publish: async (...args) => {
          const outcome = await b.stores.runs.publish(...args);
          answers += 1;
          if (answers === 1) throw unavailable();
          return outcome;
        },
      };
      b.worker({}, runs).start();
      const id = await b.start(1);
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(1000);
      expect(answers).toBe(2);
      expect((await state(id)).state).toBe('success');
      expect(b.assets.attempts()).toEqual([`${id}/1`]);
    });

    it('while a run fails: the failure is stored after the database answers again', async () => {
      const cut = b.cuttable();
      b.worker({}, cut.runs).start();
      const id = await b.start(1);
      const { fail } = await b.step();
      cut.cut();
      fail(new DomainError('no_scenes', 'no scenes'));
      await b.time.advance(7_000);
      cut.mend();
      await b.time.advance(5_000);
      expect((await state(id)).error?.code).toBe('no_scenes');
    });

    it('before a claim: the worker retries', async () => {
      const cut = b.cuttable();
      cut.cut();
      b.worker({}, cut.runs).start();
      const id = await b.start(1);
      await b.time.advance(60_000);
      expect(b.log.filter(({ message }) => message.startsWith('the queue of runs'))).toHaveLength(1);
      cut.mend();
      await b.time.advance(10_000);
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(0);
      expect((await state(id)).state).toBe('success');
    });

    it('during publication, with an unknown error: the number of retries is limited', async () => {
      const runs: RunStore = { ...b.stores.runs, publish: () => Promise.reject(new Error('syntax error')) };
      b.worker({}, runs).start();
      const id = await b.start(1);
      (await b.step()).finish(deliverable(['a']));
      await b.time.advance(20_000);
      expect((await state(id)).error?.code).toBe('internal');
      expect(b.assets.attempts()).toEqual([]);
    });
  });
});
