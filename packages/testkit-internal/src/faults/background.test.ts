import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { STORE_FAULTS } from './fault-tester.ts';
import type { Fault } from './faulty-stores.ts';
import { countLeaks, type LeakCounter } from './leaks.fixture.ts';
import { createMemoryWorld } from './memory-world.fixture.ts';
import { callKind } from './store-calls.ts';

// The spy lets `countLeaks` read every limiter of the service.
vi.mock('../../../core/src/timing/keyed-limiter.ts', { spy: true });

// In each case, a single store call rejects once: a call of a request or of the worker that computes its run, or a
// call after a response.

let leaks: LeakCounter;

beforeEach(() => {
  leaks = countLeaks();
});
afterEach(() => leaks.end());

const [lost, ended] = STORE_FAULTS;

describe('a run that a request waits for', () => {
  it.each(['compute_lulc_for_tehsil', 'exportAsset'])(
    'of %s: if one store call rejects, the request returns 200 or 503, and the repeated request 200',
    async (id) => {
      const world = await createMemoryWorld();
      await world.service.start();
      const request = world.waiting.find(({ row }) => row.id === id);
      if (request === undefined || lost === undefined || ended === undefined)
        throw new Error('fixture: no request for this row');
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
          if (!/^(200|503) 200$/.test(statuses))
            problems.push(`${name} ${fault.when} ${fault.error.code}: ${statuses}`);
        }
      }
      expect(problems).toEqual([]);
      await world.close();
      const now = leaks.count(world);
      expect(Object.keys(now).filter((what) => now[what] !== 0)).toEqual([]);
    },
  );
});

describe('uses of API keys', () => {
  it.each(['apiKeys.noteUses', 'apiKeys.usesOn', 'apiKeys.removeOld'])(
    'are counted after the response; the service closes even if %s rejects',
    async (name) => {
      const world = await createMemoryWorld({ limits: { apiKeyRequestsPerDay: 1000 } });
      const request = world.requests.find(({ row }) => row.id === 'getActiveLocations');
      if (request === undefined || lost === undefined) throw new Error('fixture: no request for this row');
      const statuses = [(await world.send(request)).answer?.status];
      const watch = world.faulty.watch({ name, nth: 0, when: 'before', error: lost() });
      await world.close();
      expect({ statuses, isReached: watch.isReached, unhandled: leaks.unhandled }).toEqual({
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
