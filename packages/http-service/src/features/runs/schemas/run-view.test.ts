import type { Run } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { RUN } from '../run.fixture.ts';
import { eventView, runView } from './run-view.ts';

const ID = '019a0000-0000-7000-8000-000000000001';
const BASE = 'https://example.org/mount';
const running: Run = {
  ...RUN,
  id: ID,
  pipeline: 'lulc',
  params: { startYear: 2020 },
  fingerprint: 'secret plan',
  state: 'running',
  progress: 0.5,
  step: 'composites',
  workerId: 'w',
  leaseUntil: '2026-01-01T00:01:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: '2026-01-01T00:00:00.500Z',
};
const finishedAt = '2026-01-01T00:00:02.000Z';

describe('runView', () => {
  it('shows a run with the names of HTTP responses and absolute links', () => {
    const self = `https://example.org/mount/api/v1/runs/${ID}/`;
    expect(runView(running, BASE)).toEqual({
      run_id: ID,
      task_id: ID,
      parent_run_id: null,
      after: [],
      pipeline: 'lulc',
      state: 'running',
      status: 'running',
      done: false,
      progress: 0.5,
      step: 'composites',
      attempt: 1,
      backend: 'local',
      queue: 'nrm',
      dag_id: null,
      dag_run_id: null,
      cancel_requested: false,
      params: { start_year: 2020 },
      error: null,
      item_ids: [],
      timings: {},
      execution_time: null,
      created_at: '2026-01-01T00:00:00.000Z',
      started_at: '2026-01-01T00:00:00.500Z',
      finished_at: null,
      links: { self, log: `${self}log/`, events: `${self}events/`, cancel: `${self}cancel/` },
    });
  });

  it('shows the end of a run', () => {
    const error = { code: 'input_data', message: 'bad', fields: { block: ['no'] } } as const;
    const failed = runView({ ...running, state: 'failed', error, finishedAt }, BASE);
    expect(failed).toMatchObject({ done: true, status: 'failed', error, execution_time: 1.5 });
    const done = runView({ ...running, state: 'success', itemIds: ['a'], timings: { read: 1 }, finishedAt }, BASE);
    expect(done).toMatchObject({ done: true, status: 'success', item_ids: ['a'], timings: { read: 1 } });
  });

  const fields = { tehsil: [{ rule: 'blank', message: 'is empty.' }] } as const;
  const stored = { code: 'validation', message: 'tehsil: is empty.', fields } as const;
  const worded = {
    code: 'validation',
    message: 'block: This field may not be blank.',
    fields: { block: ['This field may not be blank.'] },
  };

  it('describes the failure of a run with the names and sentences for clients, also in events', () => {
    expect(runView({ ...running, state: 'failed', error: stored, finishedAt }, BASE).error).toEqual(worded);
    const event = { runId: ID, seq: 3, at: finishedAt, kind: 'state' } as const;
    const data = { state: 'failed', attempt: 1, error: stored };
    expect(eventView({ ...event, data })).toEqual({
      seq: 3,
      run_id: ID,
      at: finishedAt,
      kind: 'state',
      data: { ...data, error: worded },
    });
    expect(eventView({ ...event, kind: 'log', data: { message: 'a line' } })).toMatchObject({
      data: { message: 'a line' },
    });
  });

  it('does not show lease, token, worker and fingerprint', () => {
    expect(JSON.stringify(runView(running, BASE))).not.toMatch(/lease|token|worker|secret/);
  });
});
