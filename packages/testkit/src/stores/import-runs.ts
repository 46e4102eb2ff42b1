import type { Run } from '@headwater/core';
import type { RunStore } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { abandoned, claimed, deliverable, newRun, worker } from './sample.ts';

const YEAR = 365 * 86_400_000;
/** Options of polling. The tests poll, because the clock of the store decides when a lease ends. */
const SOON = { interval: 2, timeout: 30_000 };

const pipelineOf = (id: string): string => `import_layer:1:${id}`;

async function enqueued(runs: RunStore, id: string): Promise<void> {
  await runs.enqueue(newRun(id, { pipeline: pipelineOf(id) }));
}

async function importing(runs: RunStore, id: string, leaseMs: number): Promise<Run> {
  await enqueued(runs, id);
  return await claimed(runs, { ...worker(`import ${id}`, leaseMs), pipelines: [pipelineOf(id)] });
}

/** Test cases of import runs. No worker claims these runs, even after the death of the importing process. */
export function importRunCases(get: Get): void {
  describe('an import whose process died', () => {
    it('fails, and its attempt is no longer listed; imports of live processes and runs of workers continue', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('computing'));
      await claimed(runs, worker('w1', 1));
      await runs.enqueue(newRun('waiting'));
      const live = await importing(runs, 'live', 60_000);
      const dead = await importing(runs, 'dead', 1);
      await expect.poll(() => runs.endAbandonedImports(YEAR), SOON).toBe(1);
      expect(await runs.get('dead')).toMatchObject({
        state: 'failed',
        leaseUntil: null,
        error: { code: 'unavailable', message: expect.stringContaining('Import the file again.') },
      });
      expect((await runs.events('dead', 0, 9)).at(-1)).toMatchObject({ kind: 'state', data: { state: 'failed' } });
      expect(await runs.publish('dead', dead.token, deliverable())).toBe('lost');
      expect((await runs.liveAttempts()).map(({ id }) => id).sort()).toEqual(['computing', 'live']);
      expect(await runs.get('waiting')).toMatchObject({ state: 'queued' });
      expect(await runs.endAbandonedImports(YEAR)).toBe(0);
      expect(await runs.publish('live', live.token, deliverable())).toBe('ok');
    });

    it('fails if the process died before it claimed its run, and can be repeated', async () => {
      const { runs } = get();
      await enqueued(runs, 'queued');
      await runs.enqueue(newRun('waiting'));
      expect(await runs.endAbandonedImports(YEAR)).toBe(0);
      expect(await runs.endAbandonedImports(0)).toBe(1);
      expect(await runs.get('queued')).toMatchObject({ state: 'failed', error: { code: 'unavailable' } });
      expect(await runs.get('waiting')).toMatchObject({ state: 'queued' });
      const again = newRun('again', { pipeline: pipelineOf('queued'), fingerprint: 'fingerprint of queued' });
      expect((await runs.enqueue(again)).joined).toBe(false);
    });

    it('does not count towards the limit of runs of its owner', async () => {
      const { runs } = get();
      await importing(runs, 'dead', 1);
      await enqueued(runs, 'queued');
      expect((await runs.enqueue(newRun('r1'), { mostOpen: 1 })).joined).toBe(false);
      await expect(runs.enqueue(newRun('r2'), { mostOpen: 1 })).rejects.toMatchObject({ code: 'throttled' });
    });
  });

  it('a run whose lease has expired can be cancelled immediately', async () => {
    const { runs } = get();
    const { token } = await abandoned(runs, 'r1');
    await importing(runs, 'dead', 1);
    for (const id of ['r1', 'dead'])
      await expect
        .poll(() => runs.requestCancel(id), SOON)
        .toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    expect(await runs.heartbeat('r1', token, { leaseMs: 1000 })).toBe('lost');
  });
}
