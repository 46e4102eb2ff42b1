import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, deliverable, newRun } from './sample.ts';

/** Test cases of the event log of a run. */
export function runEventCases(get: Get): void {
  describe('events', () => {
    it('are numbered from 1 per run, and read in order, in pages', async () => {
      const { runs } = get();
      for (const id of ['r1', 'r2']) await runs.enqueue(newRun(id));
      const start = (await runs.events('r1', 0, 100)).length;
      const written = [];
      for (const line of ['one', 'two', 'three'])
        written.push(await runs.appendEvent('r1', { kind: 'log', data: { line } }));
      await runs.appendEvent('r2', { kind: 'log', data: { line: 'elsewhere' } });
      expect(written.map(({ seq }) => seq)).toEqual([start + 1, start + 2, start + 3]);
      expect(written[0]).toMatchObject({ runId: 'r1', kind: 'log', data: { line: 'one' } });
      const all = await runs.events('r1', 0, 100);
      expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
      expect(all.slice(-3)).toEqual(written);
      expect(await runs.events('r1', start, 2)).toEqual(written.slice(0, 2));
      expect(await runs.events('r1', start + 3, 100)).toEqual([]);
      expect(await runs.events('unknown', 0, 100)).toEqual([]);
    });

    it('get different numbers without gaps if they are written at the same time', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => runs.appendEvent('r1', { kind: 'progress', data: { n } })),
      );
      const seqs = (await runs.events('r1', 0, 100)).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      expect(seqs.length).toBeGreaterThanOrEqual(20);
    });

    it('record every change of state', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      const first = await claimed(runs);
      await runs.release('r1', first.token);
      const second = await claimed(runs);
      await runs.publish('r1', second.token, deliverable());
      const states = (await runs.events('r1', 0, 100))
        .filter(({ kind }) => kind === 'state')
        .map(({ data }) => data['state']);
      expect(states).toEqual(['queued', 'running', 'queued', 'running', 'success']);
    });

    it('record the end of a run that was cancelled in the queue', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      await runs.requestCancel('r1');
      expect((await runs.events('r1', 0, 100)).at(-1)).toMatchObject({ kind: 'state', data: { state: 'failed' } });
    });

    it('are refused for an unknown run', async () => {
      const { runs } = get();
      await expect(runs.appendEvent('unknown', { kind: 'log', data: {} })).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  });
}
