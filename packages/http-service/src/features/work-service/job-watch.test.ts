import { type Clock, DomainError, type Logger, SILENT, type Timers } from '@headwater/core';
import type { Workflow } from '@headwater/core/runs';
import { createManualTime, type ManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '@headwater/identity/memory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJobWatch, type JobWatch } from './job-watch.ts';
import { WORKFLOW_OP } from './workflow-places.ts';

const LIMITS = { mostOpen: 1000, mostEnded: 1000, keepMs: 3_600_000 };
const LOOK_MS = 4000;
const notThere = (): never => {
  throw new DomainError('not_found', 'There is no such run.');
};

describe('the watch over runs of jobs', () => {
  let time: ManualTime;
  let jobs: ReturnType<typeof createMemoryStores>['jobs'];
  let watch: JobWatch | undefined;
  /** What is known of runs; those that are not in it go on. */
  let ends: Map<string, string>;
  let looked: string[];
  let logged: string[];
  beforeEach(() => {
    time = createManualTime();
    ({ jobs } = createMemoryStores({ clock: time }));
    [ends, looked, logged] = [new Map(), [], []];
  });
  afterEach(() => watch?.close());

  const add = (id: string, op = 'export') => jobs.add({ id, op, params: {} }, LIMITS);
  const began = (
    options: { readonly ended?: (id: string) => string | undefined; readonly workflow?: Workflow } = {},
  ) => {
    const ended = options.ended ?? ((id: string) => ends.get(id));
    const logger: Logger = { ...SILENT, error: (_fields, message) => void logged.push(message) };
    const trigger = {
      trigger: async () => {},
      ended: async (id: string) => {
        looked.push(id);
        return ended(id);
      },
    };
    const parts: { clock: Clock; timers: Timers } = { clock: time, timers: time };
    watch = createJobWatch({ jobs, trigger, workflow: options.workflow, lookMs: LOOK_MS, ...parts, logger });
    watch.start();
    watch.start();
  };

  it('ends those whose runs ended, at its next look, and asks no more for them', async () => {
    await Promise.all(['a', 'b'].map((id) => add(id)));
    began();
    ends.set('a', 'the task failed');
    await time.advance(LOOK_MS - 1);
    expect([looked, (await jobs.get('a'))?.outcome]).toEqual([[], null]);
    await time.advance(1);
    expect((await jobs.get('a'))?.outcome).toEqual({ ok: false, error: 'the task failed' });
    await time.advance(LOOK_MS);
    expect([looked, (await jobs.get('b'))?.outcome]).toEqual([['a', 'b', 'b'], null]);
  });

  it('looks at ten runs at a time, each in its turn', async () => {
    const ids = Array.from({ length: 25 }, (_, at) => `job ${String(at).padStart(2, '0')}`);
    for (const id of ids) await add(id);
    began();
    await time.advance(LOOK_MS);
    expect(looked).toEqual(ids.slice(0, 10));
    await time.advance(2 * LOOK_MS);
    expect([looked.length, new Set(looked).size]).toEqual([30, 25]);
  });

  it('takes a run that is not there for one that has ended, once its trigger has had time', async () => {
    await add('lost');
    began({ ended: notThere });
    await time.advance(5 * 60_000);
    expect((await jobs.get('lost'))?.outcome).toBeNull();
    await time.advance(LOOK_MS);
    expect((await jobs.get('lost'))?.outcome).toEqual({
      ok: false,
      error: expect.stringMatching(/knows no run of it/),
    });
  });

  it('goes on while the orchestrator is away, says so once, and lets no silence hold up the others', async () => {
    await Promise.all(['away', 'b'].map((id) => add(id)));
    began({
      ended: (id) => {
        if (id === 'away') throw new DomainError('upstream_timeout', 'No answer.');
        return 'it failed';
      },
    });
    await time.advance(3 * LOOK_MS);
    expect((await jobs.get('b'))?.outcome).toMatchObject({ error: 'it failed' });
    expect([(await jobs.get('away'))?.outcome, logged.length]).toEqual([null, 1]);
  });

  it('ends the places of workflow runs by the workflow’s word', async () => {
    await Promise.all(['queued', 'running', 'success', 'failed'].map((id) => add(id, WORKFLOW_OP)));
    const states = new Map<string, 'queued' | 'running' | 'success' | 'failed'>(
      (['queued', 'running', 'success', 'failed'] as const).map((state) => [state, state]),
    );
    const status = async (dagRunId: string) => ({ dagRunId, state: states.get(dagRunId) ?? notThere() });
    // The look is for places alone: no log is read for it.
    const nothing = () => Promise.reject(new Error('nothing is started, and no reason asked for'));
    began({ workflow: { run: nothing, status, failure: nothing } });
    await time.advance(LOOK_MS);
    expect((await jobs.open()).map(({ id }) => id)).toEqual(['queued', 'running']);
    expect(looked).toEqual([]);
  });

  it('cuts a long reason, and stops when it is closed', async () => {
    await add('a');
    began();
    ends.set('a', 'x'.repeat(10_000));
    await time.advance(LOOK_MS);
    expect((await jobs.get('a'))?.outcome).toEqual({ ok: false, error: 'x'.repeat(4000) });
    await watch?.close();
    await add('b');
    await time.advance(10 * LOOK_MS);
    expect(looked).toEqual(['a']);
  });
});
