import type { FakeDag } from '@headwater/orchestrator-client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

/** What the backend tells health. */
async function told(options: Parameters<Bench['server']>[0] = {}, dag: Partial<FakeDag> = {}): Promise<string> {
  world = bench({ dags: [{ ...CALLS_BACK, ...dag }] });
  return (await world.server(options).probe?.()) ?? '';
}

describe('the health of an orchestrator', () => {
  it('tells version, scheduler and workflow', async () => {
    expect(await told()).toMatch(/^version \d.*, scheduler healthy, workflow headwater$/);
  });

  it.each<[string, Parameters<typeof told>, RegExp]>([
    ['a wrong password', [{ orchestrator: { credentials: { username: 'admin', password: 'no' } } }, {}], /password/],
    ['an unknown workflow', [{ dagId: 'nothing' }, {}], /nothing/],
    ['a file that cannot be imported', [{}, { importError: 'SyntaxError' }], /cannot be imported/],
    ['a file that has gone', [{}, { isActive: false }], /has gone/],
    ['a pause that stays', [{ orchestrator: { unpause: 'error' } }, { isPaused: true }], /is paused/],
    ['a pause that nobody looks at', [{ orchestrator: { unpause: 'never' } }, { isPaused: true }], /is paused/],
  ])('is red with %s', async (_name, [options, dag], message) => {
    await expect(told(options, dag)).rejects.toThrow(message);
  });

  it('is green with a pause that the first run ends', async () => {
    expect(await told({}, { isPaused: true })).toMatch(/workflow headwater$/);
  });

  it('is red where nothing answers', async () => {
    world = bench();
    world.fake.fault = () => ({ kind: 'reset' });
    await expect(world.server().probe?.()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('is red at the first question that nothing answers, and green as soon as one is answered', async () => {
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
  ])('is red in time where it is silent, %s its version was told', async (_name, probes) => {
    world = bench();
    const server = world.server({ probeMs: 30, orchestrator: { requestTimeoutMs: 60_000 } });
    for (let i = 0; i < probes; i++) await server.probe?.();
    world.fake.fault = () => ({ kind: 'hang' });
    await expect(server.probe?.()).rejects.toThrow(/no answer within 0.03 s/);
  });
});
