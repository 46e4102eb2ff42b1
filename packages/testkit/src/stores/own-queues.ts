import type { Adoption, RunStore } from '@headwater/core/ports';
import { ownQueue } from '@headwater/core/runs';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, deliverable, newRun, worker } from './sample.ts';

const OWN = ownQueue('0123');
/** Options of polling. The tests poll, because the clock of the store decides when a lease ends. */
const SOON = { interval: 2, timeout: 30_000 };
const by = (rest: Partial<Adoption> = {}): Adoption => ({ queue: 'nrm', pipelines: ['lulc'], silentMs: 0, ...rest });

/** Test cases of the queue of a single process. Other workers take over the runs of a dead process. */
export function ownQueueCases(get: Get): void {
  const queueOf = async (id: string): Promise<string | undefined> => (await get().runs.get(id))?.queue;
  const claimedFrom = (runs: RunStore, queue: string, leaseMs = 60_000) =>
    claimed(runs, { ...worker('own', leaseMs), queue });

  describe('a process with its own queue', () => {
    it('that has died loses its run, and the runs that wait for this run, to workers of another queue', async () => {
      const { runs } = get();
      const needed = newRun('needed', { queue: OWN, parentId: 'waiting' });
      await runs.enqueue(newRun('waiting', { queue: OWN, after: ['needed'], awaits: ['a layer'] }), {
        dependencies: [needed],
      });
      const claimedRun = await claimedFrom(runs, OWN, 1);
      expect(await runs.claim({ ...worker('w2'), queue: 'nrm' })).toBeUndefined();
      await expect.poll(() => runs.adoptAbandoned(by()), SOON).toBe(2);
      const taken = await claimed(runs, { ...worker('w2'), queue: 'nrm' });
      expect(taken).toMatchObject({ id: 'needed', attempt: 2 });
      expect(await runs.publish('needed', claimedRun.token, deliverable())).toBe('lost');
      expect(await runs.publish('needed', taken.token, deliverable())).toBe('ok');
      expect(await claimedFrom(runs, 'nrm')).toMatchObject({ id: 'waiting', attempt: 1 });
      expect(await runs.adoptAbandoned(by())).toBe(0);
    });

    it('does not count as dead while it holds a run, or shortly after it stored or ended a run', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('held', { queue: OWN }));
      await runs.enqueue(newRun('waiting', { queue: OWN }));
      const { token } = await claimedFrom(runs, OWN);
      await new Promise((settle) => setTimeout(settle, 5));
      expect(await runs.adoptAbandoned(by())).toBe(0);
      await runs.publish('held', token, deliverable());
      expect(await runs.adoptAbandoned(by({ silentMs: 3_600_000 }))).toBe(0);
      expect(await queueOf('waiting')).toBe(OWN);
      await expect.poll(() => runs.adoptAbandoned(by()), SOON).toBe(1);
      expect([await queueOf('held'), await queueOf('waiting')]).toEqual([OWN, 'nrm']);
    });

    it('keeps a run whose pipeline the other workers do not have; runs of other queues and of an orchestrator stay in their queues', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('own', { queue: OWN }));
      await runs.enqueue(newRun('water', { queue: 'water' }));
      await runs.enqueue(newRun('away', { queue: OWN, backend: 'orchestrator' }));
      await new Promise((settle) => setTimeout(settle, 5));
      expect(await runs.adoptAbandoned(by({ pipelines: ['another'] }))).toBe(0);
      expect(await runs.adoptAbandoned(by({ queue: 'fast' }))).toBe(1);
      const ids = ['own', 'water', 'away'];
      expect(await Promise.all(ids.map(queueOf))).toEqual(['fast', 'water', OWN]);
    });
  });
}
