import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DomainError } from '../errors.ts';
import type { Run } from '../ports/runs.ts';
import { bench, deliverable, type Bench } from './bench.fixture.ts';

const outage = (): DomainError => new DomainError('unavailable', 'https://scenes.example.org answered HTTP 503.');

describe('a run whose sources do not respond', () => {
  let b: Bench;
  beforeEach(() => {
    b = bench();
  });
  afterEach(() => b.stopAll());
  const state = async (id: string): Promise<Run> => (await b.stores.runs.get(id))!;
  const lines = async (id: string): Promise<readonly string[]> =>
    (await b.service.log(b.owner, id, { afterSeq: 0, limit: 100 })).map(({ message }) => message);

  it('is retried after a pause, logs the retry, and publishes the result of the second attempt', async () => {
    b.worker({ retryMs: 60_000 }).start();
    const id = await b.start(1);
    (await b.step()).fail(outage());
    await b.time.advance(59_000);
    expect(await state(id)).toMatchObject({ state: 'running', attempt: 1, error: null });
    expect((await lines(id)).at(-1)).toMatch(/^Attempt 1 of 3 ended: .*HTTP 503\. .*retried in 60 s/);
    expect(b.assets.attempts()).toEqual([]);
    expect(b.begun()).toBe(1);
    await b.time.advance(2000);
    const second = await b.step();
    expect(second.context.run).toMatchObject({ attempt: 2, token: 2 });
    second.finish(deliverable(['a']));
    await b.time.advance(0);
    expect(await state(id)).toMatchObject({ state: 'success', attempt: 2 });
  });

  it('fails with the original reason after its last attempt; each pause is longer than the previous one', async () => {
    b.worker({ retryMs: 60_000 }).start();
    const id = await b.start(1);
    (await b.step()).fail(outage());
    await b.time.advance(61_000);
    (await b.step()).fail(outage());
    await b.time.advance(61_000);
    expect(b.begun()).toBe(2);
    await b.time.advance(60_000);
    (await b.step()).fail(outage());
    await b.time.advance(600_000);
    expect(b.begun()).toBe(3);
    expect(await state(id)).toMatchObject({ state: 'failed', attempt: 3, error: { code: 'unavailable' } });
  });

  it('fails after its first attempt if the name of a host stayed unknown', async () => {
    b.worker({ retryMs: 60_000 }).start();
    const id = await b.start(1);
    const details = { isUnresolved: true };
    (await b.step()).fail(new DomainError('unavailable', 'scenes.example.org is not known.', { details }));
    await b.time.advance(0);
    expect(await state(id)).toMatchObject({ state: 'failed', attempt: 1, error: { code: 'unavailable' } });
  });

  it('ends as cancelled when a cancel is requested during the pause', async () => {
    b.worker({ retryMs: 60_000 }).start();
    const id = await b.start(1);
    (await b.step()).fail(outage());
    await b.time.advance(1000);
    await b.service.cancel(b.owner, id);
    await b.time.advance(62_000);
    expect(await state(id)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    expect(b.begun()).toBe(1);
  });

  it.each([
    ['by this process', (id: string) => b.service.cancel(b.owner, id)],
    ['by another process', (id: string) => b.stores.runs.requestCancel(id)],
  ])('ends immediately when it is cancelled %s during the pause', async (_by, cancel) => {
    b.worker({ retryMs: 60_000 }).start();
    const id = await b.start(1);
    (await b.step()).fail(outage());
    await b.time.advance(1000);
    await cancel(id);
    expect(await state(id)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
  });

  it('does not block other runs during the pause before its next attempt', async () => {
    b.worker({ retryMs: 60_000 }).start();
    const first = await b.start(1);
    (await b.step()).fail(outage());
    await b.time.advance(0);
    const second = await b.start(2);
    (await b.step()).finish(deliverable(['b']));
    await b.time.advance(0);
    expect((await state(second)).state).toBe('success');
    expect((await state(first)).state).toBe('running');
  });
});
