import { describe, expect, it } from 'vitest';
import { bench, DAG } from '../bench.test-helper.ts';
import { rejects } from '../conformance/bench.test-helper.ts';
import type { Fault } from '../testing/index.ts';

describe('a wait with a deadline', () => {
  it.each<[string, Fault]>([
    ['requests pauses', { kind: 'status', status: 503, headers: { 'retry-after': '120' } }],
    ['is down behind a proxy that responds with 404', { kind: 'status', status: 404, body: '404 page not found' }],
    ['breaks connections', { kind: 'reset' }],
    ['responds after minutes', { kind: 'delay', ms: 600_000 }],
  ])('ends at the deadline if the orchestrator %s', async (_name, fault) => {
    const { fake, client, clock } = bench(
      {},
      { requestTimeoutMs: 10_000, fetch: (input, init) => fake.fetch(input, init) },
    );
    const run = await client.trigger(DAG.id, { job_id: '1' });
    fake.fault = () => fault;
    const began = clock.now();
    await rejects(run.wait({ deadline: new Date(began + 10_000) }), 'deadline');
    expect(clock.now() - began).toBe(10_000);
  });

  it('returns a run that ends shortly before the deadline', async () => {
    const { fake, client, clock } = bench({}, { poll: { minMs: 5000, maxMs: 5000 } });
    const run = await client.trigger(DAG.id, { job_id: '1' });
    const deadline = new Date(clock.now() + 14_000);
    void clock
      .sleep(12_000)
      .then(() => fake.runsOf(DAG.id).forEach((started) => fake.world.setState(started, 'success')));
    expect((await run.wait({ deadline })).state).toBe('success');
  });

  it('reports a failed run even without time to read its tasks', async () => {
    const { fake, client, clock } = bench();
    const run = await client.trigger(DAG.id, { job_id: '1' });
    for (const started of fake.runsOf(DAG.id)) fake.world.setState(started, 'failed');
    const busy: Fault = { kind: 'status', status: 503, headers: { 'retry-after': '120' } };
    fake.fault = ({ path }) => (path.includes('taskInstances') ? busy : undefined);
    const began = clock.now();
    const { details } = await rejects(run.wait({ deadline: new Date(began + 10_000) }), 'run_failed');
    expect(details.reason).toMatch(/deadline of the wait passed/);
    expect(clock.now() - began).toBe(10_000);
  });

  it('reports the state of a run if the deadline interrupts its diagnosis', async () => {
    const { fake, client, clock } = bench({}, { stalledAfterMs: 0 });
    const run = await client.trigger(DAG.id, { job_id: '1' });
    const busy: Fault = { kind: 'status', status: 503, headers: { 'retry-after': '120' } };
    fake.fault = ({ path }) => (path.endsWith('health') ? busy : undefined);
    const { details } = await rejects(run.wait({ deadline: new Date(clock.now() + 10_000) }), 'deadline');
    expect(details.state).toBe('queued');
  });

  it('also ends at a signal, and rejects an invalid deadline', async () => {
    const { client, clock } = bench();
    const run = await client.trigger(DAG.id, { job_id: '1' });
    const stop = new AbortController();
    const waiting = run.wait({ deadline: new Date(clock.now() + 3_600_000), signal: stop.signal });
    void clock.sleep(20_000).then(() => stop.abort());
    await rejects(waiting, 'aborted');
    await rejects(run.wait({ deadline: new Date(Number.NaN) }), 'invalid_request');
  });
});
