import { afterEach, assert, beforeEach, describe, expect, it } from 'vitest';
import type { NewRun, Run } from '../ports/runs.ts';
import { sha256 } from '../sha256.ts';
import { type Bench, bench, CLAIM, deliverable } from './bench.fixture.ts';
import { type Callbacks, computedFor, createCallbacks, isTokenOf } from './callbacks.ts';
import { newRunId } from './run-id.ts';

const TOKEN = 'f'.repeat(64);
const NEEDED = { pipeline: 'test', params: { n: 6 }, fingerprint: 'needed', ownerId: null } as const;
const WATCHER = { ...CLAIM, backend: 'orchestrator' } as const;

describe('callbacks of an orchestrator', () => {
  let b: Bench;
  let callbacks: Callbacks;
  let job: Run;
  const stop = new AbortController();
  const ask = (runToken = TOKEN, jobId = job.id) => callbacks.begin({ jobId, runToken });
  const children = async () => (await b.stores.runs.list({ parentId: job.id, limit: 9, offset: 0 })).runs;
  beforeEach(async () => {
    b = bench();
    const { runs } = b.stores;
    callbacks = createCallbacks({ runs, waitFor: b.service.waitFor, now: () => b.time.now() });
    const id = newRunId(b.time.now());
    const newRun: NewRun = { id, pipeline: 'test', params: { n: 7 }, fingerprint: 'f', ownerId: null, queue: 'water' };
    await runs.enqueue({ ...newRun, backend: 'orchestrator' });
    const claimed = await runs.claim(WATCHER);
    assert(claimed !== undefined);
    await runs.dispatch(id, claimed.token, { dagId: 'd', runTokenHash: await sha256(TOKEN) });
    job = (await runs.get(id)) ?? claimed;
  });
  afterEach(() => b.stopAll());

  it('make a local worker compute the run only once, also if they are repeated', async () => {
    const computing = await Promise.all([ask(), ask(), ask()]);
    expect(new Set(computing.map((run) => run?.id)).size).toBe(1);
    expect(computing[0]).toMatchObject({
      backend: 'local',
      pipeline: 'test',
      params: { n: 7 },
      parentId: job.id,
      ownerId: null,
      queue: 'water',
    });
    b.worker({ queue: 'water' }).start();
    const waiting = callbacks.execute({ jobId: job.id, runToken: TOKEN, signal: stop.signal });
    (await b.step()).finish(deliverable(['a']));
    await b.time.advance(0);
    expect(await waiting).toMatchObject({ id: computing[0]?.id, state: 'success', itemIds: ['a'] });
    expect(await ask()).toMatchObject({ id: computing[0]?.id, state: 'success' });
    expect(await children()).toHaveLength(1);
    expect(await b.stores.runs.get(job.id)).toMatchObject({ state: 'running' });
  });

  it('start another run if the first run failed, because the orchestrator retries', async () => {
    const first = await ask();
    const claimed = await b.stores.runs.claim(CLAIM);
    await b.stores.runs.fail(first?.id ?? '', claimed?.token ?? 0, { code: 'no_scenes', message: 'too few' });
    const second = await Promise.all([ask(), ask()]);
    expect(second[0]?.id).toBe(second[1]?.id);
    expect(second[0]?.id).not.toBe(first?.id);
    expect(await children()).toHaveLength(2);
  });

  it('do not return a run that computes only inputs of the orchestrated run', async () => {
    const { runs } = b.stores;
    const needed: NewRun = { ...NEEDED, id: newRunId(b.time.now()), parentId: job.id };
    await runs.enqueue({ ...needed, backend: 'orchestrator' });
    const claimed = await runs.claim(WATCHER);
    assert(claimed?.id === needed.id);
    await runs.publish(needed.id, claimed.token, deliverable(['land-cover']));
    const computing = await ask();
    expect(computing).toMatchObject({ backend: 'local', state: 'queued', params: { n: 7 } });
    expect((await computedFor({ runs }, job.id)).map(({ id }) => id)).toEqual([computing?.id]);
  });

  it('are refused with a forged token, or for a run that is unknown, local, ended or being cancelled', async () => {
    expect(await ask('e'.repeat(64))).toBeUndefined();
    expect(await ask('')).toBeUndefined();
    expect(await ask(job.runTokenHash ?? '')).toBeUndefined();
    expect(await ask(TOKEN, newRunId(new Date(0)))).toBeUndefined();
    expect(await ask(TOKEN, "' or 1=1 --")).toBeUndefined();
    const local = await b.start(1);
    expect(await ask(TOKEN, local)).toBeUndefined();
    const other = await b.stores.runs.enqueue({
      ...job,
      id: newRunId(new Date(1)),
      fingerprint: 'g',
      parentId: '',
      requestId: '',
    });
    expect(await ask(TOKEN, other.run.id)).toBeUndefined();
    await b.stores.runs.requestCancel(job.id);
    expect(await ask()).toBeUndefined();
    await b.stores.runs.fail(job.id, job.token, { code: 'cancelled', message: 'stopped' });
    expect(await ask()).toBeUndefined();
    expect(await children()).toHaveLength(0);
  });

  it('start runs that are cancelled together with the orchestrated run', async () => {
    const computing = await ask();
    await b.stores.runs.requestCancel(job.id);
    expect(await b.stores.runs.get(computing?.id ?? '')).toMatchObject({
      state: 'failed',
      error: { code: 'cancelled' },
    });
  });

  it('compare tokens by their digest', async () => {
    expect(await isTokenOf(TOKEN, await sha256(TOKEN))).toBe(true);
    expect(await isTokenOf(TOKEN, (await sha256(TOKEN)).slice(1))).toBe(false);
    expect(await isTokenOf(`${TOKEN}x`, await sha256(TOKEN))).toBe(false);
  });
});
