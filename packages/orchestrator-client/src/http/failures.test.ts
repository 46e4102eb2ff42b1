import { describe, expect, it } from 'vitest';
import { BAD_GATEWAY, bench, DAG, fail } from '../bench.test-helper.ts';
import { rejects } from '../conformance/bench.test-helper.ts';

describe('failures of requests', () => {
  it('are retried for a GET with growing pauses that respect Retry-After', async () => {
    const { fake, client, clock } = bench({}, { random: () => 0 });
    await client.version();
    const began = clock.now();
    fail(fake, { method: 'GET', path: /dags/ }, [
      BAD_GATEWAY,
      { kind: 'status', status: 429, headers: { 'retry-after': '30' } },
      { kind: 'reset' },
    ]);
    await client.dag(DAG.id);
    expect(clock.now() - began).toBe(250 + 30_000 + 1000);
  });

  it("are retried after the date in Retry-After, which is compared with the response's own date", async () => {
    const { fake, client, clock } = bench({ skewMs: 3_600_000 }, { random: () => 0 });
    await client.version();
    const began = clock.now();
    const until = new Date(fake.world.now() + 7000).toUTCString();
    fail(fake, { method: 'GET', path: /dags/ }, [{ kind: 'status', status: 503, headers: { 'retry-after': until } }]);
    await client.dag(DAG.id);
    expect(clock.now() - began).toBe(7000);
  });

  it.each([503, 520])(
    'are retried for status %i after the date in Retry-After; without a date of the response, our clock is used',
    async (status) => {
      const { fake, client, clock } = bench({}, { random: () => 0 });
      await client.version();
      const began = clock.now();
      const until = new Date(began + 20_000).toUTCString();
      const headers = { date: '', 'retry-after': until };
      fail(fake, { method: 'GET', path: /dags/ }, [{ kind: 'status', status, headers }]);
      await client.dag(DAG.id);
      expect(clock.now() - began).toBe(20_000);
    },
  );

  it.each([
    ['server_error', BAD_GATEWAY, /502[^]*The orchestrator failed[^]*502 Bad Gateway/i],
    ['unreachable', { kind: 'reset' }, /cannot be reached \(read ECONNRESET\)/],
    ['timeout', { kind: 'hang' }, /no response within/],
    [
      'not_json',
      {
        kind: 'status',
        status: 200,
        body: '<html><title>Sign in</title></html>',
        headers: { 'content-type': 'text/html' },
      },
      /HTML page[^]*base address[^]*Sign in/,
    ],
    [
      'not_json',
      { kind: 'status', status: 200, body: '{"dag":', headers: { 'content-type': 'application/json' } },
      /not JSON/,
    ],
    [
      'not_json',
      { kind: 'status', status: 200, body: '{"dag":1}', headers: { 'content-type': 'application/json' } },
      /JSON that does not match the interface/,
    ],
    [
      'rejected',
      { kind: 'status', status: 422, body: '{"detail":[{"loc":["body","logical_date"],"msg":"Field required"}]}' },
      /body\.logical_date: Field required/,
    ],
  ] as const)('are reported as %s with a remedy', async (code, fault, message) => {
    const { fake, client } = bench();
    await client.version();
    fake.fault = () => fault;
    expect((await rejects(client.dag(DAG.id), code)).message).toMatch(message);
  });

  it('are not cached if they occur at the first connection, so the next call connects again', async () => {
    const { fake, client } = bench();
    fake.fault = () => ({ kind: 'reset' });
    await rejects(client.version(), 'unreachable');
    fake.fault = () => undefined;
    expect(await client.version()).toBe('2.10.3');
  });

  it('do not end a wait if the outage lasts at most ten minutes', async () => {
    const { fake, client, clock } = bench();
    const run = await client.trigger(DAG.id, { job_id: '1' });
    const [started] = fake.runsOf(DAG.id);
    const outageEnd = clock.now() + 9 * 60_000;
    fake.fault = () => (clock.now() < outageEnd ? { kind: 'reset' } : undefined);
    if (started !== undefined) fake.world.setState(started, 'success');
    expect((await run.wait()).state).toBe('success');
    const second = await client.trigger(DAG.id, { job_id: '2' });
    fake.fault = () => BAD_GATEWAY;
    await rejects(second.wait(), 'server_error');
  });
});
