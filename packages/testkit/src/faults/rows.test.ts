import { buildOperations } from '@headwater/http-service';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SAMPLE_PIPELINES } from '../http/fixture/sample-service.ts';
import { ALLOWED } from './allowed.fixture.ts';
import { countLeft, type LeftCounter } from './left.fixture.ts';
import { createMemoryWorld, type MemoryWorld } from './memory-world.fixture.ts';
import { FaultPlay } from './play-faults.ts';
import { WITHOUT_STORE } from './requests.fixture.ts';

// All limiters are made by this function: `countLeft` reads its results.
vi.mock('../../../core/src/timing/keyed-limiter.ts', { spy: true });

/**
 * Every call of a store that a request makes rejects once, as the stores over PostgreSQL reject. The answer is 503 or as if nothing had
 * happened, all of the request's writes are done or none, and nothing is left: no listener, no open call, no place of a limiter.
 */
describe('a store that rejects once', () => {
  let left: LeftCounter;
  let world: MemoryWorld;
  let play: FaultPlay;

  beforeAll(async () => {
    left = countLeft();
    world = await createMemoryWorld();
    play = new FaultPlay({ world, coldWorld: () => createMemoryWorld(), count: left.count, allowed: ALLOWED });
  });
  afterAll(async () => {
    await world.close();
    left.end();
  });

  it.each(buildOperations(SAMPLE_PIPELINES).map(({ id }) => id))('%s', async (id) => {
    const requests = world.requests.filter(({ row }) => row.id === id);
    expect({ id, isAsked: requests.length > 0 || WITHOUT_STORE.has(id) }).toEqual({ id, isAsked: true });
    const problems: string[] = [];
    for (const request of requests) problems.push(...(await play.play(request)));
    expect(problems).toEqual([]);
  });

  it('needs each of the reasons that are given', () => {
    expect(Object.keys(ALLOWED).filter((key) => !play.used.has(key))).toEqual([]);
  });
});
