import type { RunFailure } from '@headwater/core';
import type { RunPart } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, deliverable, newRun, worker } from './sample.ts';

const FAILURE: RunFailure = { code: 'input_data', message: 'The tehsil has no boundary.' };
const RESULT = { runId: 'part', isReused: false };
const PARTS = [
  { tehsilId: 7, work: 12.5 },
  { tehsilId: 3, work: 0.01 },
  { tehsilId: 5, work: 900 },
];
const coordinator = { ...worker('coordinator'), pipelines: ['scope'], queue: undefined };

/** Cases of the parts of a run, which other runs compute. */
export function runPartCases(get: Get): void {
  const begin = async () => {
    const { runs } = get();
    await runs.enqueue(newRun('scope', { pipeline: 'scope', queue: 'scopes' }), { parts: PARTS });
    return await claimed(runs, coordinator);
  };
  const shown = async (member: (part: RunPart) => unknown): Promise<readonly unknown[]> =>
    (await get().runs.parts('scope')).map(member);

  describe('parts of a run', () => {
    it('are stored with the run in their order, and not if the run joins another run', async () => {
      const { runs } = get();
      await begin();
      const none = { runId: null, isReused: false, isPaused: false, failure: null, run: null };
      const expected = PARTS.map((part, position) => ({ ...part, position, ...none }));
      expect(await runs.parts('scope')).toEqual(expected);
      const again = newRun('other', { pipeline: 'scope', fingerprint: 'fingerprint of scope' });
      expect((await runs.enqueue(again, { parts: PARTS })).joined).toBe(true);
      expect([await runs.parts('other'), await runs.parts('unknown'), await runs.parts('\0')]).toEqual([[], [], []]);
    });

    it('show the states of their runs; only the holder of the fencing token stores these runs', async () => {
      const { runs } = get();
      const { token } = await begin();
      await runs.enqueue(newRun('part', { parentId: 'scope' }));
      expect(await runs.setPart('scope', token + 1, { position: 1, result: RESULT })).toBe('lost');
      expect(await runs.setPart('scope', token, { position: 3, result: RESULT })).toBe('lost');
      expect(await runs.setPart('scope', token, { position: 1, result: RESULT })).toBe('ok');
      expect(await runs.setPart('scope', token, { position: 2, result: { failure: FAILURE } })).toBe('ok');
      const before = { parentId: 'scope', state: 'queued', progress: 0, step: null, error: null, isBegun: false };
      expect(await shown(({ run }) => run)).toEqual([null, { ...before, startedAt: null, finishedAt: null }, null]);
      expect(await shown(({ failure }) => failure)).toEqual([null, null, FAILURE]);
      const part = await claimed(runs);
      expect(await shown(({ run }) => run?.isBegun)).toEqual([undefined, true, undefined]);
      await runs.publish('part', part.token, deliverable(['part']));
      expect((await runs.parts('scope'))[1]?.run).toMatchObject({ state: 'success', progress: 1, isBegun: true });
      await runs.requestCancel('scope');
      expect(await runs.setPart('scope', token, { position: 0, result: RESULT })).toBe('cancelled');
    });

    it('of which a needed run is running are begun', async () => {
      const { runs } = get();
      const { token } = await begin();
      const waiting = newRun('part', { parentId: 'scope', after: ['needed'], awaits: ['a layer'] });
      await runs.enqueue(waiting, { dependencies: [newRun('needed', { parentId: 'part' })] });
      await runs.setPart('scope', token, { position: 0, result: RESULT });
      expect((await runs.parts('scope'))[0]?.run).toMatchObject({ state: 'queued', isBegun: false });
      await claimed(runs);
      expect((await runs.parts('scope'))[0]?.run).toMatchObject({ state: 'queued', isBegun: true });
    });

    it('that are not started can be paused; failed parts can be retried until the run ends', async () => {
      const { runs } = get();
      const { token } = await begin();
      await runs.enqueue(newRun('part', { parentId: 'scope' }));
      await runs.setPart('scope', token, { position: 0, result: RESULT });
      await runs.setPart('scope', token, { position: 2, result: { failure: FAILURE } });
      await runs.pauseParts('scope', true);
      expect(await shown(({ isPaused }) => isPaused)).toEqual([false, true, false]);
      const part = await claimed(runs);
      await runs.fail('part', part.token, FAILURE);
      expect(await runs.retryParts('scope')).toBe(2);
      expect(await shown(({ runId, failure, isPaused }) => [runId, failure, isPaused])).toEqual([
        [null, null, false],
        [null, null, true],
        [null, null, false],
      ]);
      await runs.pauseParts('scope', false);
      expect(await shown(({ isPaused }) => isPaused)).toEqual([false, false, false]);
      await runs.setPart('scope', token, { position: 2, result: { failure: FAILURE } });
      await runs.fail('scope', token, FAILURE);
      await runs.pauseParts('scope', true);
      expect([await runs.retryParts('scope'), await runs.retryParts('unknown')]).toEqual([0, 0]);
      expect(await shown(({ isPaused }) => isPaused)).toEqual([false, false, false]);
    });

    it('may have a result from the beginning, and a part whose run was removed has none', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('done'));
      await runs.publish('done', (await claimed(runs)).token, deliverable(['done']));
      const parts = [
        { tehsilId: 1, work: 1, runId: 'done' },
        { tehsilId: 2, work: 1, runId: 'removed' },
      ];
      await runs.enqueue(newRun('scope', { pipeline: 'scope' }), { parts });
      expect(await shown(({ runId, isReused, run }) => [runId, isReused, run?.state])).toEqual([
        ['done', true, 'success'],
        ['removed', true, undefined],
      ]);
    });

    it('a cancel also ends the runs that the runs of the parts requested', async () => {
      const { runs } = get();
      await begin();
      const waiting = newRun('part', { parentId: 'scope', after: ['needed'], awaits: ['a layer'] });
      await runs.enqueue(waiting, { dependencies: [newRun('needed', { parentId: 'part' })] });
      await runs.requestCancel('scope');
      for (const id of ['part', 'needed'])
        expect(await runs.get(id)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    });
  });
}
