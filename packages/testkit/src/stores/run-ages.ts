import type { Run } from '@headwater/core';
import type { RunStore } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, deliverable, newRun } from './sample.ts';

const YEAR = 365 * 86_400_000;

/** Test cases of removing old runs and events. An age of 1 ms includes ended runs; a year does not. */
export function runAgeCases(get: Get): void {
  const publish = async (id: string, names: readonly string[]): Promise<Run> => {
    const { runs } = get();
    await runs.enqueue(newRun(id), { key: { ownerId: 1, key: `key of ${id}`, request: 'same' } });
    const run = await claimed(runs);
    await runs.appendEvent(id, { kind: 'log', data: { message: 'a line' } });
    await runs.appendEvent(id, { kind: 'progress', data: { progress: 1 } });
    await runs.publish(id, run.token, deliverable(names, id));
    return run;
  };
  const kinds = async (id: string): Promise<readonly string[]> =>
    (await get().runs.events(id, 0, 100)).map(({ kind }) => kind);
  /** Calls `removeOld` repeatedly, because runs reach the age limit one after the other. */
  const expectRemoved = async (
    wanted: { readonly events: number; readonly runs: number },
    ages: Partial<Parameters<RunStore['removeOld']>[0]>,
  ) => {
    const { runs } = get();
    const total = { events: 0, runs: 0 };
    const removeStep = async () => {
      const { isMore, ...step } = await runs.removeOld({ eventsMs: 0, runsMs: 0, most: 100, ...ages });
      total.events += step.events;
      total.runs += step.runs;
      return { ...total, isMore };
    };
    await expect.poll(removeStep, { interval: 3 }).toEqual({ ...wanted, isMore: false });
    expect(await removeStep()).toEqual({ ...wanted, isMore: false });
  };

  describe('old runs', () => {
    it('lose their progress and log events, but not their state changes', async () => {
      await publish('r1', ['lulc_2020']);
      await get().runs.enqueue(newRun('r2'));
      const { token } = await claimed(get().runs);
      await get().runs.appendEvent('r2', { kind: 'log', data: { message: 'still at work' } });
      expect(await get().runs.removeOld({ eventsMs: YEAR, runsMs: YEAR, most: 100 })).toEqual({
        events: 0,
        runs: 0,
        isMore: false,
      });
      await expectRemoved({ events: 2, runs: 0 }, { eventsMs: 1 });
      expect(await kinds('r1')).toEqual(['state', 'state', 'state']);
      expect(await kinds('r2')).toEqual(['state', 'state', 'log']);
      expect(await get().runs.fail('r2', token, { code: 'internal', message: 'x' })).toBe('ok');
    });

    it('are removed, except runs that have current Items', async () => {
      const { runs, catalog } = get();
      await publish('replaced', ['lulc_2020']);
      await publish('shown', ['lulc_2020']);
      await runs.enqueue(newRun('failed'));
      await runs.fail('failed', (await claimed(runs)).token, { code: 'internal', message: 'broke' });
      await runs.enqueue(newRun('waiting'));
      // Removes nothing, but marks the result of `replaced` as replaced; the age of the run counts from then.
      await runs.removeOld({ eventsMs: 0, runsMs: YEAR, most: 1 });
      await expectRemoved({ events: 0, runs: 2 }, { runsMs: 1 });
      const left = await runs.list({ limit: 10, offset: 0 });
      expect(left.runs.map(({ id }) => id)).toEqual(['waiting', 'shown']);
      expect([await runs.get('replaced'), await kinds('replaced')]).toEqual([undefined, []]);
      expect(await catalog.itemsOfRun('replaced')).toEqual([]);
      expect(await runs.keyedRun({ ownerId: 1, key: 'key of replaced', request: 'same' })).toBeUndefined();
      expect((await catalog.itemsOfRun('shown')).map(({ version }) => version)).toEqual([2]);
      expect((await runs.keyedRun({ ownerId: 1, key: 'key of shown', request: 'same' }))?.id).toBe('shown');
    });

    it('are not removed before the run that requested them', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('area'));
      await runs.enqueue(newRun('part', { parentId: 'area' }));
      await runs.enqueue(newRun('needed', { parentId: 'part' }));
      await runs.enqueue(newRun('alone'));
      await runs.enqueue(newRun('orphan', { parentId: 'gone' }));
      for (const id of ['needed', 'part', 'alone', 'orphan']) await runs.requestCancel(id);
      await expectRemoved({ events: 0, runs: 2 }, { runsMs: 1 });
      const left = async (): Promise<readonly string[]> =>
        (await runs.list({ limit: 10, offset: 0 })).runs.map(({ id }) => id).sort();
      expect(await left()).toEqual(['area', 'needed', 'part']);
      await runs.requestCancel('area');
      await expectRemoved({ events: 0, runs: 3 }, { runsMs: 1 });
      expect(await left()).toEqual([]);
    });

    it('are removed in several steps', async () => {
      const { runs } = get();
      for (const id of ['a', 'b', 'c', 'd', 'e']) {
        await runs.enqueue(newRun(id));
        await runs.requestCancel(id);
      }
      await expectRemoved({ events: 0, runs: 5 }, { runsMs: 1, most: 2 });
    });
  });
}
