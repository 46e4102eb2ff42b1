import { buildOperations } from '@headwater/http-service';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isLong } from '../../../../scripts/test-length.mjs';
import { SAMPLE_PIPELINES } from '../http/fixture/sample-service.ts';
import { ALLOWED } from './allowed.fixture.ts';
import { countLeaks, type LeakCounter } from './leaks.fixture.ts';
import { createMemoryWorld, type MemoryWorld } from './memory-world.fixture.ts';
import { FaultTester } from './fault-tester.ts';
import { WITHOUT_STORE } from './requests.fixture.ts';

// The spy lets `countLeaks` read every limiter of the service.
vi.mock('../../../core/src/timing/keyed-limiter.ts', { spy: true });

/**
 * In each request, one store call fails. The response must be 503 or correct, and either all writes or none must be
 * stored.
 */
describe('a store that rejects once', () => {
  let leaks: LeakCounter;
  let world: MemoryWorld;
  let tester: FaultTester;

  beforeAll(async () => {
    leaks = countLeaks();
    world = await createMemoryWorld();
    tester = new FaultTester({
      world,
      coldWorld: () => createMemoryWorld(),
      count: leaks.count,
      allowed: ALLOWED,
      isThorough: isLong,
    });
  });
  afterAll(async () => {
    await world.close();
    leaks.end();
  });

  it.each(buildOperations(SAMPLE_PIPELINES).map(({ id }) => id))('%s', async (id) => {
    const requests = world.requests.filter(({ row }) => row.id === id);
    expect({ id, isTested: requests.length > 0 || WITHOUT_STORE.has(id) }).toEqual({ id, isTested: true });
    const problems: string[] = [];
    for (const request of requests) problems.push(...(await tester.test(request)));
    expect(problems).toEqual([]);
  });

  it('causes each symptom in ALLOWED at least once', () => {
    expect(Object.keys(ALLOWED).filter((key) => !tester.used.has(key))).toEqual([]);
  });
});
