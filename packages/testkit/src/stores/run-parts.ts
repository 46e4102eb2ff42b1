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

/** Test cases of the parts of a run. */
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

    it('show the states of their runs; only the holder of the fencing token of the parent stores which run computes a part', async () => {
      const { runs } = get();
      const { token } = await begin();
      await runs.enqueue(newRun('part', { parentId: 'scope' }));
      expect(await runs.setPart('scope', token + 1, { position: 1, result: RESULT })).toBe('lost');
      expect(await runs.setPart('scope', token, { position: 3, result: RESULT })).toBe('lost');
      expect(await runs.setPart('scope', token, { position: 1, result: RESULT })).toBe('ok');
      expect(await runs.setPart('scope', token, { position: 2, result: { failure: FAILURE } })).toBe('ok');
      const before = { parentId: 'scope', state: 'queued', progress: 0, step: null, error: null, isBegun: false };
      expect(await shown(({ run }) => run)).toEqual([
        null,
        { ...before, begunAt: null, startedAt: null, finishedAt: null },
        null,
      ]);
      expect(await shown(({ failure }) => failure)).toEqual([null, null, FAILURE]);
      const part = await claimed(runs);
      expect(await shown(({ run }) => run?.isBegun)).toEqual([undefined, true, undefined]);
      await runs.publish('part', part.token, deliverable(['part']));
      expect((await runs.parts('scope'))[1]?.run).toMatchObject({ state: 'success', progress: 1, isBegun: true });
      expect(await runs.setPart('scope', token, { position: 1, result: RESULT })).toBe('lost');
      await runs.requestCancel('scope');
      expect(await runs.setPart('scope', token, { position: 0, result: RESULT })).toBe('cancelled');
      expect((await runs.parts('scope'))[0]?.runId).toBeNull();
    });

    it('count as begun if their run waits for a run that is running', async () => {
      const { runs } = get();
      const { token } = await begin();
      const waiting = newRun('part', { parentId: 'scope', after: ['needed'], awaits: ['a layer'] });
      await runs.enqueue(waiting, { dependencies: [newRun('needed', { parentId: 'part' })] });
      await runs.setPart('scope', token, { position: 0, result: RESULT });
      expect((await runs.parts('scope'))[0]?.run).toMatchObject({ state: 'queued', isBegun: false });
      await claimed(runs);
      const begunAt = (await runs.get('needed'))?.startedAt;
      expect((await runs.parts('scope'))[0]?.run).toMatchObject({ state: 'queued', isBegun: true, begunAt });
    });

    it('do not start while their run is paused; failed parts can be retried until the run ends', async () => {
      const { runs } = get();
      const { token } = await begin();
      await runs.enqueue(newRun('part', { parentId: 'scope' }));
      await runs.setPart('scope', token, { position: 0, result: RESULT });
      await runs.setPart('scope', token, { position: 2, result: { failure: FAILURE } });
      await runs.pauseParts('scope', true);
      expect(await shown(({ isPaused }) => isPaused)).toEqual([true, true, true]);
      const part = await claimed(runs);
      await runs.fail('part', part.token, FAILURE);
      expect(await runs.retryParts('scope')).toBe(2);
      expect(await shown(({ runId, failure, isPaused }) => [runId, failure, isPaused])).toEqual([
        [null, null, true],
        [null, null, true],
        [null, null, true],
      ]);
      expect(await runs.setPart('scope', token, { position: 1, result: RESULT })).toBe('paused');
      expect(await runs.pauseParts('scope', false)).toBe(true);
      expect(await shown(({ isPaused }) => isPaused)).toEqual([false, false, false]);
      await runs.setPart('scope', token, { position: 2, result: { failure: FAILURE } });
      await runs.fail('scope', token, FAILURE);
      expect([await runs.pauseParts('scope', true), await runs.pauseParts('\0', true)]).toEqual([false, false]);
      expect([await runs.retryParts('scope'), await runs.retryParts('unknown'), await runs.retryParts('\0')]).toEqual([
        0, 0, 0,
      ]);
      expect(await shown(({ isPaused }) => isPaused)).toEqual([false, false, false]);
    });

    it('get their run in the transaction that enqueues it, and only with the fencing token of a running parent', async () => {
      const { runs } = get();
      const { token } = await begin();
      const child = (id: string) => newRun(id, { parentId: 'scope' });
      const refused = (id: string, part: { readonly position: number; readonly token: number }, error: object) =>
        expect(runs.enqueue(child(id), { part })).rejects.toMatchObject(error);
      await refused('a', { position: 0, token: token + 1 }, { details: { part: 'lost' } });
      await refused('a', { position: 3, token }, { code: 'conflict', details: { part: 'lost' } });
      await runs.enqueue(child('a'), { part: { position: 0, token } });
      expect(await shown(({ runId }) => runId)).toEqual(['a', null, null]);
      await refused('b', { position: 0, token }, { details: { part: 'lost' } });
      await runs.enqueue(newRun('elsewhere'));
      const joining = newRun('c', { parentId: 'scope', fingerprint: 'fingerprint of elsewhere' });
      expect(await runs.enqueue(joining, { part: { position: 1, token } })).toMatchObject({ joined: true });
      expect((await runs.parts('scope'))[1]?.runId).toBe('elsewhere');
      await runs.pauseParts('scope', true);
      await runs.requestCancel('elsewhere');
      await refused('c', { position: 1, token }, { details: { part: 'paused' } });
      await runs.pauseParts('scope', false);
      await runs.enqueue(child('c'), { part: { position: 1, token } });
      await runs.requestCancel('scope');
      await refused('d', { position: 2, token }, { details: { part: 'cancelled' } });
      await runs.fail('scope', token, FAILURE);
      await refused('d', { position: 2, token }, { details: { part: 'lost' } });
      expect([await runs.get('b'), await runs.get('d')]).toEqual([undefined, undefined]);
    });

    it('must have ended before their run ends, also if one is retried at that moment', async () => {
      const { runs } = get();
      const { token } = await begin();
      const success = { timings: { tehsils: 3 } };
      for (const position of [0, 1]) await runs.setPart('scope', token, { position, result: { failure: FAILURE } });
      expect(await runs.endParts('scope', token, success)).toBe('open');
      await runs.enqueue(newRun('part', { parentId: 'scope' }), { part: { position: 2, token } });
      expect(await runs.endParts('scope', token, { failure: FAILURE })).toBe('open');
      const part = await claimed(runs);
      await runs.publish('part', part.token, deliverable(['part']));
      expect(await runs.retryParts('scope')).toBe(2);
      expect(await runs.endParts('scope', token, { failure: FAILURE })).toBe('open');
      for (const position of [0, 1]) await runs.setPart('scope', token, { position, result: RESULT });
      expect(await runs.endParts('scope', token + 1, success)).toBe('lost');
      expect(await runs.endParts('scope', token, success)).toBe('ok');
      expect(await runs.get('scope')).toMatchObject({ state: 'success', ...success, itemIds: [] });
      expect(await runs.endParts('scope', token, success)).toBe('lost');
    });

    it.each(['release', 'park', 'claim'] as const)('end with their cancelled run, which ends by %s', async (end) => {
      const { runs } = get();
      await runs.enqueue(newRun('scope', { pipeline: 'scope', queue: 'scopes' }), { parts: PARTS });
      const { token } = await claimed(runs, coordinator);
      await runs.requestCancel('scope');
      await runs.enqueue(newRun('part', { parentId: 'scope' }));
      if (end === 'release') await runs.release('scope', token);
      if (end === 'park') await runs.park('scope', token, 1000);
      if (end === 'claim') {
        await runs.heartbeat('scope', token, { leaseMs: 1 });
        const claims = async () => [await runs.claim(coordinator), (await runs.get('scope'))?.state];
        await expect.poll(claims).toEqual([undefined, 'failed']);
      }
      expect(await runs.get('part')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    });

    it('a run with parts is claimed only if `queues` of the claim contains its queue', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('scope', { pipeline: 'scope', queue: 'scopes' }), { parts: PARTS });
      expect(await runs.claim({ ...coordinator, queues: ['others'] })).toBeUndefined();
      expect(await runs.claim({ ...coordinator, queues: [] })).toBeUndefined();
      expect(await runs.claim({ ...coordinator, queues: ['others', 'scopes'] })).toMatchObject({ id: 'scope' });
    });

    it('may have a reused run from the beginning; the state of a removed run is unknown', async () => {
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

    it('a cancellation also ends the runs that were requested by the runs of the parts', async () => {
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
