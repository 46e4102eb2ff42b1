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
});
