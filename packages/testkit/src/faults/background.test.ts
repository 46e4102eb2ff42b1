import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { STORE_FAULTS } from './play-faults.ts';
import type { Fault } from './faulty-stores.ts';
import { countLeft, type LeftCounter } from './left.fixture.ts';
import { createMemoryWorld } from './memory-world.fixture.ts';
import { callKind } from './store-calls.ts';

// All limiters are made by this function: `countLeft` reads its results.
vi.mock('../../../core/src/timing/keyed-limiter.ts', { spy: true });

// What is done after an answer, or by a worker while a request waits, meets a store that rejects once.

let left: LeftCounter;

beforeEach(() => {
  left = countLeft();
});
afterEach(() => left.end());

const [lost, ended] = STORE_FAULTS;

describe('a run that a request waits for', () => {
  it.each(['compute_lulc_for_tehsil', 'exportAsset'])('of %s goes on, whatever call rejects', async (id) => {
    const world = await createMemoryWorld();
    world.service.start();
    const request = world.waiting.find(({ row }) => row.id === id);
    if (request === undefined || lost === undefined || ended === undefined) throw new Error('fixture: nothing to ask');
    const problems: string[] = [];
    const clean = await world.send(request);
    for (const name of new Set(clean.watch.calls.map((call) => call.name))) {
      const before: readonly Fault[] = [lost, ended].map((make) => ({ name, nth: 0, when: 'before', error: make() }));
      const isRead = callKind(...splitName(name)) === 'read';
      for (const fault of isRead ? before : [...before, { name, nth: 0, when: 'after', error: lost() } as const]) {
        await world.reset();
        const { answer } = await world.send(request, fault);
        const again = await world.send(request);
        const statuses = [answer?.status, again.answer?.status].join(' ');
        if (!/^(200|503) 200$/.test(statuses)) problems.push(`${name} ${fault.when} ${fault.error.code}: ${statuses}`);
      }
    }
    expect(problems).toEqual([]);
    await world.close();
    const now = left.count(world);
    expect(Object.keys(now).filter((what) => now[what] !== 0)).toEqual([]);
  });
});

describe('uses of API keys', () => {
  it.each(['apiKeys.noteUses', 'apiKeys.usesOn', 'apiKeys.removeOld'])(
    'are counted after the answer: where %s rejects, the service closes all the same',
    async (name) => {
      const world = await createMemoryWorld({ apiKeyRequestsPerDay: 1000 });
      const request = world.requests.find(({ row }) => row.id === 'getActiveLocations');
      if (request === undefined || lost === undefined) throw new Error('fixture: nothing to ask');
      // The first answer reads how often the key was used; the write and what follows it come with the end.
      const statuses = [(await world.send(request)).answer?.status];
      const watch = world.faulty.watch({ name, nth: 0, when: 'before', error: lost() });
      await world.close();
      expect({ statuses, isReached: watch.isReached, unhandled: left.unhandled }).toEqual({
        statuses: [200],
        isReached: true,
        unhandled: [],
      });
    },
  );
});

function splitName(name: string): [store: string, method: string] {
  const [store = '', method = ''] = name.split('.');
  return [store, method];
}
