import { describe, expect, it } from 'vitest';
import { createManualTime } from '@headwater/core/testing';
import { createMemoryStores } from './stores.ts';

describe('createMemoryStores', () => {
  it('copies the values that it stores and returns', async () => {
    const { runs } = createMemoryStores();
    const params = { list: [1] };
    const given = { id: 'r1', pipeline: 'p', params, fingerprint: 'f', ownerId: 1 };
    const { run } = await runs.enqueue(given);
    params.list.push(2);
    (run.params['list'] as number[]).push(3);
    expect((await runs.get('r1'))?.params).toEqual({ list: [1] });
    const event = await runs.appendEvent('r1', { kind: 'log', data: { list: [1] } });
    (event.data['list'] as number[]).push(2);
    expect((await runs.events('r1', 0, 10)).at(-1)?.data).toEqual({ list: [1] });
  });

  it('uses the clock of its options for all times', async () => {
    const time = createManualTime(new Date('2026-03-04T05:06:07.890Z'));
    const { runs } = createMemoryStores({ clock: time });
    const { run } = await runs.enqueue({ id: 'r1', pipeline: 'p', params: {}, fingerprint: 'f', ownerId: 1 });
    expect(run.createdAt).toBe('2026-03-04T05:06:07.890Z');
    const claim = { workerId: 'w', leaseMs: 1000, pipelines: ['p'], maxAttempts: 3 };
    expect((await runs.claim(claim))?.leaseUntil).toBe('2026-03-04T05:06:08.890Z');
    await time.advance(999);
    expect(await runs.claim(claim)).toBeUndefined();
    await time.advance(1);
    expect(await runs.claim(claim)).toMatchObject({ attempt: 2, token: 2 });
  });

  it('limits the number of stored failed sign-ins, and removes the oldest of them first', async () => {
    const { throttle } = createMemoryStores();
    await throttle.fail('first', 1000);
    for (let index = 0; index < 5000; index += 1) await throttle.fail('often', 2000);
    for (let index = 0; index < 100_000; index += 1) await throttle.fail(`name${index}`, 3000);
    const count = async (key: string): Promise<number> => (await throttle.failures(key, 0)).count;
    expect([await count('first'), await count('often'), await count('name0')]).toEqual([0, 0, 1]);
    await throttle.fail('last', 3000);
    expect([await count('name0'), await count('name1'), await count('last')]).toEqual([0, 1, 1]);
  });
});
