import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';

const LIMITS = { mostOpen: 3, mostEnded: 9, keepMs: 60_000 };
const job = (id: string) => ({ id, op: 'export', params: { region: [75, 23, 76, 24], note: 'a\0b \ud800' } });
const OK = { ok: true, result: { status: 'success', note: '\0' } } as const;

/** Test cases of jobs whose results an orchestrator posts. */
export function jobCases(get: Get): void {
  describe('jobs', () => {
    it('are unfinished until their result is posted, and store any text in their parameters', async () => {
      const { jobs } = get();
      await jobs.add(job('j1'), LIMITS);
      const stored = await jobs.get('j1');
      expect(stored).toMatchObject({ ...job('j1'), outcome: null, finishedAt: null });
      expect(Date.parse(stored?.createdAt ?? '')).not.toBeNaN();
      expect(await jobs.finish('j1', OK)).toBe('stored');
      expect(await jobs.get('j1')).toMatchObject({ outcome: OK, finishedAt: expect.any(String) });
    });

    it('accept only one result, even if several are posted at the same time', async () => {
      const { jobs } = get();
      await jobs.add(job('j1'), LIMITS);
      const failures = ['a', 'b', 'c', 'd'].map((error) => jobs.finish('j1', { ok: false, error }));
      const outcomes = await Promise.all(failures);
      expect(outcomes.toSorted()).toEqual(['finished', 'finished', 'finished', 'stored']);
      const stored = await jobs.get('j1');
      expect(await jobs.finish('j1', OK)).toBe('finished');
      expect(await jobs.get('j1')).toEqual(stored);
    });

    it('have no result and accept none if their id is unknown', async () => {
      const { jobs } = get();
      for (const id of ['j9', 'a\0b', '\ud800']) {
        expect(await jobs.get(id)).toBeUndefined();
        expect(await jobs.finish(id, OK)).toBe('unknown');
      }
    });

    it('are refused above the limit of unfinished jobs, also if they are added at the same time', async () => {
      const { jobs } = get();
      const additions = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => jobs.add(job(id), LIMITS));
      const outcomes = await Promise.allSettled(additions);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      await expect(jobs.add(job('g'), LIMITS)).rejects.toMatchObject({
        code: 'throttled',
        details: { retryAfterSeconds: expect.any(Number) },
      });
      expect(await jobs.get('g')).toBeUndefined();
      const [first] = ['a', 'b', 'c', 'd', 'e', 'f'].filter((_, at) => outcomes[at]?.status === 'fulfilled');
      await jobs.finish(first ?? '', OK);
      await jobs.add(job('g'), LIMITS);
      expect(await jobs.get('g')).toMatchObject({ outcome: null });
    });

    it('are removed above the limit of ended jobs, beginning with the job that ended first', async () => {
      const { jobs } = get();
      for (const id of ['a', 'b', 'open', 'c']) {
        await jobs.add(job(id), LIMITS);
        if (id !== 'open') await jobs.finish(id, OK);
        const { createdAt } = (await jobs.get(id)) ?? {};
        await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(createdAt ?? '') + 2);
      }
      await jobs.add(job('next'), { ...LIMITS, mostEnded: 2 });
      const left = await Promise.all(['a', 'b', 'open', 'c', 'next'].map(async (id) => (await jobs.get(id))?.id));
      expect(left).toEqual([undefined, 'b', 'open', 'c', 'next']);
    });

    it('are removed above the limit of bytes, beginning with the job that ended first, but never the job that has just ended', async () => {
      const { jobs } = get();
      // Random text, because a store could compress other text.
      const result = (kb: number) => ({ ok: true, result: { note: randomBytes(kb * 512).toString('hex') } }) as const;
      const left = async () => {
        const found = await Promise.all(['a', 'b', 'c', 'd', 'open', 'other'].map((id) => jobs.get(id)));
        return found.flatMap((each) => each?.id ?? []);
      };
      for (const id of ['a', 'b', 'c', 'd', 'open']) await jobs.add(job(id), { ...LIMITS, mostOpen: 9 });
      await jobs.add({ ...job('other'), op: 'workflow' }, LIMITS);
      await jobs.finish('other', result(90));
      for (const id of ['a', 'b', 'c']) {
        expect(await jobs.finish(id, result(40), 100_000)).toBe('stored');
        const { finishedAt } = (await jobs.get(id)) ?? {};
        await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(finishedAt ?? '') + 2);
      }
      expect(await left()).toEqual(['b', 'c', 'd', 'open', 'other']);
      expect(await jobs.finish('d', result(200), 100_000)).toBe('stored');
      expect(await left()).toEqual(['d', 'open', 'other']);
    });

    it('are limited by kind: jobs of one kind do not count towards the limits of another kind', async () => {
      const { jobs } = get();
      const narrow = { ...LIMITS, mostOpen: 1, mostEnded: 0 };
      await jobs.add(job('ended'), narrow);
      await jobs.finish('ended', OK);
      await jobs.add({ ...job('w1'), op: 'workflow' }, narrow);
      await expect(jobs.add({ ...job('w2'), op: 'workflow' }, narrow)).rejects.toThrow(
        /^1 job of the kind "workflow" is unfinished, which is the maximum/,
      );
      expect(await jobs.get('ended')).toMatchObject({ outcome: OK });
      await jobs.add(job('e1'), narrow);
      expect(await jobs.get('ended')).toBeUndefined();
    });

    it('can have a separate limit for jobs with equal parameters, also if they are added at the same time', async () => {
      const { jobs } = get();
      const limits = { ...LIMITS, mostOpen: 9, mostAlike: 2 };
      const of = (id: string, caller: string) => ({ id, op: 'workflow', params: { caller } });
      const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => jobs.add(of(id, 'one'), limits)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      await expect(jobs.add(of('e', 'one'), limits)).rejects.toMatchObject({
        code: 'throttled',
        message: expect.stringMatching(/^2 jobs of the kind "workflow" are unfinished for this caller/),
      });
      await jobs.add(of('f', 'other'), limits);
      const [first] = ['a', 'b', 'c', 'd'].filter((_, at) => outcomes[at]?.status === 'fulfilled');
      await jobs.finish(first ?? '', OK);
      await jobs.add(of('e', 'one'), limits);
      expect((await jobs.open()).map(({ id }) => id)).toContain('e');
    });

    it('are listed while they are unfinished, with the oldest first', async () => {
      const { jobs } = get();
      expect(await jobs.open()).toEqual([]);
      for (const id of ['z', 'ended', 'a']) {
        await jobs.add({ ...job(id), op: id === 'a' ? 'workflow' : 'export' }, LIMITS);
        const { createdAt } = (await jobs.get(id)) ?? {};
        await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(createdAt ?? '') + 2);
      }
      await jobs.finish('ended', OK);
      const createdAt: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
      expect(await jobs.open()).toEqual([
        { id: 'z', op: 'export', createdAt },
        { id: 'a', op: 'workflow', createdAt },
      ]);
    });

    it('can get another id while they are unfinished, unless another job has that id', async () => {
      const { jobs } = get();
      for (const id of ['a', 'b', 'ended']) await jobs.add(job(id), LIMITS);
      await jobs.finish('ended', OK);
      await jobs.rename('a', 'manual__2026-01-01T00:00:00+00:00');
      expect([await jobs.get('a'), await jobs.get('manual__2026-01-01T00:00:00+00:00')]).toMatchObject([
        undefined,
        { op: 'export', params: job('a').params, outcome: null },
      ]);
      await jobs.rename('b', 'ended');
      await jobs.rename('ended', 'later');
      await jobs.rename('unknown', 'later');
      expect([(await jobs.get('b'))?.id, (await jobs.get('ended'))?.outcome, await jobs.get('later')]).toEqual([
        'b',
        OK,
        undefined,
      ]);
    });

    it('are removed after their maximum age when the next job is added', async () => {
      const { jobs } = get();
      await jobs.add(job('old'), LIMITS);
      const { createdAt } = (await jobs.get('old')) ?? {};
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(createdAt ?? '') + 2);
      await jobs.add(job('new'), { ...LIMITS, keepMs: 1 });
      expect([await jobs.get('old'), (await jobs.get('new'))?.id]).toEqual([undefined, 'new']);
    });
  });
}
