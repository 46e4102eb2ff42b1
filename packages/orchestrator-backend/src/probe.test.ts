import type { FakeDag } from '@headwater/orchestrator-client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

async function health(options: Parameters<Bench['server']>[0] = {}, dag: Partial<FakeDag> = {}): Promise<string> {
  world = bench({ dags: [{ ...CALLS_BACK, ...dag }] });
  return (await world.server(options).probe?.()) ?? '';
}

describe('the health of an orchestrator', () => {
  it('names version, scheduler and workflow', async () => {
    expect(await health()).toMatch(/^version \d.*, scheduler healthy, workflow headwater$/);
  });

  it.each<[string, Parameters<typeof health>, RegExp]>([
    ['a wrong password', [{ orchestrator: { credentials: { username: 'admin', password: 'no' } } }, {}], /password/],
    ['an unknown workflow', [{ dagId: 'nothing' }, {}], /nothing/],
    ['a file that cannot be imported', [{}, { importError: 'SyntaxError' }], /cannot be imported/],
    ['a missing file', [{}, { isActive: false }], /is missing/],
    [
      'a paused workflow that cannot be unpaused',
      [{ orchestrator: { unpause: 'error' } }, { isPaused: true }],
      /is paused/,
    ],
    [
      'a paused workflow that triggers do not unpause',
      [{ orchestrator: { unpause: 'never' } }, { isPaused: true }],
      /is paused/,
    ],
  ])('is red with %s', async (_name, [options, dag], message) => {
    await expect(health(options, dag)).rejects.toThrow(message);
  });

  it('is green with a paused workflow that the first run unpauses', async () => {
    expect(await health({}, { isPaused: true })).toMatch(/workflow headwater$/);
  });

  it('is red if the orchestrator does not respond', async () => {
    world = bench();
    world.fake.fault = () => ({ kind: 'reset' });
    await expect(world.server().probe?.()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('is red after a request without a response, and green after the next response', async () => {
    world = bench();
    const server = world.server();
    await server.probe?.();
    const before = world.fake.requests.length;
    world.fake.fault = () => ({ kind: 'reset' });
    await expect(server.probe?.()).rejects.toMatchObject({ code: 'unreachable' });
    expect(world.fake.requests.length - before).toBe(1);
    world.fake.fault = () => undefined;
    expect(await server.probe?.()).toMatch(/workflow headwater$/);
  });

  it.each([
    ['before', 0],
    ['after', 1],
  ])(
    'is red within the timeout if the orchestrator stops responding %s its version was read',
    async (_name, probes) => {
      world = bench();
      const server = world.server({ probeMs: 30, orchestrator: { requestTimeoutMs: 60_000 } });
      for (let i = 0; i < probes; i++) await server.probe?.();
      world.fake.fault = () => ({ kind: 'hang' });
      await expect(server.probe?.()).rejects.toThrow(/no response within 0.03 s/);
    },
  );
});
