import { describe, expect, it } from 'vitest';
import { DomainError } from '../errors.ts';
import { memoryPlaces } from '../memory/places.ts';
import { createManualTime } from '../testing/manual-time.ts';
import { retrying, retryingPlaces } from './retry.ts';

const away = new DomainError('unavailable', 'away');

describe('retrying', () => {
  it('waits 100 ms, then twice as long each time, at most 5 s, until the store answers', async () => {
    const time = createManualTime();
    const start = time.now().getTime();
    const at: number[] = [];
    const work = retrying(
      async () => {
        at.push(time.now().getTime() - start);
        if (at.length < 9) throw away;
        return 'done';
      },
      { timers: time, signal: new AbortController().signal },
    );
    await time.advance(60_000);
    expect(await work).toBe('done');
    expect(at).toEqual([0, 100, 300, 700, 1500, 3100, 6300, 11_300, 16_300]);
  });

  it.each([
    [new DomainError('conflict', 'no'), 1],
    [new Error('who knows'), 5],
    [new DomainError('took_too_long', 'the store ended it'), 5],
  ])('gives up on %s after %d tries', async (failure, expected) => {
    const time = createManualTime();
    let tries = 0;
    const work = retrying(
      () => {
        tries += 1;
        return Promise.reject(failure);
      },
      { timers: time, signal: new AbortController().signal },
    );
    const [outcome] = await Promise.all([Promise.allSettled([work]), time.advance(60_000)]);
    expect(outcome).toEqual([{ status: 'rejected', reason: failure }]);
    expect(tries).toBe(expected);
  });

  it('does not retry after its signal has aborted', async () => {
    const time = createManualTime();
    const stop = new AbortController();
    const reported: unknown[] = [];
    const work = retrying(() => Promise.reject(away), {
      timers: time,
      signal: stop.signal,
      onRetry: (error) => reported.push(error),
    });
    const outcome = work.catch((thrown: unknown) => thrown);
    await time.advance(50);
    stop.abort();
    expect(await outcome).toBe(away);
    expect(reported).toEqual([away]);
  });
});

describe('retryingPlaces', () => {
  function awayAtFirst() {
    const calls: Record<string, number> = {};
    const store = new Proxy(memoryPlaces().store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return () => {
          calls[String(name)] = (calls[String(name)] ?? 0) + 1;
          return calls[String(name)] === 1 ? Promise.reject(away) : Promise.resolve();
        };
      },
    });
    return { store, calls };
  }

  it('retries each read and no write', async () => {
    const { store, calls } = awayAtFirst();
    const time = createManualTime();
    const places = retryingPlaces(store, { timers: time, signal: new AbortController().signal });
    const names = Object.keys(memoryPlaces().store);
    const results = names.map(async (name) => await Reflect.apply(Reflect.get(places, name), undefined, []));
    await Promise.all([Promise.allSettled(results), time.advance(1000)]);
    const repeated = names.filter((name) => calls[name] === 2);
    const once = names.filter((name) => calls[name] === 1);
    // A new method of the store needs an entry in one of these lists. A retried write could take effect twice.
    expect(once.toSorted()).toEqual(['removeTehsil', 'saveBundle', 'saveChanges', 'seedDatasets', 'setActive']);
    expect(repeated.toSorted()).toEqual([
      'datasets',
      'districts',
      'findDistrict',
      'findState',
      'findTehsil',
      'importedTehsils',
      'mwsOf',
      'namesOf',
      'namesakesOf',
      'placeOfTehsil',
      'states',
      'tehsilUnits',
      'tehsils',
      'tehsilsWithin',
      'villagesOf',
    ]);
  });
});
