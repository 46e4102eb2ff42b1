import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { abandoned, claimed, claimedLater, newRun, worker } from './sample.ts';

/** Test cases of heartbeats for many runs in one call, and of the progress of running runs. */
export function runHeartbeatCases(get: Get): void {
  describe('many heartbeats in one step', () => {
    it('renew the leases that the worker still holds, and return an outcome for each run', async () => {
      const { runs } = get();
      const stale = await abandoned(runs, 'taken over');
      const next = await claimedLater(runs, worker('w2'));
      const claims = [];
      for (const id of ['a', 'b', 'c']) {
        await runs.enqueue(newRun(id));
        claims.push(await claimed(runs, worker('w1', 1000)));
      }
      const [a, b, c] = claims.map(({ id, token }) => ({ id, token }));
      if (a === undefined || b === undefined || c === undefined) throw new Error('three runs were claimed');
      await runs.requestCancel('b');
      await runs.fail('c', c.token, { code: 'internal', message: 'broke' });
      await runs.enqueue(newRun('queued'));
      const before = Date.now();
      const beats = [
        { id: 'taken over', token: stale.token },
        { ...a, progress: 0.5, step: 'half\0way' },
        b,
        c,
        { id: 'queued', token: 0 },
        { id: 'unknown', token: 1 },
        { id: 'taken over', token: 2 ** 40 },
      ];
      expect(await runs.heartbeats(beats, 3_600_000)).toEqual([
        'lost',
        'ok',
        'cancelled',
        'lost',
        'lost',
        'lost',
        'lost',
      ]);
      expect(await runs.get('a')).toMatchObject({ progress: 0.5, step: expect.stringMatching(/^half.*way$/) });
      for (const id of ['a', 'b'])
        expect(Date.parse((await runs.get(id))?.leaseUntil ?? '')).toBeGreaterThan(before + 3_000_000);
      expect(await runs.heartbeats([a, { id: 'taken over', token: next.token }], 60_000)).toEqual(['ok', 'ok']);
      expect(await runs.get('a')).toMatchObject({ progress: 0.5 });
      expect(await runs.heartbeats([], 60_000)).toEqual([]);
    });

    it('cause no deadlock with cancellations of the same runs', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('parent'));
      const parent = await claimed(runs);
      const children = [];
      for (let at = 0; at < 10; at++) {
        await runs.enqueue(newRun(`child ${at}`, { parentId: 'parent' }));
        children.push(await claimed(runs));
      }
      const beats = [...children.toReversed(), parent].map(({ id, token }) => ({ id, token }));
      const all = Array.from({ length: 20 }, (_, at) =>
        at % 4 === 3 ? runs.requestCancel('parent') : runs.heartbeats(beats, 60_000),
      );
      await Promise.all(all);
      expect(new Set(await runs.heartbeats(beats, 60_000))).toEqual(new Set(['cancelled']));
    });
  });

  it('returns the progress of running runs by fingerprint', async () => {
    const { runs } = get();
    await runs.enqueue(newRun('ended', { fingerprint: 'one' }));
    const ended = await claimed(runs);
    await runs.fail('ended', ended.token, { code: 'internal', message: 'broke' });
    await runs.enqueue(newRun('now', { fingerprint: 'one' }));
    const now = await claimed(runs);
    await runs.heartbeat('now', now.token, { leaseMs: 60_000, progress: 0.25, step: 'composites' });
    await runs.enqueue(newRun('stopping', { fingerprint: 'two' }));
    await claimed(runs);
    await runs.requestCancel('stopping');
    await runs.enqueue(newRun('queued', { fingerprint: 'three' }));
    expect(await runs.progressOf(['one', 'two', 'three', 'four'])).toEqual([
      { fingerprint: 'one', progress: 0.25, step: 'composites' },
    ]);
    expect(await runs.progressOf([])).toEqual([]);
  });
}
