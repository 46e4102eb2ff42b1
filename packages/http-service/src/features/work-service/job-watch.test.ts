import { type Clock, DomainError, type Logger, SILENT, type Timers } from '@headwater/core';
import type { Workflow } from '@headwater/core/runs';
import { createManualTime, type ManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '@headwater/identity/memory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJobWatch, type JobWatch } from './job-watch.ts';
import { WORKFLOW_OP } from './workflow-slots.ts';

const LIMITS = { mostOpen: 1000, mostEnded: 1000, keepMs: 7 * 86_400_000 };
const LOOK_MS = 4000;
const notThere = (): never => {
  throw new DomainError('not_found', 'There is no such run.');
};

describe('the watch over runs of jobs', () => {
  let time: ManualTime;
  let jobs: ReturnType<typeof createMemoryStores>['jobs'];
  let watch: JobWatch | undefined;
  /** Reasons why runs ended, by job. All other runs continue. */
  let ends: Map<string, string>;
  let checked: string[];
  let logged: string[];
  beforeEach(() => {
    time = createManualTime();
    ({ jobs } = createMemoryStores({ clock: time }));
    [ends, checked, logged] = [new Map(), [], []];
  });
  afterEach(() => watch?.close());

  const add = (id: string, op = 'export') => jobs.add({ id, op, params: {} }, LIMITS);
  const start = (
    options: { readonly ended?: (id: string) => string | undefined; readonly workflow?: Workflow } = {},
  ) => {
    const ended = options.ended ?? ((id: string) => ends.get(id));
    const logger: Logger = { ...SILENT, error: (_fields, message) => void logged.push(message) };
    const trigger = {
      trigger: async () => {},
      ended: async (id: string) => {
        checked.push(id);
        return ended(id);
      },
    };
    const parts: { clock: Clock; timers: Timers } = { clock: time, timers: time };
    watch = createJobWatch({ jobs, trigger, workflow: options.workflow, lookMs: LOOK_MS, ...parts, logger });
    watch.start();
    watch.start();
  };

  it('at its next check, finishes jobs whose runs have ended, and does not check them again', async () => {
    await Promise.all(['a', 'b'].map((id) => add(id)));
    start();
    ends.set('a', 'the task failed');
    await time.advance(LOOK_MS - 1);
    expect([checked, (await jobs.get('a'))?.outcome]).toEqual([[], null]);
    await time.advance(1);
    expect((await jobs.get('a'))?.outcome).toEqual({ ok: false, error: 'the task failed' });
    await time.advance(LOOK_MS);
    expect([checked, (await jobs.get('b'))?.outcome]).toEqual([['a', 'b', 'b'], null]);
  });

  it('checks ten runs in each pass; three passes check all 25 open runs', async () => {
    const ids = Array.from({ length: 25 }, (_, at) => `job ${String(at).padStart(2, '0')}`);
    for (const id of ids) await add(id);
    start();
    await time.advance(LOOK_MS);
    expect(checked).toEqual(ids.slice(0, 10));
    await time.advance(2 * LOOK_MS);
    expect([checked.length, new Set(checked).size]).toEqual([30, 25]);
  });

  it('ends the job of a missing run only when the trigger of the run can no longer be retried', async () => {
    await add('lost');
    start({ ended: notThere });
    await time.advance(5 * 60_000);
    expect((await jobs.get('lost'))?.outcome).toBeNull();
    await time.advance(LOOK_MS);
    expect((await jobs.get('lost'))?.outcome).toEqual({
      ok: false,
      error: expect.stringMatching(/has no run of this job/),
    });
  });

  it('ends a job that has no result after a day, also if its run seems to continue or the orchestrator does not answer', async () => {
    await Promise.all(['continues', 'away'].map((id) => add(id)));
    await add('slot', WORKFLOW_OP);
    await time.advance(24 * 3_600_000 - LOOK_MS);
    start({
      ended: (id) => {
        if (id === 'away') throw new DomainError('upstream_timeout', 'No answer.');
        return undefined;
      },
    });
    await time.advance(LOOK_MS);
    expect(await jobs.open()).toHaveLength(3);
    await time.advance(LOOK_MS);
    for (const id of ['continues', 'away'])
      expect((await jobs.get(id))?.outcome).toEqual({
        ok: false,
        error: expect.stringMatching(/no result within 24 hours/),
      });
    expect((await jobs.open()).map(({ id }) => id)).toEqual(['slot']);
  });

  it('continues while the orchestrator does not answer, logs this failure once, and still checks the other jobs', async () => {
    await Promise.all(['away', 'b'].map((id) => add(id)));
    start({
      ended: (id) => {
        if (id === 'away') throw new DomainError('upstream_timeout', 'No answer.');
        return 'it failed';
      },
    });
    await time.advance(3 * LOOK_MS);
    expect((await jobs.get('b'))?.outcome).toMatchObject({ error: 'it failed' });
    expect([(await jobs.get('away'))?.outcome, logged.length]).toEqual([null, 1]);
  });

  it('frees the slots of workflow runs that have ended at the orchestrator', async () => {
    await Promise.all(['queued', 'running', 'success', 'failed'].map((id) => add(id, WORKFLOW_OP)));
    const states = new Map<string, 'queued' | 'running' | 'success' | 'failed'>(
      (['queued', 'running', 'success', 'failed'] as const).map((state) => [state, state]),
    );
    const status = async (dagRunId: string) => ({ dagRunId, state: states.get(dagRunId) ?? notThere() });
    // For a slot, the watch must read only the state of the run.
    const nothing = () => Promise.reject(new Error('neither run nor failure may be called'));
    start({ workflow: { run: nothing, status, failure: nothing } });
    await time.advance(LOOK_MS);
    expect((await jobs.open()).map(({ id }) => id)).toEqual(['queued', 'running']);
    expect(checked).toEqual([]);
  });

  it('cuts a long reason, and stops when it is closed', async () => {
    await add('a');
    start();
    ends.set('a', 'x'.repeat(10_000));
    await time.advance(LOOK_MS);
    expect((await jobs.get('a'))?.outcome).toEqual({ ok: false, error: 'x'.repeat(4000) });
    await watch?.close();
    await add('b');
    await time.advance(10 * LOOK_MS);
    expect(checked).toEqual(['a']);
  });
});
