import { describe, expect, it } from 'vitest';
import { claimedRun, failedRun, queuedRun, succeededRun } from './transitions.ts';
import { runEventView, runView } from './views.ts';

const ID = '019a0000-0000-7000-8000-000000000001';
const START = Date.parse('2026-01-01T00:00:00Z');
const queued = queuedRun(
  { id: ID, pipeline: 'lulc', params: { startYear: 2020 }, fingerprint: 'secret plan', ownerId: 1 },
  '2026-01-01T00:00:00.000Z',
);
const running = claimedRun(queued, { workerId: 'w', leaseMs: 1000 }, START + 500);
const hrefs = { base: 'https://example.org/mount' };

describe('runView', () => {
  it('shows a queued run with absolute links', () => {
    const self = `https://example.org/mount/api/v1/runs/${ID}/`;
    expect(runView(queued, hrefs)).toEqual({
      run_id: ID,
      task_id: ID,
      pipeline: 'lulc',
      state: 'queued',
      status: 'queued',
      done: false,
      progress: 0,
      step: null,
      attempt: 0,
      cancel_requested: false,
      params: { startYear: 2020 },
      error: null,
      item_ids: [],
      timings: {},
      execution_time: null,
      created_at: '2026-01-01T00:00:00.000Z',
      started_at: null,
      finished_at: null,
      links: { self, log: `${self}log/`, events: `${self}events/`, cancel: `${self}cancel/` },
    });
  });

  it('shows how a run ended', () => {
    const fields = { block: ['no'] };
    const failed = failedRun(running, { code: 'input_data', message: 'bad', fields }, '2026-01-01T00:00:02.000Z');
    expect(runView(failed, hrefs)).toMatchObject({
      done: true,
      status: 'failed',
      error: { code: 'input_data', message: 'bad', fields },
    });
    expect(runView(failed, hrefs).execution_time).toBe(1.5);
    const item = { id: 'a', collectionPath: 's/d/b', item: {} };
    const done = succeededRun(running, { items: [item], layers: [], timings: { read: 1 } }, '2026-01-01T00:00:02.000Z');
    expect(runView(done, hrefs)).toMatchObject({
      done: true,
      status: 'success',
      progress: 1,
      item_ids: ['a'],
      timings: { read: 1 },
    });
  });

  it('keeps lease, token, worker and fingerprint to itself', () => {
    expect(JSON.stringify(runView(running, hrefs))).not.toMatch(/lease|token|worker|secret/);
  });
});

it('runEventView shows an event', () => {
  const event = { runId: ID, seq: 3, at: '2026-01-01T00:00:00.000Z', kind: 'log', data: { message: 'x' } } as const;
  expect(runEventView(event)).toEqual({ run_id: ID, seq: 3, at: event.at, kind: 'log', data: { message: 'x' } });
});
